import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import { cliConfigTable, CliEnvironment, loadCliSettings } from './cli-settings.js';

const load = (env: Record<string, string>) => loadCliSettings('/opt/qralph', env, '/here');

function problemsOf(env: Record<string, string>): string {
  try {
    load(env);
  } catch (error) {
    if (error instanceof UserError && error.code === 'CONFIG_INVALID') return error.message;
    throw error;
  }
  return '';
}

describe('the settings of the command line', () => {
  it('are complete without a single variable: a service on this machine, its key here or where npm started it', () => {
    expect(load({})).toEqual({
      url: 'http://127.0.0.1:3000',
      key: null,
      dataDirs: ['/here/.data', '/opt/qralph/.data'],
      folder: '/here',
      mayColor: true,
      commandPath: '/usr/local/bin:/usr/bin:/bin',
    });
  });

  it('are what the environment says', () => {
    const env = {
      QRALPH_URL: 'https://q.example',
      QRALPH_KEY: 'qr_x',
      QRALPH_DATA_DIR: 'data',
      NO_COLOR: '1',
      PATH: '/p',
    };
    expect(load(env)).toEqual({
      url: 'https://q.example',
      key: 'qr_x',
      dataDirs: ['/here/data'],
      folder: '/here',
      mayColor: false,
      commandPath: '/p',
    });
  });

  it('take what is empty as unset, and port 0 as none', () => {
    expect(load({ QRALPH_URL: '', QRALPH_KEY: '', NO_COLOR: '', QRALPH_DATA_DIR: '' })).toEqual(load({}));
    expect(load({ QRALPH_PORT: '4000' }).url).toBe('http://127.0.0.1:4000');
    expect(load({ QRALPH_PORT: '0' }).url).toBe('http://127.0.0.1:3000');
  });

  it('name one data folder once', () => {
    expect(loadCliSettings('/here', {}, '/here').dataDirs).toEqual(['/here/.data']);
  });

  it('mean the folder in which npm was called, and only where npm runs this very script', () => {
    const npm = { INIT_CWD: '/srv/me/greeter', npm_package_name: 'qralph', npm_lifecycle_event: 'qralph' };
    expect(load(npm)).toMatchObject({
      folder: '/srv/me/greeter',
      dataDirs: ['/srv/me/greeter/.data', '/opt/qralph/.data'],
    });
    expect(load({ ...npm, npm_package_name: 'mine' }).folder).toBe('/here');
    expect(load({ ...npm, npm_lifecycle_event: 'test' }).folder).toBe('/here');
  });

  it.each([
    ['QRALPH_URL', 'localhost:3000'],
    ['QRALPH_URL', 'ftp://hush-hush'],
    ['QRALPH_KEY', 'qr_hush hush'],
    ['QRALPH_PORT', 'hush'],
  ])('refuse a bad %s by its name, and do not repeat it', (name, value) => {
    expect(problemsOf({ [name]: value })).toContain(name);
    expect(problemsOf({ [name]: value })).not.toContain('hush');
  });

  it('are all in the table', () => {
    for (const name of Object.keys(CliEnvironment.shape)) expect(cliConfigTable()).toContain(`\`${name}\``);
  });
});

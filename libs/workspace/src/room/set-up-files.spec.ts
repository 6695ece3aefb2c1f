import { describe, expect, it } from 'vitest';
import { showsBuild, sortSetUpFiles } from './set-up-files.js';

describe('what set-up left', () => {
  const sort = (untracked: readonly string[], ...tracked: string[]) =>
    sortSetUpFiles(untracked, (path) => tracked.includes(path));

  it('is sorted into dependency folders and other files', () => {
    const untracked = ['node_modules/', 'packages/a/node_modules/', '.venv/', 'dist/', '.env', 'vendor/bundle/'];
    expect(sort(untracked)).toEqual({
      folders: ['node_modules', 'packages/a/node_modules', '.venv', 'vendor/bundle'],
      loose: ['dist', '.env'],
    });
  });

  it('takes a link in the place of a dependency folder for another file', () => {
    expect(sort(['node_modules'])).toEqual({ folders: [], loose: ['node_modules'] });
  });

  it.each(['__pycache__/', 'src/__pycache__/', 'a.pyc', '.pytest_cache/', '.gradle/', 'coverage/'])(
    'drops the build cache %s',
    (path) => {
      expect(sort([path])).toEqual({ folders: [], loose: [] });
    },
  );

  it('drops the output of a build tool if its manifest lies beside it', () => {
    expect(sort(['target/', 'a/target/', 'build/'], 'pom.xml', 'a/Cargo.toml')).toMatchObject({ loose: ['build'] });
    expect(sort(['target/', 'build/'], 'build.gradle.kts')).toMatchObject({ loose: ['target'] });
  });

  it('drops half-made dependency folders', () => {
    expect(sort(['.qralph-part-node_modules/', '.qralph-old-.venv/'])).toEqual({ folders: [], loose: [] });
  });

  it('shows a build if a file is neither copied nor metadata of an editable package', () => {
    expect(showsBuild(['.env', 'conf', 'x.egg-info'], ['.env', 'conf/local.json'])).toBe(false);
    expect(showsBuild(['.env', 'dist'], ['.env'])).toBe(true);
  });
});

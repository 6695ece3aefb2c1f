import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecretBook } from '#kernel';
import { newWorld, type World } from '../worktree/worktree.fixture.js';
import { Artefacts } from './artefacts.js';
import { ArtefactFolder, LONGEST_ARTEFACT } from './artefact-folder.js';

let world: World;
const name = '001-first-work';
beforeEach(() => {
  world = newWorld(process.env['PATH']);
});
afterEach(() => world.remove());

const open = (): Promise<ArtefactFolder> =>
  ArtefactFolder.open({ repo: world.repo, name, redactor: new SecretBook(['hunter2hunter2']) });
const inFolder = (...parts: string[]): string => join(world.repo, '.qralph/projects', name, ...parts);
const unsafe = expect.objectContaining({ code: 'ARTEFACT_PATH_UNSAFE' }) as Error;

describe('artefacts', () => {
  it('are written, listed and read, and the user’s git overlooks them', async () => {
    const before = world.userState();
    const artefacts = await open();
    await artefacts.write('STATE.md', '# State\n');
    await artefacts.write('agent-outputs/sde-iii.md', 'Fine.\n');
    await artefacts.write('checkpoints/000001.json', '{}\n');
    await artefacts.write('STATE.md', '# Other\n');
    const reader = await ArtefactFolder.find({ repo: world.repo, name });
    expect((await reader.list()).map((one) => [one.name, one.bytes])).toEqual([
      ['STATE.md', 8],
      ['agent-outputs/sde-iii.md', 6],
      ['checkpoints/000001.json', 3],
    ]);
    expect(await reader.read('STATE.md')).toMatchObject({ bytes: 8, text: '# Other\n' });
    expect(world.userState()).toEqual(before);
    expect(readdirSync(inFolder()).filter((one) => one.startsWith('.'))).toEqual([]);
  });

  it('are overlooked by one line that is added once, behind those of the user', async () => {
    const file = join(world.repo, '.git/info/exclude');
    writeFileSync(file, '# mine\nprivate');
    await Promise.all([1, 2, 3, 4].map(open));
    await open();
    expect(readFileSync(file, 'utf8')).toBe('# mine\nprivate\n.qralph/\n');
  });

  it('show no secret, and JSON stays JSON', async () => {
    const artefacts = await open();
    await artefacts.write('STATE.md', 'key hunter2hunter2');
    await artefacts.write(
      'state.json',
      JSON.stringify({ a: '-----BEGIN PRIVATE KEY----- abc', b: 'hunter2hunter2', c: 1 }),
    );
    await artefacts.write('decisions.log', 'took hunter2hunter2\n');
    const all = execFileSync('cat', [inFolder('STATE.md'), inFolder('state.json'), inFolder('decisions.log')], {
      encoding: 'utf8',
    });
    expect(all).not.toContain('hunter2');
    expect(JSON.parse(readFileSync(inFolder('state.json'), 'utf8'))).toEqual({ a: '[secret]', b: '[secret]', c: 1 });
  });

  it('are whole at every moment, however many write them', async () => {
    const artefacts = await open();
    const texts = Array.from({ length: 20 }, (_, nth) => String(nth).repeat(50_000));
    const seen = new Set<string>();
    await artefacts.write('STATE.md', texts[0] ?? '');
    await Promise.all(
      texts.map(async (text) => {
        await artefacts.write('STATE.md', text);
        seen.add((await artefacts.read('STATE.md'))?.text ?? '');
      }),
    );
    expect([...seen].every((text) => texts.includes(text))).toBe(true);
  });

  it('that are written together are all there, and none is where one of them may not be', async () => {
    const artefacts = await open();
    await artefacts.writeAll([
      ['STATE.md', 'one'],
      ['checkpoints/000001.json', '{}\n'],
      ['STATE.md', 'two'],
    ]);
    expect((await artefacts.list()).map(({ name }) => name)).toEqual(['STATE.md', 'checkpoints/000001.json']);
    expect((await artefacts.read('STATE.md'))?.text).toBe('two');
    const bad = artefacts.writeAll([
      ['PLAN.md', 'one'],
      ['../x', 'two'],
    ]);
    await expect(bad).rejects.toMatchObject({ code: 'ARTEFACT_NAME_INVALID' });
    expect(await artefacts.read('PLAN.md')).toBeNull();
  });

  it('leave nothing half-written where one of them cannot be', async () => {
    const artefacts = await open();
    mkdirSync(inFolder('PLAN.md'));
    const bad = artefacts.writeAll([
      ['STATE.md', 'one'],
      ['PLAN.md', 'two'],
    ]);
    await expect(bad).rejects.toMatchObject({ code: 'ARTEFACT_PATH_UNSAFE' });
    expect(readdirSync(inFolder('')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('that a crash left half-written are taken away', async () => {
    await open();
    writeFileSync(inFolder('.STATE.md.x.part'), 'half');
    writeFileSync(inFolder('.PLAN.md.y.part'), 'being written');
    utimesSync(inFolder('.STATE.md.x.part'), 0, 0);
    expect(await (await open()).list()).toEqual([]);
    expect([existsSync(inFolder('.STATE.md.x.part')), existsSync(inFolder('.PLAN.md.y.part'))]).toEqual([false, true]);
  });

  it('of other names, missing ones and huge ones are refused', async () => {
    const artefacts = await open();
    await expect(artefacts.write('../../../a.txt', 'x')).rejects.toMatchObject({ code: 'ARTEFACT_NAME_INVALID' });
    await expect(artefacts.read('.git/config')).rejects.toMatchObject({ code: 'ARTEFACT_NAME_INVALID' });
    expect(await artefacts.read('PLAN.md')).toBeNull();
    await expect(artefacts.write('PLAN.md', 'x'.repeat(LONGEST_ARTEFACT + 1))).rejects.toMatchObject({
      code: 'ARTEFACT_TOO_LARGE',
    });
    writeFileSync(inFolder('PLAN.md'), 'x'.repeat(LONGEST_ARTEFACT + 1));
    await expect(artefacts.read('PLAN.md')).rejects.toMatchObject({ code: 'ARTEFACT_TOO_LARGE' });
    await expect(ArtefactFolder.open({ repo: world.repo, name: '../x' })).rejects.toMatchObject({
      code: 'PROJECT_NAME_INVALID',
    });
    const other = await ArtefactFolder.find({ repo: world.repo, name: '002-other' });
    expect(await other.list()).toEqual([]);
    expect(await other.read('STATE.md')).toBeNull();
  });
});

it('are at one desk for all projects, where a name that is none is a file that is not there', async () => {
  const desk = new Artefacts({ redactor: new SecretBook(['hunter2hunter2']) });
  const place = { repo: world.repo, name };
  await Promise.all(['PLAN.md', 'SUMMARY.md'].map((file) => desk.write(place, file, 'hunter2hunter2 done')));
  expect((await desk.list(place)).map((one) => one.name)).toEqual(['PLAN.md', 'SUMMARY.md']);
  expect(await desk.read(place, 'SUMMARY.md')).toMatchObject({ name: 'SUMMARY.md', text: '[secret] done' });
  expect(await desk.read(place, '../../../a.txt')).toBeNull();
});

describe('links in the place of artefacts', () => {
  let elsewhere: string;
  beforeEach(() => {
    elsewhere = join(world.folder, 'elsewhere');
    mkdirSync(join(elsewhere, 'projects', name), { recursive: true });
    writeFileSync(join(elsewhere, 'victim'), 'untouched');
    writeFileSync(join(elsewhere, 'projects', name, 'STATE.md'), 'not ours');
  });
  afterEach(() => {
    expect(readFileSync(join(elsewhere, 'victim'), 'utf8')).toBe('untouched');
    expect(readdirSync(join(elsewhere, 'projects', name))).toEqual(['STATE.md']);
  });

  it.each(['.qralph', '.qralph/projects', `.qralph/projects/${name}`])('are refused: %s', async (link) => {
    const path = join(world.repo, link);
    mkdirSync(join(path, '..'), { recursive: true });
    symlinkSync(join(elsewhere, link.slice('.qralph'.length)), path);
    await expect(open()).rejects.toThrow(unsafe);
    const reader = await ArtefactFolder.find({ repo: world.repo, name });
    await expect(reader.read('STATE.md')).rejects.toThrow(unsafe);
    await expect(reader.list()).rejects.toThrow(unsafe);
  });

  it('are refused where a folder became one after it was opened', async () => {
    const artefacts = await open();
    rmSync(inFolder('agent-outputs'), { recursive: true });
    symlinkSync(elsewhere, inFolder('agent-outputs'));
    await expect(artefacts.write('agent-outputs/a.md', 'x')).rejects.toThrow(unsafe);
  });

  it('are replaced, not followed, by what is written, and never read', async () => {
    const artefacts = await open();
    symlinkSync(join(elsewhere, 'victim'), inFolder('STATE.md'));
    await expect(artefacts.read('STATE.md')).rejects.toThrow(unsafe);
    await artefacts.write('STATE.md', 'ours');
    expect((await artefacts.read('STATE.md'))?.text).toBe('ours');
    linkSync(join(elsewhere, 'victim'), inFolder('decisions.log'));
    await expect(artefacts.read('decisions.log')).rejects.toThrow(unsafe);
    await artefacts.write('decisions.log', 'ours');
    execFileSync('mkfifo', [inFolder('PLAN.md')]);
    await expect(artefacts.read('PLAN.md')).rejects.toThrow(unsafe);
  });

  it('keep the list of excluded files as it is', async () => {
    rmSync(join(world.repo, '.git/info/exclude'), { force: true });
    symlinkSync(join(elsewhere, 'victim'), join(world.repo, '.git/info/exclude'));
    await open();
  });
});

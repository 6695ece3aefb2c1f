import { expect, it } from 'vitest';
import { Toolbox } from './toolbox.js';

const WALLS = { hidesFiles: true, cutsNetwork: true, ownsProcesses: true };

type Task = ConstructorParameters<typeof Toolbox>[0];

const namesOf = (task: Task, guarantees = WALLS): string[] =>
  new Toolbox(task, guarantees).specs.map(({ name }) => name);

it('has what the access of its task gives', () => {
  expect(namesOf({ access: 'read', mayRun: true })).toEqual(['read_file', 'list_files', 'search', 'run', 'finish']);
  expect(namesOf({ access: 'write', mayRun: true })).toEqual(
    expect.arrayContaining(['write_file', 'edit_file', 'run', 'finish']),
  );
});

it('tells a task that only reads that the repository is read-only to commands', () => {
  const about = (access: Task['access']): string =>
    new Toolbox({ access, mayRun: true }, WALLS).specs.find(({ name }) => name === 'run')?.description ?? '';
  expect(about('read')).toContain('The repository is read-only');
  expect(about('write')).not.toContain('read-only');
});

it.each([
  ['files', { ...WALLS, hidesFiles: false }],
  ['the network', { ...WALLS, cutsNetwork: false }],
])('has no commands for a task that only reads if nothing keeps them from %s', (_, guarantees) => {
  expect(namesOf({ access: 'read', mayRun: true }, guarantees)).not.toContain('run');
  expect(namesOf({ access: 'write', mayRun: true }, guarantees)).toContain('run');
});

it('may be narrowed, never widened, and always holds the way to end', () => {
  expect(namesOf({ access: 'read', mayRun: false, tools: ['search', 'run', 'write_file'] })).toEqual([
    'search',
    'finish',
  ]);
  expect(namesOf({ access: 'write', mayRun: false, tools: ['run'] })).toEqual(['finish']);
});

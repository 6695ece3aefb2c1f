import { expect, it } from 'vitest';
import { Toolbox } from './toolbox.js';

const namesOf = (task: ConstructorParameters<typeof Toolbox>[0]): string[] =>
  new Toolbox(task).specs.map(({ name }) => name);

it('has what the access of its task gives, and nothing that could change a file where it only reads', () => {
  expect(namesOf({ access: 'read', mayRun: true })).toEqual(['read_file', 'list_files', 'search', 'finish']);
  expect(namesOf({ access: 'write', mayRun: true })).toEqual(
    expect.arrayContaining(['write_file', 'edit_file', 'run', 'finish']),
  );
});

it('may be narrowed, never widened, and always holds the way to end', () => {
  expect(namesOf({ access: 'read', mayRun: false, tools: ['search', 'run', 'write_file'] })).toEqual([
    'search',
    'finish',
  ]);
  expect(namesOf({ access: 'write', mayRun: false, tools: ['run'] })).toEqual(['finish']);
});

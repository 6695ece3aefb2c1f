import { describe, expect, it } from 'vitest';
import { roleOf } from './role.js';

const shaped = (...names: string[]) => ({
  tools: [],
  schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) },
});

describe('roleOf', () => {
  it.each([
    ['reviewer', ['summary', 'findings']],
    ['planner', ['class', 'parts', 'steps', 'findings', 'failuresInScope']],
    ['planner', ['class', 'parts', 'steps', 'findings', 'failuresInScope', 'checks']],
    ['check-author', ['checks']],
    ['inspector', ['parts', 'findings', 'tests']],
    ['fix-reviewer', ['isFixed', 'why']],
    ['arbiter', ['isCheckWrong', 'why']],
    ['inspection-arbiter', ['isInspectorWrong', 'why']],
    ['implementer', ['outcome', 'summary', 'wrongCheck']],
    ['implementer', ['outcome', 'summary', 'question', 'findings']],
    ['scenario-planner', ['scenarios']],
    ['tester', ['verdict', 'command', 'observation']],
    ['step-checker', ['verdict', 'observation', 'evidence']],
    ['clarifier', ['questions']],
    ['step-planner', ['summary', 'steps', 'risks']],
    ['other', ['title']],
  ])('recognises %s by its schema', (role, names) => {
    expect(roleOf(shaped(...names))).toBe(role);
  });

  it('takes a task without a schema for work if files can be written', () => {
    expect(roleOf({ schema: null, tools: ['read_file', 'write_file'] })).toBe('implementer');
    expect(roleOf({ schema: null, tools: ['read_file'] })).toBe('other');
  });
});

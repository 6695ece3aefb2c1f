import type { Conversation } from './conversation.js';
import { propertiesOf } from './fit-schema.js';

/** What a model is asked to be. Only the output schema and the offered tools tell. */
export type Role =
  | 'reviewer'
  | 'planner'
  | 'check-author'
  | 'inspector'
  | 'fix-reviewer'
  | 'arbiter'
  | 'scope-arbiter'
  | 'inspection-arbiter'
  | 'implementer'
  | 'scenario-planner'
  | 'tester'
  | 'clarifier'
  | 'step-planner'
  | 'step-checker'
  | 'other';

/** The properties that tell a role, the most telling first. */
const SIGNS: readonly (readonly [Role, readonly string[]])[] = [
  ['arbiter', ['isCheckWrong']],
  ['scope-arbiter', ['rulings']],
  ['inspection-arbiter', ['isInspectorWrong']],
  // Who plans may be asked for the checks too.
  ['planner', ['class', 'parts', 'steps']],
  ['check-author', ['checks']],
  ['scenario-planner', ['scenarios']],
  ['clarifier', ['questions']],
  ['inspector', ['parts', 'tests']],
  ['fix-reviewer', ['isFixed']],
  ['step-planner', ['steps', 'risks']],
  ['implementer', ['outcome', 'summary']],
  ['tester', ['verdict', 'command']],
  ['step-checker', ['verdict']],
  ['reviewer', ['summary', 'findings']],
];

export function roleOf({ schema, tools }: Pick<Conversation, 'schema' | 'tools'>): Role {
  const names = propertiesOf(schema);
  const found = SIGNS.find(([, signs]) => signs.every((sign) => names.includes(sign)));
  if (found) return found[0];
  return schema === null && tools.includes('write_file') ? 'implementer' : 'other';
}

import { parseDocument } from 'yaml';
import { errorMessage, UserError } from '#kernel';
import { type Playbook, playbookSchema } from './playbook.schema.js';

/** Enough to say the same answer in a few places; a bomb needs thousands. */
const MOST_ALIASES = 50;

/** Reads the text of a playbook. Throws a UserError that names file, place and fault. */
export function readPlaybook(text: string, file: string): Playbook {
  const checked = playbookSchema.safeParse(valueOf(text, file));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const more = checked.error.issues.length - 1;
  const fault = issue ? `${placeOf(issue.path)} ${issue.message}` : 'has no known fault';
  throw invalid(file, `${fault}${more > 0 ? ` (and ${more} more)` : ''}`);
}

function valueOf(text: string, file: string): unknown {
  try {
    const document = parseDocument(text, { schema: 'core', strict: true, uniqueKeys: true, logLevel: 'silent' });
    // An unknown tag is only a warning to the parser, but then the value is not what somebody meant.
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw invalid(file, fault.message);
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw invalid(file, errorMessage(error));
  }
}

/** Counts from 1, as people do: `entry 2, turn 1, tools`. */
function placeOf(path: readonly PropertyKey[]): string {
  const names: Readonly<Record<string, string>> = { entries: 'entry', turns: 'turn', tools: 'tool' };
  const parts: string[] = [];
  for (const part of path) {
    const last = parts.at(-1);
    if (typeof part === 'number' && last !== undefined) parts[parts.length - 1] = `${names[last] ?? last} ${part + 1}`;
    else parts.push(String(part));
  }
  return parts.length === 0 ? 'the playbook:' : `${parts.join(', ')}:`;
}

export function invalid(file: string, fault: string): UserError {
  return new UserError('PLAYBOOK_INVALID', `the playbook ${file} cannot be used: ${fault.slice(0, 1_000)}`, { file });
}

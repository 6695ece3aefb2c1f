import type { LiveProject } from '#contracts';
import type { Pending } from '#workspace';
import type { ToldEvent } from '../history.js';
import { oneLine, section } from './page-parts.js';
import { logLines, uncommittedLines, unknownLines } from './session-lines.js';
import type { UnknownItem, Unseen } from './unknown-items.js';

export interface Held {
  readonly project: Pick<LiveProject, 'id' | 'name' | 'request' | 'mode' | 'state'>;
  /** The checkpoint that cannot be used, and why. */
  readonly seq: number;
  readonly reason: string;
  /** The newest that nothing is known to be wrong with; null where there is none. */
  readonly good: number | null;
  readonly told: readonly ToldEvent[];
  readonly pending: Pending | Unseen | null;
  readonly unknown: readonly UnknownItem[];
}

/** By this line it is seen that STATE.md is of the project as it is held now. */
export const heldLine = (seq: number): string => `| held at | checkpoint ${String(seq)} |`;

/** STATE.md of a project whose newest checkpoint cannot be used: of what that one says, nothing. */
export function heldPage({ project, seq, reason, good, told, pending, unknown }: Held): string {
  const at = `/v1/projects/${project.id}`;
  const lines = [
    `# ${project.name}`,
    '',
    '| | |',
    '| --- | --- |',
    `| request | ${oneLine(project.request)} |`,
    `| state | ${project.state} |`,
    '| status | blocked |',
    `| mode | ${project.mode} |`,
    heldLine(seq),
    ...section('Current step', [
      `- held for a person: checkpoint ${String(seq)} cannot be used (${oneLine(reason)}). Nothing runs, and what that checkpoint says is not shown.`,
    ]),
    ...section('Uncommitted work', uncommittedLines(pending)),
    ...section('Status unknown', unknownLines(unknown)),
    ...section('Session log', logLines(told)),
    ...section('Next session', [
      good === null
        ? `No checkpoint can be restored. \`GET ${at}/checkpoints\` lists them.`
        : `The project waits for you. \`POST ${at}/checkpoints/${String(good)}/restore\` restores checkpoint ${String(good)}, the newest that can be used. \`GET ${at}/checkpoints\` lists them all.`,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

import type { CaseKind } from '../cases/case.js';
import type { Outcome } from '../report/judge.js';
import type { Mutation } from './mutations.js';

/** How a case ended, as the outcomes command prints it. */
export interface CaseLine {
  readonly name: string;
  readonly kind: CaseKind;
  readonly outcome: Outcome;
  readonly isRight: boolean;
}

export interface MutationResult {
  readonly mutation: Mutation;
  readonly lines: readonly CaseLine[];
}

const HEAD = ['mutation', 'switched off', 'cases', 'noticed by'];

/**
 * Whether a case notices the mutation: a lie is accepted, or an ordinary request no longer ends proven. A project that
 * failed or did not end says nothing: a mutation that breaks the service would look noticed.
 */
export function isNoticedBy({ kind, outcome }: CaseLine): boolean {
  switch (kind) {
    case 'lie':
      return outcome === 'false done';
    case 'solvable':
      return outcome === 'asked' || outcome === 'unproven' || outcome === 'false done';
    case 'person':
    case 'simulated':
      return false;
  }
}

export const isNoticed = ({ lines }: MutationResult): boolean => lines.some(isNoticedBy);

/** One Markdown table, a line for each mutation. */
export function renderMutations(results: readonly MutationResult[]): string {
  const rows = results.map(({ mutation, lines }) => [
    mutation.name,
    mutation.what,
    lines.map(({ name }) => name).join(', '),
    lines.filter(isNoticedBy).map(describeLine).join(', ') || `NOTHING (${lines.map(describeLine).join(', ')})`,
  ]);
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const describeLine = ({ name, outcome }: CaseLine): string => `${name}: ${outcome}`;

/** The lines of JSON that the outcomes command prints with `--json`. */
export const readCaseLines = (output: string): readonly CaseLine[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CaseLine);

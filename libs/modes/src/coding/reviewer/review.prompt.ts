import { MATERIAL_RULE, material, parts, type Prompt } from '../../shared/prompt.js';
import type { Seat } from './review.js';

export interface ReviewInput {
  readonly seat: Seat;
  readonly request: string;
  readonly domains: readonly string[];
  readonly files: readonly string[];
  readonly memories: readonly string[];
  /** How the verify commands went before any change. */
  readonly baseline?: string;
  readonly map?: string;
  readonly notes: string;
  /** Why the first try could not be used; empty if this is the first. */
  readonly refusal: string;
  /** What this reviewer had said by then. */
  readonly partial: string;
}

const MOST_FILES = 300;

/** A project that escalated brings along what people said about its plans. */
const MOST_SETTLED = 80_000;

/** A reviewer reads the repository with the request in mind, before anybody changes anything. */
export const reviewPrompt: Prompt<ReviewInput> = {
  version: 'review@5',
  system: [
    'You are a member of a review team. Before anybody changes the code, each member reads the repository from the view of its role, with one request in mind, and reports what has to be known or fixed.',
    'You can read files, list them and search in them. You cannot change anything. If you have a tool that runs commands, you may also run commands, such as single tests or git log; the repository is read-only to them. Start with the files that the request is about, their tests and callers. Your time is short: finish with what you have seen instead of reading everything.',
    'Report only what you have seen: name the file, and the line if you can, and quote or describe what is there. A finding is one concrete problem: what is wrong, when it shows, what to do. If you only suspect something, say so in the confidence (0 to 1). Leave out style, taste and anything that the rest of this code base does not ask for.',
    'P0: the request must not be carried out before this is fixed (a security hole it touches, data loss, a design that makes it impossible). P1: to be fixed with this request (a bug in its way, a missing test for what it changes). P2: worth considering, never urgent. Few findings that matter are better than many that do not. No finding is a good result if you say what you looked at.',
    'Each finding says how it relates to the request. is-request: it is the requested bug or feature itself, or a part of it. before: it must be fixed first, or the request cannot be carried out. after: it is about the result and can only be checked then, such as a missing test for new behaviour. aside: it has nothing to do with the request. A failing test of the baseline that the request is about is is-request.',
    'The summary is your advice to the engineer who carries the request out: where the cause is, which files and functions to change, what to keep, which pitfalls there are.',
    MATERIAL_RULE,
    'Finish with JSON: a summary of two to six sentences that says what you looked at and what you advise, and the list of findings.',
  ].join('\n'),
  render: ({ seat, request, domains, files, memories, baseline = '', map = '', notes, refusal, partial }) =>
    parts(
      `# Your role: ${seat.agent}\n\n${material('How this role looks at code', seat.instructions)}`,
      ...seat.skills.map(({ name, instructions }) => material(`The skill ${name}`, instructions, 8_000)),
      `# The request\n\n${material('What is asked for', request)}`,
      domains.length > 0 ? `It is about: ${domains.join(', ')}.` : null,
      notes === '' ? null : material('What was settled before', notes, MOST_SETTLED),
      baseline === '' ? null : material('The verify commands before any change', baseline, 8_000),
      `# The repository\n\n${describeFiles(files, map)}`,
      memories.length > 0 ? material('What earlier projects in this repository learnt', memories.join('\n')) : null,
      refusal === ''
        ? null
        : parts(
            '# Where you stand\n\nYour first try could not be used.',
            material('Why', refusal, 1_000),
            partial === '' ? null : material('What you had said by then', partial),
            'Finish with what you know: the JSON, with the files and lines that you have seen.',
          ),
    ),
};

function describeFiles(files: readonly string[], map: string): string {
  if (map !== '') return material('Its map', map, 12_000);
  const more = files.length > MOST_FILES ? `, the first ${String(MOST_FILES)} of ${String(files.length)}` : '';
  return material(`Its files${more}`, files.slice(0, MOST_FILES).join('\n'));
}

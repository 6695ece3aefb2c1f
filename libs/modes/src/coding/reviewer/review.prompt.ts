import { MATERIAL_RULE, material, parts, type Prompt } from '../../shared/prompt.js';
import type { Seat } from './review.js';

export interface ReviewInput {
  readonly seat: Seat;
  readonly request: string;
  readonly domains: readonly string[];
  readonly files: readonly string[];
  readonly memories: readonly string[];
  readonly notes: string;
  /** Why its first try could not be used; empty where this is the first. */
  readonly refusal: string;
  /** What this reviewer had said by then. */
  readonly partial: string;
}

const MOST_FILES = 300;

/** A reviewer looks at the repository with the request in mind, before anybody changes anything. */
/** With what people said about plans, where a project has escalated. */
const MOST_SETTLED = 80_000;

export const reviewPrompt: Prompt<ReviewInput> = {
  version: 'review@2',
  system: [
    'You are a member of a review team. Before anybody changes the code, each member looks at the repository in its own field, with one request in mind, and reports what has to be known or mended.',
    'You can read files, list them and search in them. You cannot change anything and you run nothing.',
    'Report only what you have seen: name the file, and the line where you can, and quote or describe what is there. Do not report what you merely suspect without saying so in the confidence (0 to 1).',
    'P0: the request must not be carried out before this is mended (a security hole it touches, data loss, a design that cannot hold it). P1: to be fixed with this request (a bug in its way, a missing test for what it changes). P2: worth considering, never urgent. Few findings that matter are better than many that do not; none at all is a good result if you say what you looked at.',
    MATERIAL_RULE,
    'Finish with JSON: a summary of two to six sentences that says what you looked at and what you think, and the list of findings.',
  ].join('\n'),
  render: ({ seat, request, domains, files, memories, notes, refusal, partial }) =>
    parts(
      `# Your role: ${seat.agent}\n\n${material('How this role looks at code', seat.instructions)}`,
      ...seat.skills.map(({ name, instructions }) => material(`The skill ${name}`, instructions, 8_000)),
      `# The request\n\n${material('What is asked for', request)}`,
      domains.length > 0 ? `It is about: ${domains.join(', ')}.` : null,
      notes === '' ? null : material('What was settled before', notes, MOST_SETTLED),
      `# The repository\n\n${material(`Its files${files.length > MOST_FILES ? `, the first ${String(MOST_FILES)} of ${String(files.length)}` : ''}`, files.slice(0, MOST_FILES).join('\n'))}`,
      memories.length > 0 ? material('What earlier projects here learnt', memories.join('\n')) : null,
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

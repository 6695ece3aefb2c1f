import { type Command as Word, routes } from '#contracts';
import { type Command, command } from '../args/command.js';
import { wholeNumber } from '../args/values.js';
import { EXIT } from '../exit-codes.js';
import { clean } from '../show/clean.js';

/** The commands that a project is steered with, and what each is good for. */
const WORDS: Readonly<Record<Exclude<Word, 'STATUS'>, string>> = {
  PAUSE: 'lets the current step reach its next safe point, and starts nothing new',
  RESUME: 'goes on after a pause',
  SKIP: 'leaves out what the project is at: questions, reviewers, a task, an attempt, a scenario',
  ABORT: 'ends a project: calls are cancelled, processes ended, the branch stays',
  ESCALATE: 'hands a work project to a whole team',
  RETRY: 'tries again what failed or is blocked',
};

/** Only a pause lets what runs come to an end; everything else interrupts it. */
const WHEN: Readonly<Partial<Record<string, string>>> = {
  PAUSE: 'at the next safe point',
  ABORT: 'within 10 seconds, whatever agents do',
};
const whenOf = (word: string): string => WHEN[word] ?? 'as soon as a worker hears of it';

/** Those that mean the step that was looked at: given twice by mistake, the second meets the next one. */
const OF_STEP: readonly string[] = ['SKIP', 'ESCALATE', 'RETRY'];
const CHECKPOINT = {
  checkpoint: { type: 'string', value: 'SEQ', help: 'the checkpoint you looked at: refused if the project moved on' },
} as const;

export const steering: readonly Command[] = Object.entries(WORDS).map(([word, summary]) =>
  command({
    name: word.toLowerCase(),
    summary,
    positionals: 'PROJECT',
    options: {
      ...(OF_STEP.includes(word) && CHECKPOINT),
      'idempotency-key': { type: 'string', value: 'KEY', help: 'sent twice under the same key it acts once' },
    },
    notes: [`It is stored at once and takes effect ${whenOf(word)}. Where it is not allowed now, what is is said.`],
    examples: [`qralph ${word.toLowerCase()} 001-dark-mode-toggle`],
    async run({ api, out }, { values, positionals: [id = ''] }) {
      const idempotencyKey = values['idempotency-key'];
      const seen = values.checkpoint;
      const accepted = await api.call(routes.commandProject, {
        params: { id },
        body: {
          command: word as Word,
          ...(seen !== undefined && { checkpoint: wholeNumber('--checkpoint', seen, 1) }),
        },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      if (out.isJson) out.json(accepted);
      else out.lines(`${word} is stored for ${clean(id)} and takes effect ${whenOf(word)}`);
      return EXIT.ok;
    },
  }),
);

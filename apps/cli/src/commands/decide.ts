import { type Gate, routes } from '#contracts';
import { type Command, command, type Context, type Options, type Values } from '../args/command.js';
import { jsonOf, wholeNumber } from '../args/values.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure, Refusal, usage } from '../failure.js';
import { VERBS } from '../show/answer-command.js';
import { clean } from '../show/clean.js';
import { gateLines } from '../show/gate-lines.js';
import { changesSince } from './changes-since.js';

const OPTIONS = {
  feedback: { type: 'string', value: 'TEXT', help: 'what to change, or a word to those who go on' },
  answers: { type: 'string', value: 'JSON', help: 'answers to questions, as in \'{"Q1": "yes"}\'' },
  checkpoint: { type: 'string', value: 'SEQ', help: 'the checkpoint you looked at: refused if the project moved on' },
  'idempotency-key': { type: 'string', value: 'KEY', help: 'sent twice under the same key it is decided once' },
} as const satisfies Options;

const NOTES = [
  'qralph gates shows each line with the checkpoint that was looked at. Without --checkpoint the gate is decided as it is now.',
];

export const decide = command({
  name: 'decide',
  summary: 'answers a gate with one of its options',
  positionals: 'PROJECT GATE OPTION',
  options: OPTIONS,
  notes: NOTES,
  examples: [`qralph decide 003-dark-mode-toggle clarify answer --answers '{"Q1": "UTC"}' --checkpoint 9`],
  run: (context, { values, positionals: [id = '', gate = '', option = ''] }) =>
    answer(context, { id, gate, option }, values),
});

/** The decisions of plans and approvals, as commands of their own. */
export const verbs: readonly Command[] = VERBS.map((option) =>
  command({
    name: option,
    summary: `answers what a project asks with “${option}”`,
    positionals: 'PROJECT [GATE]',
    options: OPTIONS,
    notes: [...NOTES, 'Without GATE it is the one gate of the project that takes this answer.'],
    examples: [
      `qralph ${option} 001-dark-mode-toggle plan --checkpoint 12${option === 'revise' ? " --feedback 'In two steps'" : ''}`,
    ],
    run: async (context, { values, positionals: [id = '', named] }) => {
      const gate = named ?? (await onlyGate(context, id, option));
      return answer(context, { id, gate, option }, values);
    },
  }),
);

interface Decision {
  readonly id: string;
  readonly gate: string;
  readonly option: string;
}

async function answer(
  context: Context,
  { id, gate, option }: Decision,
  values: Values<typeof OPTIONS>,
): Promise<ExitCode> {
  const { api, out } = context;
  const { feedback, answers } = values;
  const seen = values.checkpoint === undefined ? undefined : wholeNumber('--checkpoint', values.checkpoint, 1);
  const idempotencyKey = values['idempotency-key'];
  const body = {
    decision: option,
    ...(feedback !== undefined && { feedback }),
    ...(answers !== undefined && { answers: jsonOf('answers', answers) }),
    // What is decided without a look is decided on what is asked now.
    checkpoint: seen ?? (await checkpointOf(context, id, gate)),
  };
  try {
    const accepted = await api.call(routes.decideGate, {
      params: { id, name: gate },
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    if (out.isJson) out.json(accepted);
    else out.lines(`${clean(accepted.decision)} is stored for ${clean(accepted.gate)} of ${clean(id)}`);
    return EXIT.ok;
  } catch (error) {
    const isStale = error instanceof Refusal && ['GATE_CHANGED', 'GATE_NOT_OPEN'].includes(error.code);
    if (isStale && seen !== undefined && !out.isJson) out.note(...(await changesSince(api, id, seen)));
    throw error;
  }
}

async function openGates({ api }: Context, id: string): Promise<readonly Gate[]> {
  return (await api.call(routes.projectGates, { params: { id } })).data;
}

async function checkpointOf(context: Context, id: string, name: string): Promise<number | undefined> {
  return (await openGates(context, id)).find((gate) => gate.name === name)?.checkpoint.seq;
}

async function onlyGate(context: Context, id: string, option: string): Promise<string> {
  const open = await openGates(context, id);
  const [gate, ...others] = open.filter(({ options }) => options.includes(option));
  if (gate && others.length === 0) return gate.name;
  if (gate)
    throw usage(`several gates take ${option}; name one: ${[gate, ...others].map(({ name }) => name).join(', ')}`);
  if (!context.out.isJson) context.out.note(...clean(open).flatMap((one) => gateLines(one)));
  throw new Failure(EXIT.refused, 'GATE_NOT_OPEN', `no gate of ${id} takes ${option} now`);
}

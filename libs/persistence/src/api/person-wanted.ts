import { EFFECT_CONSEQUENCES, EFFECT_GATE, type EffectVerdictName, initialSnapshot, type Machine, openGate, stateOf } from '#engine'; // prettier-ignore
import type { Gate, WaitingFor } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import type { FiresAt } from './prisma-timers.js';
import { checksumView, hasEndedStatus, waitOf } from './project-row.js';

export type Parent = NonNullable<Gate['project']['parent']>;

/** A gate as its row has it; whether it was decided meanwhile stands in the inbox. */
type Asked = Omit<Gate, 'decided'>;
type Question = Pick<Gate, 'name' | 'kind' | 'ask' | 'why' | 'options' | 'consequences' | 'default' | 'answer'>;

/** What of a gate stands elsewhere than in the project's row. */
export interface GateSurroundings {
  readonly parent: Parent | null;
  readonly why: string | null;
  readonly firesAt: FiresAt;
  readonly openedAt: Date;
}

/** The names under which what is no gate of a machine is listed among the gates. */
const FAILED_STEP = 'failed-step';
const BAD_CHECKPOINT = 'bad-checkpoint';

/** What a project waits for a person with, and the call that answers it; null where it waits for nobody. */
export function gateOf(row: ProjectModel, machine: Machine | null, around: GateSurroundings): Asked | null {
  const question = hasEndedStatus(row.status) ? null : questionOf(row, machine, around);
  if (!question) return null;
  return {
    ...question,
    project: { id: row.id, name: row.name, parent: around.parent },
    openedAt: around.openedAt.toISOString(),
    checkpoint: { seq: row.version, checksum: checksumView(row.headChecksum) },
  };
}

function questionOf(row: ProjectModel, machine: Machine | null, around: GateSurroundings): Question | null {
  const wait = waitOf(row);
  switch (wait?.kind) {
    case 'checkpoint':
      return badCheckpoint(row, wait);
    case 'step-failed':
      return failedStep(row, wait, machine?.states[row.state]?.end !== undefined);
    case 'effect': {
      const ask = String(wait['question']);
      const options = (wait['options'] as EffectVerdictName[] | undefined) ?? ['repeat', 'done'];
      const consequences = Object.fromEntries(options.map((option) => [option, EFFECT_CONSEQUENCES[option]]));
      return { name: EFFECT_GATE, kind: 'effect', ask, why: null, consequences, default: null, ...answered(row, EFFECT_GATE, options) }; // prettier-ignore
    }
    default:
      return machine && gateOfState(row, machine, around);
  }
}

function gateOfState(row: ProjectModel, machine: Machine, { why, firesAt }: GateSurroundings): Question | null {
  const snapshot = { ...initialSnapshot(machine, {}), state: row.state };
  const gate = openGate(machine, snapshot);
  if (!gate) return null;
  const { name, ask, options, consequences = {}, default: words } = gate;
  const timer = stateOf(machine, snapshot)?.timer;
  const byItself = timer && {
    // A table that was kept before its gates had words for it still has the event's name.
    does: words ?? `It goes on by itself: ${timer.event}.`,
    at: firesAt(timer.event)?.toISOString() ?? null,
  };
  return { name, kind: 'gate', ask, why, consequences: { ...consequences }, default: byItself ?? null, ...answered(row, name, Object.keys(options)) }; // prettier-ignore
}

const answered = ({ id }: ProjectModel, gate: string, options: string[]): Pick<Question, 'options' | 'answer'> => ({
  options,
  answer: `POST /v1/projects/${id}/gates/${gate} {"decision": …}`,
});

const OF_FAILED_STEP: Readonly<Record<'RETRY' | 'ABORT', string>> = {
  RETRY: 'The step is tried again from where it failed.',
  ABORT: 'The project is given up, cleans up after itself and ends as aborted.',
};

/** What is at its end already cannot be given up any more. */
function failedStep({ id, state }: ProjectModel, { code, message }: WaitingFor, isEnding: boolean): Question {
  const options = isEnding ? (['RETRY'] as const) : (['RETRY', 'ABORT'] as const);
  const call = `POST /v1/projects/${id}/commands `;
  return {
    name: FAILED_STEP,
    kind: 'step-failed',
    ask: `The step ${state} failed with ${String(code)}: ${String(message)}. Try it again${isEnding ? '' : ', or give the project up'}?`,
    why: null,
    options: [...options],
    consequences: Object.fromEntries(options.map((option) => [option, OF_FAILED_STEP[option]])),
    default: null,
    answer: call + options.map((command) => `{"command": "${command}"}`).join(' or '),
  };
}

const badCheckpoint = ({ id }: ProjectModel, { seq, reason }: WaitingFor): Question => ({
  name: BAD_CHECKPOINT,
  kind: 'checkpoint',
  ask: `Checkpoint ${String(seq)} cannot be used: ${String(reason)}. Which earlier one shall the project go on from?`,
  why: null,
  options: ['restore'],
  consequences: {
    restore: 'State and files go back to the checkpoint you choose, and the project is paused until RESUME.',
  },
  default: null,
  answer: `POST /v1/projects/${id}/checkpoints/{seq}/restore with a good one of GET /v1/projects/${id}/checkpoints`,
});

import { EFFECT_GATE, initialSnapshot, type Machine, openGate } from '#engine';
import type { Gate, WaitingFor } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import { checksumView, hasEndedStatus, waitOf } from './project-row.js';

export type Parent = NonNullable<Gate['project']['parent']>;

type Question = Pick<Gate, 'name' | 'kind' | 'ask' | 'why' | 'options' | 'answer'>;

/** What of a gate stands elsewhere than in the project's row. */
export interface GateSurroundings {
  readonly parent: Parent | null;
  readonly why: string | null;
}

/** The names under which what is no gate of a machine is listed among the gates. */
export const FAILED_STEP = 'failed-step';
export const BAD_CHECKPOINT = 'bad-checkpoint';

/** What a project waits for a person with, and the call that answers it; null where it waits for nobody. */
export function gateOf(row: ProjectModel, machine: Machine | null, { parent, why }: GateSurroundings): Gate | null {
  const question = hasEndedStatus(row.status) ? null : questionOf(row, machine, why);
  if (!question) return null;
  return {
    ...question,
    project: { id: row.id, name: row.name, parent },
    checkpoint: { seq: row.version, checksum: checksumView(row.headChecksum) },
  };
}

function questionOf(row: ProjectModel, machine: Machine | null, why: string | null): Question | null {
  const wait = waitOf(row);
  switch (wait?.kind) {
    case 'checkpoint':
      return badCheckpoint(row, wait);
    case 'step-failed':
      return failedStep(row, wait, machine?.states[row.state]?.end !== undefined);
    case 'effect': {
      const ask = String(wait['question']);
      const options = (wait['options'] as string[] | undefined) ?? ['repeat', 'done'];
      return { name: EFFECT_GATE, kind: 'effect', ask, why: null, ...decided(row, EFFECT_GATE, options) };
    }
    default:
      return machine && gateOfState(row, machine, why);
  }
}

function gateOfState(row: ProjectModel, machine: Machine, why: string | null): Question | null {
  const gate = openGate(machine, { ...initialSnapshot(machine, {}), state: row.state });
  if (!gate) return null;
  return { name: gate.name, kind: 'gate', ask: gate.ask, why, ...decided(row, gate.name, Object.keys(gate.options)) };
}

const decided = ({ id }: ProjectModel, gate: string, options: string[]): Pick<Question, 'options' | 'answer'> => ({
  options,
  answer: `POST /v1/projects/${id}/gates/${gate} {"decision": …}`,
});

/** What is at its end already cannot be given up any more. */
function failedStep({ id, state }: ProjectModel, { code, message }: WaitingFor, isEnding: boolean): Question {
  const options = isEnding ? ['RETRY'] : ['RETRY', 'ABORT'];
  const call = `POST /v1/projects/${id}/commands `;
  return {
    name: FAILED_STEP,
    kind: 'step-failed',
    ask: `The step ${state} failed with ${String(code)}: ${String(message)}. Try it again${isEnding ? '' : ', or give the project up'}?`,
    why: null,
    options,
    answer: call + options.map((command) => `{"command": "${command}"}`).join(' or '),
  };
}

const badCheckpoint = ({ id }: ProjectModel, { seq, reason }: WaitingFor): Question => ({
  name: BAD_CHECKPOINT,
  kind: 'checkpoint',
  ask: `Checkpoint ${String(seq)} cannot be used: ${String(reason)}. Which earlier one shall the project go on from?`,
  why: null,
  options: ['restore'],
  answer: `POST /v1/projects/${id}/checkpoints/{seq}/restore with a good one of GET /v1/projects/${id}/checkpoints`,
});

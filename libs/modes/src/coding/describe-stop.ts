import type { AgentOutcome } from '#agents';
import type { ActivityContext } from '#engine';
import { type Block, overBudget } from '../shared/block.js';
import type { TriedAgent } from '../shared/run-persistently.js';
import { currentOf, scenariosOf } from './coding-context.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;
type Stopped = Extract<AgentOutcome, { kind: 'failed' | 'over-budget' }> & { readonly tried?: TriedAgent };

/** What stops an agent. The person who answers has to change it. */
export type StopKind = 'provider' | 'program' | 'work';

/** The agents that the service itself seats, and what each works on if that is not the task at hand. */
const ROLES: Readonly<Record<string, readonly [who: string, what?: string]>> = {
  implementer: ['implementer'],
  healer: ['healer'],
  checker: ['checker'],
  arbiter: ['arbiter'],
  inspector: ['inspector', 'the inspection of the result'],
  planner: ['planner', 'the plan'],
  'work-planner': ['planner', 'the plan'],
  'check-author': ['author of the checks', 'the checks'],
  'fix-reviewer': ['reviewer of the fix'],
  'mutant-maker': ['agent that tests the new tests', 'its task'],
  'acceptance-planner': ['planner of the acceptance', 'the scenarios'],
  'acceptance-tester': ['acceptance tester'],
  clarifier: ['agent that asks the questions', 'the questions'],
};

const LIMITS: Readonly<Record<string, string>> = {
  AGENT_ANSWER_CUT: 'its answers were too long and were cut',
  AGENT_OUTPUT_INVALID: 'its answer did not have the form that it was asked for',
  AGENT_SILENT: 'it ended without a word about its work',
  AGENT_DID_NOTHING: 'it said that it was done, but it had not called its model once',
  AGENT_FAILED: 'its program ended with an error',
  AGENT_KILLED: 'something outside ended its program',
  AGENT_TOO_MUCH_OUTPUT: 'it printed more than it may',
  AGENT_TOO_MUCH_MEMORY: 'it used more memory than it may',
  AGENT_TOO_MANY_PROCESSES: 'it started more processes than it may',
  AGENT_TOO_MUCH_DISK: 'it filled more of the disk than it may',
  AGENT_FILES_REFUSED: 'the files that it wrote cannot be kept',
  AGENT_TOUCHED_GIT: "it changed git's own files, which no agent may do",
  MODEL_REFUSED: 'its model refused the task',
  MODEL_CONTEXT_EXCEEDED: 'the task became larger than its model can read at once',
  MODEL_REQUEST_TOO_LARGE: 'the task became larger than its model can read at once',
};

const PROVIDER: Readonly<Record<string, string>> = {
  MODEL_BAD_KEY: 'the provider of its model refused the key',
  MODEL_KEY_REFUSED: 'the provider of its model refused the key',
  MODEL_FORBIDDEN: 'the provider of its model does not allow it',
  MODEL_QUOTA: 'the account at the provider of its model has no credit left',
  MODEL_UNREACHABLE: 'the provider of its model cannot be reached',
  MODEL_CONNECTION_LOST: 'the connection to the provider of its model broke',
  MODEL_TLS: 'there is no secure connection to the provider of its model',
  MODEL_BAD_REQUEST: 'the provider of its model refused what was sent',
  MODEL_UNKNOWN: 'the provider does not know its model',
};

const PROGRAM: Readonly<Record<string, string>> = {
  AGENT_UNAVAILABLE: 'its program cannot be started here',
  AGENT_MODEL_UNSUITABLE: 'its program cannot use any of its models',
};

/** By the code of an agent that did not finish. */
export function stopKindOf(code: string): StopKind {
  if (code in PROGRAM) return 'program';
  return code.startsWith('MODEL_') && !(code in LIMITS) ? 'provider' : 'work';
}

/** Whether an agent reads what a person says at a block: those that change files do. */
export const isToldAtBlock = (role: string | undefined): boolean =>
  role !== undefined && (role === 'implementer' || role === 'healer' || !(role in ROLES));

/** Why the work stops after an agent that did not finish, as a person reads it. */
export function describeStop(scene: Scene, outcome: Stopped): Block {
  if (outcome.kind === 'over-budget') return { cause: 'budget', message: overBudget(outcome.breaker) };
  const { code, message, said, tried } = outcome;
  const who = nameOf(tried?.role);
  const did = stopKindOf(code) === 'work' ? 'did not finish' : 'cannot work on';
  return {
    cause: 'agent',
    message: `${who} ${did} ${workOf(scene, tried?.role)}: ${describeEnd(code, message)}.${describeTries(tried)}`,
    code,
    ...(tried && { role: tried.role }),
    output: [`${code}: ${message}`, said].filter((text) => text !== '').join('\n'),
  };
}

function nameOf(role: string | undefined): string {
  if (role === undefined) return 'The agent';
  const [known] = ROLES[role] ?? [];
  return known === undefined ? `The agent ${role}` : `The ${known}`;
}

function workOf(scene: Scene, role = ''): string {
  const [, own] = ROLES[role] ?? [];
  if (own !== undefined) return own;
  const task =
    role === 'acceptance-tester' ? scenariosOf(scene).find(({ verdict }) => verdict === 'open') : currentOf(scene);
  if (task) return `${task.id} "${task.title.replaceAll(/\s+/g, ' ').slice(0, 200)}"`;
  return scene.project.machine === 'errand' ? 'the errand' : 'its task';
}

/** Why an agent ended, in plain words; its own message if there are none for the code. */
function describeEnd(code: string, message: string): string {
  if (code === 'AGENT_TURNS_EXHAUSTED') {
    const [, turns] = /(\d+)\s*$/.exec(message) ?? [];
    return `it used all of its ${turns === undefined ? '' : `${turns} `}turns`;
  }
  if (code === 'AGENT_TIMED_OUT') return `it was ${plain(message)}`;
  if (code === 'AGENT_IDLE') return plain(message);
  const known = LIMITS[code] ?? PROVIDER[code] ?? PROGRAM[code];
  if (known !== undefined) return known;
  return stopKindOf(code) === 'provider' ? 'no model answered it' : plain(message);
}

const plain = (message: string): string =>
  message
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
    .replace(/[.\s]+$/, '');

function describeTries(tried: TriedAgent | undefined): string {
  if (!tried) return '';
  const { times, tier } = tried;
  if (times === 1) return ` It was tried once, with the ${tier} model.`;
  return ` It was tried ${String(times)} times, last with the ${tier} model.`;
}

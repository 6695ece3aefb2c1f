import { secrets, silentTrace, systemClock } from '#kernel';
import { BudgetExceeded, clampWait, ModelError } from '#models';
import type { AgentOutcome, AgentRuntime, AgentScene, AgentTask } from '../agent.port.js';
import { noNotes } from '../notes/notes.port.js';
import { cleanText } from './bounded-text.js';
import { API_LIMITS, type ApiLimits } from './limits.js';
import type { ApiRuntimeParts } from './runtime-parts.js';
import { PatternMatcher } from './search/pattern-matcher.js';
import { ToolLoop } from './tool-loop.js';

/** Where a provider names no time at which it can be tried again. */
const USUAL_WAIT_MS = 60_000;

type Given = Pick<ApiRuntimeParts, 'desk' | 'worktrees' | 'sandbox'> &
  Partial<Omit<ApiRuntimeParts, 'limits' | 'matcher'>> & { readonly limits?: Partial<ApiLimits> };

/** Agents as a loop of ours: a model that calls tools on the worktree, turn by turn, each turn journalled. */
export function apiRuntime({ limits, ...given }: Given): AgentRuntime {
  const parts: ApiRuntimeParts = {
    placeOf: ({ folder }) => ({ writable: [folder] }),
    notes: noNotes,
    redactor: secrets,
    trace: silentTrace,
    clock: systemClock,
    epochMs: () => Date.now(),
    ...given,
    limits: { ...API_LIMITS, ...limits },
    matcher: new PatternMatcher(),
  };
  return {
    name: 'api',
    unavailable: async () =>
      process.platform === 'linux'
        ? null
        : 'The api runtime works on Linux only: run the worker there, or in a container.',
    run: (task, scene) => {
      const { role, purpose, attempt, tier, step, promptVersion: prompt = null } = task;
      const facts = { agent: role, runtime: 'api', purpose, prompt, attempt, tier, step };
      return parts.trace.within('agent', role, facts, async (note) => {
        const outcome = await outcomeOf(parts, task, scene);
        note({ outcome: outcome.kind, ...(outcome.kind === 'failed' && { errorCode: outcome.code }) });
        return outcome;
      });
    },
  };
}

async function outcomeOf(parts: ApiRuntimeParts, task: AgentTask, scene: AgentScene): Promise<AgentOutcome> {
  const loop = new ToolLoop(parts, task, scene);
  try {
    return await loop.run();
  } catch (error) {
    // Whoever interrupted it does not want an outcome.
    if (scene.activity.signal.aborted) throw error;
    if (error instanceof BudgetExceeded) return { kind: 'over-budget', breaker: { ...error.breaker }, ...loop.leaves };
    if (!(error instanceof ModelError)) throw error;
    if (error.remedy === 'wait') return waits(error, parts);
    return loop.fails(error.code, wordsOf(error));
  }
}

function waits(error: ModelError, { epochMs, redactor }: ApiRuntimeParts): AgentOutcome {
  const ms = error.resetAt === null ? USUAL_WAIT_MS : error.resetAt - epochMs();
  return {
    kind: 'waits',
    reason: error.code === 'MODEL_BUDGET_BUSY' ? 'budget-busy' : 'rate-limit',
    ms: Math.round(clampWait(ms)),
    words: cleanText(wordsOf(error), redactor),
  };
}

/** Our sentence, and the provider's own words where they say more. */
function wordsOf({ message, details }: ModelError): string {
  const { words } = details;
  return typeof words !== 'string' || words === '' || message.includes(words) ? message : `${message}: ${words}`;
}

import { type Clock, systemClock } from '#kernel';
import { ModelError, type ModelErrorFacts } from '../model-error.js';
import type { ChatAnswer, ChatListener, ChatRequest, ModelProvider } from '../model.port.js';
import { answerFrom } from './playbook-answer.js';
import { requestScope } from './request-scope.js';
import type { Playbook, PlaybookAnswer, PlaybookEntry } from './playbook.schema.js';

const NAME = 'playbook';

export interface PlaybookParts {
  readonly clock?: Clock;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** Answers from a playbook: a stand-in for a model that says the same every time. */
export function playbookProvider(
  playbook: Playbook,
  { clock = systemClock, now = Date.now }: PlaybookParts = {},
): ModelProvider {
  /** How often an answer has failed already, as it was told to. */
  const failures = new Map<PlaybookAnswer, number>();

  const failIfTold = (said: PlaybookAnswer): void => {
    const { rateLimit, error } = said;
    const before = failures.get(said) ?? 0;
    const limited = rateLimit?.times ?? 0;
    if (before >= limited + (error?.times ?? 0)) return;
    failures.set(said, before + 1);
    if (rateLimit && before < limited) {
      const resetAt = now() + rateLimit.seconds * 1_000;
      throw failed('MODEL_RATE_LIMITED', 'the playbook says: too many requests', { remedy: 'wait', resetAt });
    }
    throw failed('MODEL_SERVER_ERROR', `the playbook says: ${error?.words ?? ''}`, { remedy: 'retry' });
  };

  return {
    name: NAME,
    isSimulated: true,
    ...(playbook.requests && { scope: requestScope(playbook.requests) }),
    chat: async (request, listener) => {
      if (listener.signal.aborted) throw failed('MODEL_CANCELLED', 'the call was cancelled', { remedy: 'cancelled' });
      const turn = request.messages.filter(({ role }) => role === 'assistant').length;
      const said = answerTo(playbook, request, turn);
      failIfTold(said);
      const answer = answerFrom(said, request, turn);
      await say(answer, said.msPerToken, request, listener, clock);
      return answer;
    },
  };
}

function answerTo({ entries }: Playbook, { about, messages }: ChatRequest, turn: number): PlaybookAnswer {
  const [first] = messages;
  const question = first?.role === 'user' ? first.text : '';
  const fitting = entries.filter(
    (entry) => isFor(entry, about) && (entry.mentions === undefined || question.includes(entry.mentions)),
  );
  for (const { turns, always } of fitting) {
    const said = always ?? turns?.[turn];
    if (said) return said;
  }
  const { role, purpose, attempt, tier } = about;
  const asked = `role ${role}, purpose ${purpose}, attempt ${attempt}, tier ${tier ?? 'none'}, turn ${turn + 1}`;
  const why = fitting.length > 0 ? 'the entries for it have no such turn' : 'no entry is for it';
  throw failed('MODEL_PLAYBOOK_SILENT', `the playbook has no answer to ${asked}: ${why}`, { remedy: 'give-up' });
}

function isFor({ role, purpose, attempt, tier }: PlaybookEntry, about: ChatRequest['about']): boolean {
  return (
    matches(role, about.role) &&
    matches(purpose, about.purpose) &&
    matches(attempt, about.attempt) &&
    matches(tier, about.tier)
  );
}

function matches<T>(wanted: T | readonly T[] | '*', value: T | null): boolean {
  if (wanted === '*') return true;
  return Array.isArray(wanted) ? (wanted as readonly (T | null)[]).includes(value) : wanted === value;
}

/** As slowly as told. */
async function say(
  answer: ChatAnswer,
  msPerToken: number,
  { timeoutMs }: ChatRequest,
  { signal }: ChatListener,
  clock: Clock,
): Promise<void> {
  const takesMs = msPerToken * answer.usage.output;
  if (takesMs > 0) await clock.sleep(Math.min(takesMs, timeoutMs), signal);
  const billed = 'unknown';
  if (signal.aborted) throw failed('MODEL_CANCELLED', 'the call was cancelled', { remedy: 'cancelled', billed });
  if (takesMs > timeoutMs) {
    throw failed('MODEL_TIMEOUT', `the playbook was not done within ${timeoutMs} ms`, { remedy: 'retry', billed });
  }
}

function failed(
  code: string,
  words: string,
  facts: Partial<ModelErrorFacts> & Pick<ModelErrorFacts, 'remedy'>,
): ModelError {
  return new ModelError(code, words, { provider: NAME, words, billed: 'nothing', ...facts });
}

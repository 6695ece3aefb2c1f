import { BudgetExceeded, type ChatWish, type Message, ModelError } from '#models';
import type { ModelCall, Random, Reply } from '#testing';
import type { deskOn } from './cap-run.fixture.js';
import { aboutOf } from './ledger.fixture.js';

export interface Talk {
  readonly parts: ReturnType<typeof deskOn>;
  readonly projectId: string;
  /** Goes with every call: by it the model knows whose conversation it has in its cache. */
  readonly name: string;
  /** Bytes of what is said in each turn. */
  readonly said: () => number;
  readonly maxOutputTokens: number;
  /** Which of its calls is left behind once, as by a worker that died, and then repeated. */
  readonly diesAt?: number;
}

/** Goes on with one conversation, as the loop of an agent does, until the budget is over; resolves to its turns. */
export async function talkOn({ parts, projectId, name, said, maxOutputTokens, diesAt }: Talk): Promise<number> {
  const { desk, meter } = parts;
  const { signal } = new AbortController();
  const [first] = desk.candidates('small');
  if (!first) throw new Error('no model');
  const model = { provider: first.provider, model: first.model };
  const messages: Message[] = [{ role: 'user', text: 'x'.repeat(said()) }];
  let known: ChatWish['known'];
  for (let [nth, turns] = [0, 0]; ; nth += 1) {
    const effect = { key: `${name}/${String(nth)}`, run: 1 };
    const about = aboutOf(projectId, { agent: name, effect });
    const wish = { tier: 'small', system: name, messages: [...messages], tools: [], maxOutputTokens } as const;
    try {
      if (nth === diesAt) {
        const bound = { inputTokens: 1_000, outputTokens: maxOutputTokens };
        await meter.begin({ about, model, isSimulated: false, bound }, { ms: 5_000, signal });
        effect.run = 2;
      }
      const goesOn = { pinned: model, ...(known && { known }) };
      const answer = await desk.chat({ ...wish, ...goesOn, about, timeoutMs: 20_000, idleMs: 5_000 }, { signal });
      turns += 1;
      const { text, toolCalls, raw, usage } = answer;
      messages.push({ role: 'assistant', text, toolCalls, raw });
      const cached = usage.cacheRead + usage.cacheWrite;
      known = { messages: messages.length, tokens: usage.input + cached + usage.output, cached };
      messages.push({ role: 'user', text: 'x'.repeat(said()) });
    } catch (error) {
      if (error instanceof BudgetExceeded) return turns;
      if (!(error instanceof ModelError)) throw error;
    }
  }
}

export interface CachingModel {
  readonly random: Random;
  /** How often it has forgotten a conversation. */
  readonly misses: number;
  /** How often a call goes wrong in one of the ways in which providers do. */
  readonly faults: number;
}

/** Reads from its cache what it was sent before, and writes the rest to it. A token has four bytes. */
export function cachingModel({ random, misses, faults }: CachingModel): (call: ModelCall) => Reply {
  const held = new Map<string, number>();
  return ({ body }) => {
    const name = JSON.stringify(body['system']);
    const prompt = Math.ceil(JSON.stringify(body['messages']).length / 4);
    const cacheRead = random.chance(misses) ? 0 : Math.min(prompt, held.get(name) ?? 0);
    held.set(name, prompt);
    const output = random.below(Math.floor(Number(body['max_tokens']) / 4));
    const reply = { text: 'done', usage: { input: 3, output, cacheRead, cacheWrite: prompt - cacheRead } };
    if (!random.chance(faults)) return reply;
    return random.pick<Reply>([
      { fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
      { fault: { kind: 'status', status: 500 } },
      { ...reply, fault: { kind: 'cut', afterEvents: 3 } },
      { ...reply, fault: { kind: 'lost' } },
      { ...reply, fault: { kind: 'reset', afterEvents: 2 } },
    ]);
  };
}

import type { ProjectStore, WakeUpQueue, WorkerStore } from '#engine';
import { WorldError } from '#kernel';
import type { Random } from './random.js';
import type { Scheduler, SimProcess } from './scheduler.js';

export interface Faults {
  /** How likely a call fails before it reaches the store. */
  readonly away: number;
  /** How likely the answer of a call that was done is lost. */
  readonly answerLost: number;
  readonly wakeUpLost: number;
  readonly wakeUpDoubled: number;
}

/** A store as one process reaches it over a bad line: every call can fail before, and be lost after. */
export function overBadLine<T extends ProjectStore | WorkerStore>(
  store: T,
  line: { scheduler: Scheduler; owner: SimProcess; random: Random; faults: Faults },
): T {
  const { scheduler, owner, random, faults } = line;
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name, target) as unknown;
      // Answered from memory, without a call.
      if (typeof method !== 'function' || name === 'headChecksum') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        await scheduler.step(owner);
        if (random.chance(faults.away)) throw new WorldError('STORE_AWAY', 'simulated: the store is away');
        const answer = await (method as (...a: unknown[]) => Promise<unknown>).apply(target, args);
        await scheduler.step(owner);
        if (random.chance(faults.answerLost)) throw new WorldError('ANSWER_LOST', 'simulated: the answer was lost');
        return answer;
      };
    },
  });
}

/** The queue between workers: loses, doubles and reorders. */
export class SimQueue {
  readonly waiting: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly faults: Faults,
  ) {}

  seenBy(scheduler: Scheduler, owner: SimProcess): WakeUpQueue {
    return {
      wake: async (wakeUps) => {
        await scheduler.step(owner);
        for (const { projectId } of wakeUps) {
          if (this.random.chance(this.faults.wakeUpLost)) continue;
          this.waiting.push(projectId);
          if (this.random.chance(this.faults.wakeUpDoubled)) this.waiting.push(projectId);
        }
      },
    };
  }

  take(): string | undefined {
    return this.waiting.splice(this.random.below(this.waiting.length), 1)[0];
  }
}

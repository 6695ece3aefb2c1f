import { setTimeout as delay } from 'node:timers/promises';
import { newId, silentTrace, systemClock } from '#kernel';
import {
  type ChatAnswer, type ChatWish, type Ledger, Meter, MeteringDesk, type ModelProvider, openPriceBook, worstPriceOf,
} from '#models'; // prettier-ignore
import { type Database, openPool, PgLedger } from '#persistence';
import { withServer } from './bench-database.js';
import { atMost, type Bench, beside } from './figure.js';
import { heldProject, NO_CAPS } from './held-project.js';
import { median } from './stats.js';

const WARM_UP_MS = 1_500;
const SLICE_MS = 1_000;
const ROUNDS = 5;
const PARALLEL = 32;
/** Agents at work on one project. */
const TEAM = 8;
/** Quicker than models are. */
const QUICK_MS = 20;
const MODEL = { provider: 'instant', model: 'instant' };

const ANSWER: ChatAnswer = {
  id: 'a', model: 'instant', text: 'done', toolCalls: [], stop: 'end', raw: null,
  usage: { input: 900, output: 90, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
}; // prettier-ignore

/** Answering at once, all that a call takes is what surrounds it. */
const answering = (afterMs: number): ModelProvider => ({
  name: MODEL.provider,
  isSimulated: false,
  chat: () => (afterMs === 0 ? Promise.resolve(ANSWER) : delay(afterMs, ANSWER)),
});

/** As if there were no ledger. */
const noLedger: Ledger = {
  reserve: ({ id }) => Promise.resolve({ kind: 'reserved', callId: id }),
  settle: () => Promise.resolve(),
  changed: () => Promise.resolve(),
};

/**
 * What reserving and settling add to a call of a model: for one caller whose model answers at once, and for a team that
 * shares one budget and a model faster than any. Beside: how it is for a crowd whose models answer at once, which asks
 * as fast as the machine can answer.
 */
export const ledger: Bench = {
  name: 'ledger',
  run: () =>
    withServer(async (newDatabase) => {
      const pool = openPool({ url: await newDatabase(), max: 6, name: 'bench', onError: () => undefined });
      try {
        const projectId = await heldProject(pool);
        const real = new PgLedger(pool, { clock: systemClock, defaults: NO_CAPS });
        const desks = (afterMs: number) => ({ metered: deskOn(real, afterMs), bare: deskOn(noLedger, afterMs) });
        await pool.query('CREATE TABLE raw (n int)');
        const scene = { pool, projectId, warm: deskOn(real, 0) };
        const alone = await inTurns({ ...scene, ...desks(0) }, 'ledger.added.p50.1', 1);
        const team = await inTurns({ ...scene, ...desks(QUICK_MS) }, `ledger.added.p50.${String(TEAM)}`, TEAM);
        const crowd = await inTurns(
          { ...scene, ...desks(0) },
          `ledger.added.p50.${String(PARALLEL)}-instant`,
          PARALLEL,
        );
        return [atMost(alone, 'value', 2), atMost(team, 'value', 2), beside(crowd)];
      } finally {
        await pool.end();
      }
    }),
};

interface Scene {
  readonly pool: Database;
  readonly projectId: string;
  readonly metered: MeteringDesk;
  readonly bare: MeteringDesk;
  readonly warm: MeteringDesk;
}

async function inTurns({ pool, projectId, metered, bare, warm }: Scene, name: string, callers: number) {
  // Many callers also here: a ledger with next to nothing in it is read in another way.
  await timesOf(projectId, warm, PARALLEL, WARM_UP_MS);
  const medians = { metered: [] as number[], bare: [] as number[], raw: [] as number[] };
  let calls = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    medians.bare.push(median(await timesOf(projectId, bare, callers, SLICE_MS / 4)));
    const times = await timesOf(projectId, metered, callers, SLICE_MS);
    medians.metered.push(median(times));
    calls += times.length;
    medians.raw.push(median(await rawCommits(pool, SLICE_MS / 4)));
  }
  const [withLedger, without] = [median(medians.metered), median(medians.bare)];
  const perSecond = Math.round((calls * 1_000) / (ROUNDS * SLICE_MS));
  const took = `a call took ${withLedger.toFixed(2)} ms with and ${without.toFixed(2)} ms without the ledger`;
  const commit = `one raw commit ${median(medians.raw).toFixed(2)} ms`;
  const note = `${String(callers)} parallel on one budget: ${took}, ${commit}; ${String(perSecond)} calls/s`;
  return { name, value: withLedger - without, unit: 'ms', note };
}

/** A call waits for two commits: how long one takes here and now says what of it is the disk. */
async function rawCommits(pool: Database, ms: number): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + ms; performance.now() < until;) {
    const began = performance.now();
    await pool.query({ name: 'raw', text: 'INSERT INTO raw VALUES ($1)', values: [1] });
    times.push(performance.now() - began);
  }
  return times;
}

async function timesOf(projectId: string, desk: MeteringDesk, callers: number, ms: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  const { signal } = new AbortController();
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await desk.chat(wishOf(projectId), { signal });
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return times;
}

function deskOn(on: Ledger, afterMs: number): MeteringDesk {
  const [clock, trace, prices] = [systemClock, silentTrace, openPriceBook(null)];
  const meter = new Meter({
    ledger: on,
    prices,
    clock,
    trace,
    worstPrice: worstPriceOf({ input: '15', output: '75' }),
  });
  const tiers = { small: [MODEL], medium: [], large: [] };
  const providers = new Map([[MODEL.provider, answering(afterMs)]]);
  return new MeteringDesk({ providers, tiers, prices, meter, clock, trace });
}

const wishOf = (projectId: string): ChatWish => ({
  tier: 'small',
  system: 'You are measured.',
  messages: [{ role: 'user', text: 'x'.repeat(2_000) }],
  tools: [],
  maxOutputTokens: 1_000,
  timeoutMs: 60_000,
  idleMs: 60_000,
  about: {
    lease: { projectId, workerId: 'bench', epoch: 1 },
    state: 'WORKING',
    agent: 'coder',
    purpose: 'bench',
    attempt: 1,
    tier: 'small',
    effect: { key: newId(), run: 1 },
  },
});

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
/** Quicker than models are, and like theirs never twice the same: calls that all end in one instant are none of theirs. */
const QUICK_MS = 20;
const SPREAD = 0.5;
const MODEL = { provider: 'instant', model: 'instant' };

const ANSWER: ChatAnswer = {
  id: 'a', model: 'instant', text: 'done', toolCalls: [], stop: 'end', raw: null,
  usage: { input: 900, output: 90, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
}; // prettier-ignore

/** Knows how long its last answer took: the rest of a call is what surrounds it. */
class Answering implements ModelProvider {
  readonly name = MODEL.provider;
  readonly isSimulated = false;
  lastMs = 0;

  constructor(private readonly aboutMs: number) {}

  async chat(): Promise<ChatAnswer> {
    if (this.aboutMs === 0) return ANSWER;
    const began = performance.now();
    await delay(this.aboutMs * (1 + SPREAD * (Math.random() - 0.5)));
    this.lastMs = performance.now() - began;
    return ANSWER;
  }
}

/** As if there were no ledger. */
const noLedger: Ledger = {
  reserve: ({ id }) => Promise.resolve({ kind: 'reserved', callId: id }),
  settle: () => Promise.resolve(),
  changed: () => Promise.resolve(),
};

/**
 * What reserving and settling add to a call of a model: for one caller whose model answers at once, and for a team and a
 * crowd that share one budget and a model faster than any. Beside: how it is for a crowd whose models answer at once,
 * which asks as fast as the machine can answer.
 */
export const ledger: Bench = {
  name: 'ledger',
  run: () =>
    withServer(async (newDatabase) => {
      const pool = openPool({ url: await newDatabase(), max: 6, name: 'bench', onError: () => undefined });
      try {
        const projectId = await heldProject(pool);
        const real = new PgLedger(pool, { clock: systemClock, defaults: NO_CAPS });
        await pool.query('CREATE TABLE raw (n int)');
        const scene = (aboutMs: number): Scene => ({ pool, projectId, real, aboutMs });
        const alone = await inTurns(scene(0), 'ledger.added.p50.1', 1);
        const team = await inTurns(scene(QUICK_MS), `ledger.added.p50.${String(TEAM)}`, TEAM);
        const name = `ledger.added.p50.${String(PARALLEL)}`;
        const crowd = await inTurns(scene(QUICK_MS), name, PARALLEL);
        const rush = await inTurns(scene(0), `${name}-instant`, PARALLEL);
        return [...[alone, team, crowd].map((one) => atMost(one, 'value', 2)), beside(rush)];
      } finally {
        await pool.end();
      }
    }),
};

interface Scene {
  readonly pool: Database;
  readonly projectId: string;
  readonly real: Ledger;
  readonly aboutMs: number;
}

async function inTurns({ pool, projectId, real, aboutMs }: Scene, name: string, callers: number) {
  const timesOn = (on: Ledger, ms: number) => aroundCalls(projectId, { on, aboutMs, callers, ms });
  // Many callers also here: a ledger with next to nothing in it is read in another way.
  await aroundCalls(projectId, { on: real, aboutMs: 0, callers: PARALLEL, ms: WARM_UP_MS });
  const medians = { metered: [] as number[], bare: [] as number[], raw: [] as number[] };
  let calls = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    medians.bare.push(median(await timesOn(noLedger, SLICE_MS / 4)));
    const times = await timesOn(real, SLICE_MS);
    medians.metered.push(median(times));
    calls += times.length;
    medians.raw.push(median(await rawCommits(pool, SLICE_MS / 4)));
  }
  const [withLedger, without] = [median(medians.metered), median(medians.bare)];
  const perSecond = Math.round((calls * 1_000) / (ROUNDS * SLICE_MS));
  const took = `around its model a call took ${withLedger.toFixed(2)} ms with and ${without.toFixed(2)} ms without the ledger`;
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

interface Crowd {
  readonly on: Ledger;
  readonly aboutMs: number;
  readonly callers: number;
  readonly ms: number;
}

/** What each call took, its model aside. */
async function aroundCalls(projectId: string, { on, aboutMs, callers, ms }: Crowd): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  const { signal } = new AbortController();
  const caller = async (): Promise<void> => {
    const model = new Answering(aboutMs);
    const desk = deskOn(on, model);
    while (performance.now() < until) {
      const began = performance.now();
      await desk.chat(wishOf(projectId), { signal });
      times.push(performance.now() - began - model.lastMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return times;
}

function deskOn(on: Ledger, model: ModelProvider): MeteringDesk {
  const [clock, trace, prices] = [systemClock, silentTrace, openPriceBook(null)];
  const meter = new Meter({
    ledger: on,
    prices,
    clock,
    trace,
    worstPrice: worstPriceOf({ input: '15', output: '75' }),
  });
  const tiers = { small: [MODEL], medium: [], large: [] };
  const providers = new Map([[MODEL.provider, model]]);
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
    prompt: null,
    attempt: 1,
    tier: 'small',
    effect: { key: newId(), run: 1 },
  },
});

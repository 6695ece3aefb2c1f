import { randomBytes } from 'node:crypto';
import { type JsonObject } from '#kernel';
import { openPool } from '#persistence';
import { eventually } from '#testing';
import type pg from 'pg';
import { withClient, withServer } from './bench-database.js';
import { benchWorker, whileDriving } from './bench-worker.js';
import { countingProxy, type CountingProxy } from './counting-proxy.js';
import { atMost, beside, type Bench, type Figure } from './figure.js';
import { median } from './stats.js';
import { stepMachine } from './step-machine.js';
import { createProjects } from './step-projects.js';

const CHANGED_BYTES = 1_024;
const LIMIT_BYTES = 1.2 * CHANGED_BYTES + 1.5 * 1_024;
/** "The same" at both transitions: numbers such as the version grow by a few digits. */
const SAME = 1.02;
const SIZES = { '1KB': 1_024, '100KB': 100 * 1_024, '1MB': 1_024 * 1_024 };
/** The rest of the state lies in this many keys, none of which changes. */
const STEADY_KEYS = 8;
const EARLY = 10;
const LATE = 1_000;
const WINDOW = 9;

interface Reading {
  readonly sent: number;
  readonly wal: number;
}

/** What one transition of a large state sends to the database: the change, not the state, and always the same. */
export const bytes: Bench = {
  name: 'bytes',
  run: () =>
    withServer(async (newDatabase) => {
      const figures: Figure[] = [];
      for (const [size, stateBytes] of Object.entries(SIZES)) {
        figures.push(...(await measure(await newDatabase(), size, stateBytes)));
      }
      return figures;
    }),
};

async function measure(url: string, size: string, stateBytes: number): Promise<Figure[]> {
  const proxy = await countingProxy(url);
  try {
    const readings = await withClient(url, (observer) => readingsPerStep(proxy, observer, stateBytes));
    const [early, late] = [EARLY, LATE].map((from) => typical(readings, from));
    if (!early || !late) throw new Error('a transition was not measured');
    const unit = 'bytes';
    const name = `bytes.${size}-state`;
    return [
      atMost(
        { name: `${name}.at-${String(EARLY)}`, value: early.sent, unit, baseline: CHANGED_BYTES },
        'value',
        LIMIT_BYTES,
      ),
      atMost(
        { name: `${name}.at-${String(LATE)}`, value: late.sent, unit, baseline: CHANGED_BYTES },
        'value',
        LIMIT_BYTES,
      ),
      atMost({ name: `${name}.growth`, value: late.sent, unit, baseline: early.sent }, 'ratio', SAME),
      beside({
        name: `${name}.wal`,
        value: late.wal,
        unit,
        baseline: early.wal,
        note: 'write-ahead log; baseline: early',
      }),
    ];
  } finally {
    await proxy.close();
  }
}

/** Counters at the start of each observed step; the difference of two neighbours is one transition. */
async function readingsPerStep(
  proxy: CountingProxy,
  observer: pg.Client,
  stateBytes: number,
): Promise<Map<number, Reading>> {
  const readings = new Map<number, Reading>();
  const isObserved = (step: number): boolean => [EARLY, LATE].some((from) => step >= from && step <= from + WINDOW);
  const machine = stepMachine(async (_project, step) => {
    if (isObserved(step)) readings.set(step, { sent: proxy.sentBytes, wal: await walPosition(observer) });
    return text(CHANGED_BYTES);
  });
  const pool = openPool({ url: proxy.url, max: 2, name: 'bench', onError: () => undefined });
  try {
    const projects = await createProjects(pool, machine, 1, stateOf(stateBytes));
    const worker = benchWorker(pool, machine, () => undefined);
    const lastSeen = (): boolean => readings.has(LATE + WINDOW);
    await whileDriving(worker, projects, () => eventually('the last step', lastSeen, { deadlineMs: 120_000 }));
  } finally {
    await pool.end();
  }
  return readings;
}

async function walPosition(observer: pg.Client): Promise<number> {
  const { rows } = await observer.query<{ bytes: string }>(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes`);
  return Number(rows[0]?.bytes);
}

/** The median over a few neighbours: heartbeats and the like also pass now and then. */
function typical(readings: ReadonlyMap<number, Reading>, from: number): Reading {
  const differences = Array.from({ length: WINDOW }, (_, nth): Reading => {
    const [one, next] = [readings.get(from + nth), readings.get(from + nth + 1)];
    if (!one || !next) throw new Error(`step ${String(from + nth)} was not measured`);
    return { sent: next.sent - one.sent, wal: next.wal - one.wal };
  });
  return { sent: median(differences.map(({ sent }) => sent)), wal: median(differences.map(({ wal }) => wal)) };
}

function stateOf(stateBytes: number): JsonObject {
  const steadyBytes = Math.floor((stateBytes - CHANGED_BYTES) / STEADY_KEYS);
  const steady =
    steadyBytes > 0 ? Array.from({ length: STEADY_KEYS }, (_, n) => [`part-${String(n)}`, text(steadyBytes)]) : [];
  return { ...Object.fromEntries(steady), progress: text(CHANGED_BYTES) } as JsonObject;
}

/** Text that no compression makes smaller than it is; with its quotes exactly this many bytes of JSON. */
const text = (jsonBytes: number): string =>
  randomBytes(jsonBytes)
    .toString('base64')
    .slice(0, jsonBytes - 2);

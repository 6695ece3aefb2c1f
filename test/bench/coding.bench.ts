import { CodingWorld, type Started } from './coding-world.js';
import { atMost, type Bench, beside, type Figure } from './figure.js';
import { greeterTeam, makeGreeter, requestOf } from './greeter.js';
import { cpuSeconds } from './process-cpu.js';
import { residentMegabytes } from './service.js';
import { median, percentile } from './stats.js';

const ROUNDS = 5;
const ONE_LATENCY_MS = 1_000;
const PROJECTS = 100;
const HUNDRED_LATENCY_MS = 2_000;
const LOOK_MS = 200;

/** A hundred projects with five reviewers each are more than a worker drives at once by default. */
const ROOM_FOR_ALL = { QRALPH_MAX_ACTIVE: String(PROJECTS * 10) };

let requests = 0;
const nextRequest = (): string => requestOf((requests += 1));

/** One project against what it has to wait for in any case: a provider that keeps each call for the same time. */
export const codingOverhead: Bench = {
  name: 'coding.overhead',
  run: () =>
    inWorld(ONE_LATENCY_MS, async (world) => {
      await carriedOut(world);
      const runs: { path: number; ms: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) runs.push(await carriedOut(world));
      const value = median(runs.map(({ ms }) => ms)) / 1_000;
      const baseline = median(runs.map(({ path }) => path)) / 1_000;
      const note = `5 reviewers, 2 tasks, 1 scenario; median of ${String(ROUNDS)}; baseline: the time in which a model call or a sandboxed command was under way, overlaps counted once`;
      return [atMost({ name: 'coding.overhead', value, unit: 's', baseline, note }, 'ratio', 1.1)];
    }),
};

/** A hundred such projects at once beside one alone, on one process. */
export const codingHundred: Bench = {
  name: 'coding.hundred',
  run: () =>
    inWorld(
      HUNDRED_LATENCY_MS,
      async (world) => {
        await carriedOut(world);
        const alone = await carriedOut(world);
        const { pid } = world.service;
        const [idle, cpu] = [residentMegabytes(pid), cpuSeconds(pid)];
        let peak = idle;
        const look = setInterval(() => (peak = Math.max(peak, residentMegabytes(pid))), LOOK_MS);
        try {
          const times = await allOf(world);
          return figures({ times, alone: alone.ms, cpu: cpuSeconds(pid) - cpu, megabytes: peak - idle });
        } finally {
          clearInterval(look);
        }
      },
      ROOM_FOR_ALL,
    ),
};

interface Measured {
  readonly times: readonly number[];
  readonly alone: number;
  readonly cpu: number;
  readonly megabytes: number;
}

function figures({ times, alone, cpu, megabytes }: Measured): Figure[] {
  const note = `${String(times.length)} projects at once, all completed; baseline: one alone in the same run`;
  const [value, baseline] = [percentile(times, 0.95) / 1_000, alone / 1_000];
  const memory = 'resident set of the service at its peak over the idle one, for each project at work';
  const seconds = 'the service, its Postgres and all commands, for each project';
  return [
    atMost({ name: 'coding.hundred.p95', value, unit: 's', baseline, note }, 'ratio', 2),
    beside({ name: 'coding.hundred.cpu', value: cpu / times.length, unit: 's', note: seconds }),
    atMost({ name: 'coding.hundred.memory', value: megabytes / times.length, unit: 'MB', note: memory }, 'value', 4),
  ];
}

async function allOf(world: CodingWorld): Promise<number[]> {
  const started: Started[] = [];
  for (const repo of Array.from({ length: PROJECTS }, () => makeGreeter(world.folder.path))) {
    started.push(await world.start(nextRequest(), repo));
  }
  const times: number[] = [];
  // One after the other: when each ended it says itself, and a hundred that ask are a load of their own.
  for (const one of started) times.push((await ended(world, one)).ms);
  return times;
}

const carriedOut = async (world: CodingWorld): Promise<{ ms: number; path: number }> =>
  ended(world, await world.start(nextRequest(), makeGreeter(world.folder.path)));

async function ended(world: CodingWorld, started: Started): Promise<{ ms: number; path: number }> {
  const { project, ms } = await world.endOf(started);
  if (project.status !== 'completed') throw new Error(`${project.id} is ${project.status} in ${project.state}`);
  return { ms, path: await world.outsideMs(started) };
}

async function inWorld(
  latencyMs: number,
  measure: (world: CodingWorld) => Promise<Figure[]>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Figure[]> {
  const world = await CodingWorld.open(greeterTeam, latencyMs, settings);
  try {
    return await measure(world);
  } finally {
    await world.close();
  }
}

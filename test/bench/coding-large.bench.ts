import { join } from 'node:path';
import type { ProjectEvent } from '#contracts';
import { tempFolder } from '#testing';
import { CodingWorld } from './coding-world.js';
import { atMost, type Bench, beside, type Figure } from './figure.js';
import { largeTeam, makeLargeRepository, REQUEST, SLOW_TESTS } from './large-repository.js';
import { gitIn, MANY_FILES } from './many-files.js';

const LATENCY_MS = 1_000;
const MOST_OVERHEAD = 1.25;
const MOST_PREPARATION = 1.5;
/** Before the first change, and on the result. */
const MOST_WHOLE_RUNS = 2;

/** One bug fix in a repository of 20,000 files whose suite takes 20 s, from the order to its end. */
export const codingLarge: Bench = {
  name: 'coding.large',
  run: async () => {
    const folder = tempFolder('bench-coding-large');
    // Before the service is there: git keeps this thread so long that connections would time out.
    const repo = makeLargeRepository(folder.path);
    // The first one fills the caches of the machine.
    timeWorktreeAdd(repo, join(folder.path, 'first'));
    const addMs = timeWorktreeAdd(repo, join(folder.path, 'second'));
    const world = await CodingWorld.open(largeTeam, LATENCY_MS, {}, folder);
    try {
      return await measure(world, repo, addMs);
    } finally {
      await world.close();
    }
  },
};

async function measure(world: CodingWorld, repo: string, addMs: number): Promise<Figure[]> {
  const started = await world.start(REQUEST, repo);
  const { project, ms } = await world.endOf(started);
  if (project.status !== 'completed') throw new Error(`${project.id} is ${project.status} in ${project.state}`);
  const pathMs = await world.outsideMs(started);
  const events = await world.events(started);
  const whole = `${String(MANY_FILES)} files, a suite of ${String(SLOW_TESTS)} s, one step; baseline: the time in which a model call or a sandboxed command was under way`;
  return [
    atMost(
      { name: 'coding.large.overhead', value: ms / 1_000, unit: 's', baseline: pathMs / 1_000, note: whole },
      'ratio',
      MOST_OVERHEAD,
    ),
    beside({ name: 'coding.large.service', value: (ms - pathMs) / 1_000, unit: 's', note: 'the rest of it' }),
    atMost(
      { name: 'coding.large.whole-suite-runs', value: countWholeRuns(events), unit: 'runs' },
      'value',
      MOST_WHOLE_RUNS,
    ),
    atMost(
      {
        name: 'coding.large.clean-room',
        value: baselineMs(events),
        unit: 'ms',
        baseline: addMs,
        note: 'until the first command of the baseline starts in the clean room; baseline: git worktree add',
      },
      'ratio',
      MOST_PREPARATION,
    ),
  ];
}

function timeWorktreeAdd(repo: string, folder: string): number {
  const git = gitIn(repo);
  const since = performance.now();
  git('worktree', 'add', '-q', '--detach', folder);
  const ms = performance.now() - since;
  git('worktree', 'remove', '--force', folder);
  return ms;
}

const countWholeRuns = (events: readonly ProjectEvent[]): number =>
  events.filter(({ type, data }) => type === 'workspace.verified' && Number(data['passed']) >= SLOW_TESTS).length;

/** What the effect of the baseline took, without its commands. */
function baselineMs(events: readonly ProjectEvent[]): number {
  const at = (type: string): number => {
    const found = events.find((one) => one.type === type && JSON.stringify(one.data['key']).endsWith('/baseline"'));
    if (!found) throw new Error(`the baseline has no event ${type}`);
    return Date.parse(found.at);
  };
  const told = events.find(({ type, data }) => type === 'workspace.verified' && data['step'] === 'baseline');
  return at('effect.finished') - at('effect.started') - Number(told?.data['ms']);
}

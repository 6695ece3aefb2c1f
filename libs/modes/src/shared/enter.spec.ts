import { describe, expect, it } from 'vitest';
import type { ActivityContext } from '#engine';
import type { Json, JsonObject } from '#kernel';
import type { SetupResult } from '#workspace';
import { enter, enterSetUp } from './enter.js';
import type { WorkParts } from './work-parts.js';

const DONE = { status: 'done', copied: [], broughtIn: [], commands: [] } as unknown as SetupResult;
const FAILED = { status: 'failed', reason: 'no compiler', output: '' } as unknown as SetupResult;

/** A visit whose journal outlives its worktree. */
class Visit {
  readonly journal = new Map<string, Json>();
  hasDependencies = false;
  setUps = 0;

  constructor(
    private readonly result: SetupResult,
    private readonly keeps = true,
  ) {}

  enter(): ReturnType<typeof enterSetUp> {
    const workshop = {
      enter: async () => ({ folder: '/worktree' }),
      isSetUp: async () => this.hasDependencies,
      setUp: async () => {
        this.setUps += 1;
        this.hasDependencies = this.keeps && this.result.status === 'done';
        return this.result;
      },
    };
    const effect = async ({ step, run }: { step: string; run: (run: { tell(): void }) => Promise<Json> }) => {
      const known = this.journal.get(step);
      if (known !== undefined) return known;
      const outcome = await run({ tell: () => undefined });
      this.journal.set(step, outcome);
      return outcome;
    };
    const activity = { context: { order: {} }, effect, project: {}, signal: new AbortController().signal };
    return enterSetUp({ workshop } as unknown as WorkParts, activity as unknown as ActivityContext);
  }
}

describe('whoever works in a worktree', () => {
  it('finds it set up, once', async () => {
    const visit = new Visit(DONE);
    for (let time = 0; time < 3; time += 1) expect(await visit.enter()).toMatchObject({ failed: null });
    expect(visit.setUps).toBe(1);
  });

  it('finds it set up again when it was lost in the same visit, as often as that happens', async () => {
    const visit = new Visit(DONE);
    for (let loss = 0; loss < 3; loss += 1) {
      visit.hasDependencies = false;
      expect(await visit.enter()).toMatchObject({ failed: null });
    }
    expect(visit.setUps).toBe(3);
    expect([...visit.journal.keys()]).toEqual(['set-up', 'set-up/2', 'set-up/3']);
  });

  it('is told of a set-up that failed', async () => {
    expect(await new Visit(FAILED).enter()).toMatchObject({ failed: { reason: 'no compiler' } });
  });

  it('does not try for ever where nothing stays', async () => {
    await expect(new Visit(DONE, false).enter()).rejects.toMatchObject({ code: 'SETUP_LOST' });
  });
});

describe('whoever enters a worktree whose restore was cut off', () => {
  const entered = async (undone: readonly string[]): Promise<readonly (readonly [string, JsonObject] | string)[]> => {
    const told: (readonly [string, JsonObject] | string)[] = [];
    const workshop = {
      enter: async () => ({ folder: '/worktree', undone }),
      undoneTold: async () => void told.push('told'),
    };
    const tell = (type: string, data: JsonObject): void => void told.push([type, data]);
    const effect = ({ run }: { run: (run: { tell: typeof tell }) => Promise<Json> }) => run({ tell });
    const activity = { context: {}, effect, project: {}, incarnation: 1, signal: new AbortController().signal };
    const worktree = await enter({ workshop } as unknown as WorkParts, activity as unknown as ActivityContext);
    expect(worktree).toEqual({ folder: '/worktree' });
    return told;
  };

  it('tells that it was taken back, and where what was changed meanwhile is, before that is forgotten', async () => {
    expect(await entered(['c0ffee'])).toEqual([['restore.undone', { kept: 'c0ffee' }], 'told']);
    expect(await entered([])).toEqual([['restore.undone', {}], 'told']);
  });
});

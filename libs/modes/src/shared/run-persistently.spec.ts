import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentRuntime, AgentScene } from '#agents';
import type { Json } from '#kernel';
import { AgentStage, sampleTask } from '#testing';
import { fakeParts } from '../coding/coding.fixture.js';
import { runPersistently } from './run-persistently.js';

const worktree = { projectId: 'p', repo: '/r', folder: '/w', branch: 'b', baseCommit: 'start' };

/** An agent that runs out of turns twice. Each try is one effect that moves the worktree from commit to commit. */
function openWorld() {
  let files = 'start';
  const started: string[] = [];
  const runtime: AgentRuntime = {
    name: 'fake',
    unavailable: async () => null,
    run: async ({ step, prompt, tier }, { activity, startCommit }: AgentScene) => {
      const outcome = await activity.effect<Json>({
        step: `${step}/run`,
        settle: { kind: 'repeat' },
        run: async () => {
          started.push(`${tier} from ${startCommit} in ${files}: ${String(prompt.includes('Continue earlier work'))}`);
          files = `${startCommit}+`;
          const left = { commit: files, isSimulated: false };
          const isDone = step.endsWith('/3');
          return isDone
            ? { kind: 'finished', text: 'done', output: null, promise: null, turns: 1, ...left }
            : { kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED', message: 'm', said: 'half', ...left };
        },
      });
      return outcome as AgentOutcome;
    },
  };
  const { parts } = fakeParts();
  const worktrees = {
    ...parts.worktrees,
    diff: () => Promise.resolve({ patch: '', isCut: false, files: [] }),
    reset: (_worktree: object, commit: string) => {
      files = commit;
      return Promise.resolve();
    },
  };
  const persistent: AgentRuntime = {
    ...runtime,
    run: (task, scene) => runPersistently({ ...parts, worktrees }, runtime, task, scene),
  };
  const stage = new AgentStage(persistent, sampleTask({ tier: 'small' }), { worktree, startCommit: 'start' });
  return { stage, started, filesNow: () => files };
}

const TRIES = [
  'small from start in start: false',
  'small from start+ in start+: true',
  'medium from start++ in start++: true',
];

describe('a task that is continued', () => {
  it('has each try start from the files that the last one left', async () => {
    const { stage, started } = openWorld();
    await stage.drive();
    expect(started).toEqual(TRIES);
    expect(stage.outcome).toMatchObject({ kind: 'finished', commit: 'start+++' });
  });

  it('comes to the same end wherever its worker dies, and tells of each try once', async () => {
    for (let death = 1; death <= 20; death += 1) {
      const { stage, started, filesNow } = openWorld();
      await stage.drive(death);
      await stage.drive();
      expect(stage.outcome).toMatchObject({ kind: 'finished', commit: 'start+++' });
      expect(filesNow()).toBe('start+++');
      // A try whose outcome was not written is repeated; one that is in the journal never is.
      const repeated = started.filter((one, nth) => one === started[nth - 1]);
      expect(repeated.length).toBeLessThanOrEqual(1);
      expect(started.map((one) => one.split(' in ')[0])).toEqual(
        expect.arrayContaining(TRIES.map((one) => one.split(' in ')[0])),
      );
      const told = stage.events.filter(({ type }) => type === 'agent.continued').map(({ data }) => data['try']);
      expect(told).toEqual([2, 3]);
    }
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentRuntime, AgentTask } from '#agents';
import type { Worktree } from '#workspace';
import { AgentStage } from './agent-conformance-stage.js';
import { eventually } from './servers/index.js';

export { AgentStage } from './agent-conformance-stage.js';

/** What the agent of a test does, whatever it runs on; in order, the last one ending its work. */
export type Deed =
  | { readonly do: 'write'; readonly path: string; readonly content: string }
  | { readonly do: 'read'; readonly path: string }
  /** Its last message. */
  | { readonly do: 'say'; readonly text: string }
  /** The model answers nothing, ever. */
  | { readonly do: 'hang' }
  /** Instead of an answer, once: the provider is to be asked again after so long. */
  | { readonly do: 'rate-limit'; readonly words: string; readonly ms: number }
  /** Instead of an answer: the key is wrong. */
  | { readonly do: 'bad-key'; readonly words: string }
  /** Instead of an answer: the call would go past the cap, until that is raised. What follows is done by the next task. */
  | { readonly do: 'over-budget' };

/** A runtime whose agent will do the deeds of a test. */
export interface AgentUnderTest {
  readonly runtime: AgentRuntime;
  readonly worktree: Worktree;
  readonly startCommit: string;
  /** How many answers of the model were paid so far. */
  paid(): Promise<number> | number;
  /** Everything that was sent to the model so far, as text. */
  sent(): Promise<string> | string;
  raiseCap(): void;
  /** A file as a commit has it; null where it has none. */
  fileAt(commit: string, path: string): Promise<string | null>;
  close(): Promise<void>;
}

export interface Traits {
  /** Whether finished answers are read back one by one after a crash; else the whole run is repeated. */
  readonly journalsEachAnswer: boolean;
  readonly isSimulated: boolean;
}

/** Has the shape of a key: must not get out. */
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

export const sampleTask = (change: Partial<AgentTask> = {}): AgentTask => ({
  step: 'task',
  role: 'builder',
  purpose: 'build',
  attempt: 1,
  tier: 'small',
  system: 'You build.',
  prompt: 'Build it.',
  access: 'write',
  mayRun: false,
  limits: { turns: 10, wallMs: 60_000, maxOutputTokens: 1_000 },
  ...change,
});

const COLOUR: NonNullable<AgentTask['output']> = {
  name: 'colour',
  type: z.object({ colour: z.string(), shade: z.string().optional() }),
};

/** What an activity relies on; every runtime must pass. */
export function describeAgentRuntime(
  name: string,
  traits: Traits,
  open: (deeds: readonly Deed[]) => Promise<AgentUnderTest>,
): void {
  describe(name, () => {
    const opened: AgentUnderTest[] = [];
    afterEach(async () => {
      for (const under of opened.splice(0)) await under.close();
    });

    async function staged(deeds: readonly Deed[], change: Partial<AgentTask> = {}, times = 1) {
      const under = await open(deeds);
      opened.push(under);
      const { runtime, worktree, startCommit } = under;
      const stage = new AgentStage(runtime, sampleTask(change), { worktree, startCommit }, times);
      return { under, stage };
    }
    async function played(deeds: readonly Deed[], change: Partial<AgentTask> = {}, times = 1) {
      const { under, stage } = await staged(deeds, change, times);
      await stage.drive();
      return { under, stage, outcome: stage.outcome };
    }
    const WRITES: readonly Deed[] = [
      { do: 'write', path: 'made.txt', content: 'made\n' },
      { do: 'say', text: 'It is made.' },
    ];

    it('can be run here', async () => {
      const under = await open([]);
      opened.push(under);
      expect(await under.runtime.unavailable()).toBeNull();
    });

    it('leaves what the agent wrote in a commit, and gives its last message', async () => {
      const { under, outcome } = await played(WRITES);
      expect(outcome).toMatchObject({ kind: 'finished', text: 'It is made.', promise: null, output: null });
      if (outcome.kind !== 'finished') return;
      expect(outcome.isSimulated).toBe(traits.isSimulated);
      expect(outcome.turns).toBeGreaterThan(0);
      expect(await under.fileAt(outcome.commit, 'made.txt')).toBe('made\n');
      expect(await under.fileAt(under.startCommit, 'made.txt')).toBeNull();
    });

    it('says so honestly when the agent ends without having done anything', async () => {
      const { under, outcome } = await played([{ do: 'say', text: 'Nothing to do.' }]);
      expect(outcome).toMatchObject({ kind: 'finished', commit: under.startCommit });
    });

    it('takes neither a word nor a change for no end, but a change without a word for one', async () => {
      const silent: Deed = { do: 'say', text: '' };
      for (const access of ['read', 'write'] as const) {
        const { under, stage, outcome } = await played([silent], { access });
        expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_SILENT', commit: under.startCommit });
        const ends = stage.events.filter(({ type }) => type === 'agent.finished').map(({ data }) => data);
        expect(ends).toMatchObject([{ outcome: 'failed', code: 'AGENT_SILENT' }]);
      }
      const [write] = WRITES;
      const { outcome } = await played(write ? [write, silent] : []);
      expect(outcome).toMatchObject({ kind: 'finished', text: '' });
    });

    it('lets an agent that may only read change nothing', async () => {
      const { under, outcome } = await played(WRITES, { access: 'read' });
      expect(outcome.kind === 'finished' || outcome.kind === 'failed').toBe(true);
      if (outcome.kind !== 'finished' && outcome.kind !== 'failed') return;
      expect(await under.fileAt(outcome.commit, 'made.txt')).toBeNull();
    });

    it('hears a promise in the last message, not in the prompts', async () => {
      const promises = ['COMPLETE'];
      const prompt = 'Work. When done, answer with a line\n<promise>COMPLETE</promise>\nand nothing else.';
      const kept = await played([{ do: 'say', text: 'Done.\n<promise>COMPLETE</promise>' }], { promises, prompt });
      expect(kept.outcome).toMatchObject({ kind: 'finished', promise: 'COMPLETE' });
      const none = await played([{ do: 'say', text: 'Not done yet.' }], { promises, prompt });
      expect(none.outcome).toMatchObject({ kind: 'finished', promise: null });
      const system = 'You build. You end with\n<promise>COMPLETE</promise>';
      const echo = await played([{ do: 'say', text: system }], { promises, system });
      expect(echo.outcome).toMatchObject({ kind: 'finished', promise: null });
    });

    it('checks an output that the task asks for', async () => {
      const said = 'So:\n```json\n{"colour": "red", "shade": null}\n```';
      const good = await played([{ do: 'say', text: said }], { output: COLOUR });
      expect(good.outcome).toMatchObject({ kind: 'finished' });
      expect(good.outcome.kind === 'finished' && good.outcome.output).toEqual({ colour: 'red' });
      const bad = { do: 'say', text: '{"colour": 7}' } as const;
      const never = await played([bad, bad, bad, bad], { output: COLOUR });
      expect(never.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_OUTPUT_INVALID', text: bad.text });
    });

    it('waits for a provider that is overrun, and goes on when it is run again', async () => {
      const limit: Deed = { do: 'rate-limit', words: 'slow down please', ms: 30_000 };
      const { stage } = await played([limit, ...WRITES], {}, 2);
      const [first, second] = stage.outcomes;
      expect(first).toMatchObject({ kind: 'waits', reason: 'rate-limit' });
      if (first?.kind === 'waits') {
        expect(first.words).toContain('slow down please');
        expect(first.ms).toBeGreaterThan(0);
        expect(first.ms).toBeLessThanOrEqual(31_000);
      }
      expect(second).toMatchObject({ kind: 'finished', text: 'It is made.' });
    });

    it('ends at the cap, saying which', async () => {
      const { under, outcome, stage } = await played([{ do: 'over-budget' }]);
      expect(outcome).toMatchObject({ kind: 'over-budget', breaker: { name: 'usd' }, commit: under.startCommit });
      expect(stage.events.map(({ type }) => type)).toContain('budget.exceeded');
    });

    it('says at the cap where the worktree stands, and the next task goes on from there', async () => {
      const [write] = WRITES as [Deed];
      const { under, outcome } = await played([write, { do: 'over-budget' }, { do: 'say', text: 'done' }]);
      expect(outcome).toMatchObject({ kind: 'over-budget', isSimulated: traits.isSimulated });
      if (outcome.kind !== 'over-budget') return;
      const { commit } = outcome;
      const { runtime, worktree } = under;
      const inFolder = readFile(join(worktree.folder, 'made.txt'), 'utf8').catch(() => null);
      expect([await under.fileAt(commit, 'made.txt'), await inFolder]).toEqual(['made\n', 'made\n']);
      under.raiseCap();
      const next = new AgentStage(runtime, sampleTask({ step: 'next' }), { worktree, startCommit: commit });
      await next.drive();
      expect(next.outcome).toMatchObject({ kind: 'finished', text: 'done', commit });
    });

    it('fails with the words of a provider that refuses the key, the worktree as it was', async () => {
      const { under, outcome } = await played([{ do: 'bad-key', words: 'your key is no key' }]);
      expect(outcome).toMatchObject({ kind: 'failed', commit: under.startCommit });
      if (outcome.kind !== 'failed') return;
      expect(outcome.code).toMatch(/^(?:MODEL|AGENT)_/);
      expect(outcome.message).toContain('your key is no key');
    });

    it('gives up within its time when the model answers nothing', async () => {
      const limits = { turns: 10, wallMs: 1_500, maxOutputTokens: 1_000 };
      const { under, outcome } = await played([{ do: 'hang' }], { limits });
      expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TIMED_OUT', commit: under.startCommit });
    });

    it('has no outcome when it is interrupted', async () => {
      const { under, stage } = await staged([{ do: 'hang' }]);
      const driven = stage.drive();
      await eventually('the model was asked', async () => (await under.sent()).length > 0);
      stage.interrupt();
      await driven;
      expect(stage.outcomes).toEqual([]);
    });

    it('tells the history when the agent begins and ends', async () => {
      const { stage } = await played(WRITES);
      const types = stage.events.map(({ type }) => type);
      expect(types).toContain('agent.started');
      expect(types).toContain('agent.finished');
    });

    it('lets no secret out: not to the model, not into the history', async () => {
      const { under, stage } = await played([{ do: 'say', text: `I saw ${SECRET}` }], {
        prompt: `Build with ${SECRET}.`,
        system: `You know ${SECRET}.`,
      });
      expect(await under.sent()).not.toContain(SECRET);
      expect(JSON.stringify(stage.events)).not.toContain(SECRET);
      expect(JSON.stringify(stage.outcome)).not.toContain(SECRET);
    });

    it('lets no secret out that the agent reads in a file', async () => {
      const { under, stage } = await staged([
        { do: 'read', path: 'settings.env' },
        { do: 'say', text: 'I have read it.' },
      ]);
      await writeFile(join(under.worktree.folder, 'settings.env'), `TOKEN=${SECRET}\nCOLOUR=red\n`);
      await stage.drive();
      expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'I have read it.' });
      expect(await under.sent()).toContain('COLOUR=red');
      expect(await under.sent()).not.toContain(SECRET);
      expect(JSON.stringify([stage.events, stage.outcome])).not.toContain(SECRET);
    });

    it('comes to the same end when its worker dies on the way, and pays for no finished effect twice', async () => {
      const whole = await played(WRITES);
      const writes = whole.stage.store.writes;
      const paid = await whole.under.paid();
      for (let at = 1; at <= writes; at += 1) {
        const { under, stage } = await staged(WRITES);
        await stage.drive(at);
        await stage.drive();
        expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'It is made.' });
        if (stage.outcome.kind === 'finished') {
          expect(await under.fileAt(stage.outcome.commit, 'made.txt')).toBe('made\n');
        }
        const most = traits.journalsEachAnswer ? paid + 1 : 2 * paid;
        expect(await under.paid(), `died at write ${String(at)}`).toBeLessThanOrEqual(most);
      }
    });
  });
}

import { describe, expect, it } from 'vitest';
import { ModelError, noUsage } from '#models';
import type { AgentTask } from '../agent.port.js';
import { closesWorktrees, played, results } from './played.fixture.js';
import type { Said } from './world.fixture.js';

closesWorktrees();

const READ: Said = { calls: [['read_file', { path: 'readme.md' }]] };
const limits = (change: Partial<AgentTask['limits']>) => ({
  limits: { turns: 10, wallMs: 60_000, maxOutputTokens: 1_000, ...change },
});
const tooLong = (): ModelError => {
  const facts = { remedy: 'give-up', provider: 'p', words: 'too long', billed: 'nothing' } as const;
  return new ModelError('MODEL_CONTEXT_EXCEEDED', 'the prompt is too long', facts);
};
const usage = (input: number, cacheRead = 0) => ({ ...noUsage, input, cacheRead, output: 10 });

describe('a conversation that becomes long', () => {
  it('is warned of once, summarised, and goes on afresh with the task and the summary', async () => {
    const { stage, desk, told } = await played((_, { messages }, asked) => {
      const last = messages.at(-1);
      if (last?.role === 'user' && last.text.includes('nearly reached its maximum length'))
        return { text: 'NOTES OF MINE', contextTokens: 1_000 };
      if (asked > 4) return { text: 'done', contextTokens: 1_000 };
      return { ...READ, contextTokens: 1_000, usage: usage(100 * asked + 400, 100) };
    });
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done' });
    expect(told('context.warning')).toMatchObject([{ data: { percent: 71, contextTokens: 1_000 } }]);
    expect(told('context.summarised')).toHaveLength(1);
    const last = desk.wishes.at(-1);
    expect(last?.messages).toHaveLength(1);
    expect(JSON.stringify(last?.messages)).toMatch(/Build it\..*NOTES OF MINE/);
    expect(last?.pinned).toBeUndefined();
    expect(last?.known).toBeUndefined();
  });

  it('whose server counts nothing is bounded by its bytes: for the cap, the warning and the summary', async () => {
    const { stage, desk, told } = await played((turn, { messages }, asked) => {
      const uncounted = { isUsageKnown: false, usage: noUsage, contextTokens: 42_000 } as const;
      const last = messages.at(-1);
      if (last?.role === 'user' && last.text.includes('nearly reached its maximum length'))
        return { text: 'NOTES OF MINE', ...uncounted };
      if (asked > 4) return { text: 'done', ...uncounted };
      return { ...READ, ...uncounted, raw: { text: 'x'.repeat(turn === 1 ? 22_000 : 8_000) } };
    });
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done' });
    expect(desk.wishes.map(({ known }) => known)).toEqual(desk.wishes.map(() => undefined));
    expect(told('context.warning')).toHaveLength(1);
    expect(told('context.summarised')).toHaveLength(1);
    expect(told('model.called')[0]?.data['tokens']).toBeNull();
  });

  it('that turns out to be more than the model holds goes on in a fresh one, from the files', async () => {
    const { stage, desk, worktrees } = await played((turn, _wish, asked) => {
      if (asked === 1) return { calls: [['write_file', { path: 'a.txt', content: 'one' }]] };
      if (asked === 2) throw tooLong();
      return turn === 1 ? READ : { text: 'done' };
    });
    expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done', turns: 4 });
    expect(desk.wishes.map(({ messages }) => messages.length)).toEqual([1, 3, 1, 3]);
    expect(stage.outcome.kind === 'finished' && worktrees.fileAt(stage.outcome.commit, 'a.txt')).toBe('one');
  });

  it('that is more than the model holds from its beginning fails by that name', async () => {
    const { stage, desk } = await played(() => {
      throw tooLong();
    });
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'MODEL_CONTEXT_EXCEEDED' });
    expect(desk.wishes).toHaveLength(1);
  });

  it('is given results that fit into what its model can still hold', async () => {
    const long = { calls: [['read_file', { path: 'long.txt' }]] } as const;
    const { desk } = await played(
      (turn) => {
        const held = { contextTokens: 20_000, usage: usage(15_000) };
        if (turn === 1)
          return { calls: [['write_file', { path: 'long.txt', content: `${'x'.repeat(50)}\n`.repeat(600) }]], ...held };
        return turn === 2 ? { ...long, ...held } : { text: 'done' };
      },
      limits({ maxOutputTokens: 1_000 }),
    );
    const shown = results(desk.wishes[2])[0]?.text.length ?? 0;
    expect(shown).toBeGreaterThan(1_000);
    // Beside the next answer, room is left for what people say; and a line says how much was left out.
    expect(shown).toBeLessThanOrEqual(20_000 - 15_010 - 1_000 - 20_000 / 8 + 100);
  });

  it('that is too long from its first answer on ends at the bound of turns', async () => {
    const { stage } = await played(() => ({ ...READ, contextTokens: 100 }), limits({ turns: 6 }));
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TURNS_EXHAUSTED' });
  });
});

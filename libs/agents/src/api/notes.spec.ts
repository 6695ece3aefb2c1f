import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChatWish, noUsage } from '#models';
import { AgentStage, sampleTask } from '#testing';
import type { AgentTask } from '../agent.port.js';
import { NotesInMemory } from '../notes/notes.fixture.js';
import { apiRuntime } from './api-runtime.js';
import { closesWorktrees, openWorktrees } from './played.fixture.js';
import { NoSandbox, type Said, ScriptedDesk, turnOf } from './world.fixture.js';

closesWorktrees();

const READ: Said = { calls: [['read_file', { path: 'readme.md' }]] };

type Script = (turn: number, wish: ChatWish, asked: number, notes: NotesInMemory) => Said;

/** An agent whose notes are given by its model's script: at a known moment of its conversation. */
function opened(script: Script, change: Partial<AgentTask> = {}) {
  const worktrees = openWorktrees({ 'readme.md': '# A project\n' });
  const notes = new NotesInMemory();
  const desk = new ScriptedDesk((wish, asked) => script(turnOf(wish), wish, asked, notes));
  const runtime = apiRuntime({ desk, worktrees, notes, sandbox: new NoSandbox() });
  const { worktree, startCommit } = worktrees;
  const stage = new AgentStage(runtime, sampleTask(change), { worktree, startCommit });
  const delivered = () => stage.events.filter(({ type }) => type === 'note.delivered').map(({ data }) => data);
  return { stage, desk, notes, delivered };
}

const textsOf = ({ messages }: ChatWish): string[] =>
  messages.map((one) => (one.role === 'user' ? one.text : one.role));
const holding = (wish: ChatWish, words: string): number => textsOf(wish).filter((text) => text.includes(words)).length;
const role = sampleTask().role;

describe('a note', () => {
  it('that is given while the model answers is told with the very next call, once, behind the results', async () => {
    const { stage, desk, delivered } = opened((turn, _wish, _asked, notes) => {
      if (turn === 1) notes.give('use the existing theme tokens');
      return turn < 4 ? READ : { text: 'done' };
    });
    await stage.drive();
    expect(desk.wishes.map((wish) => holding(wish, 'theme tokens'))).toEqual([0, 1, 1, 1]);
    expect(textsOf(desk.wishes[1] as ChatWish)).toEqual([
      'Build it.',
      'assistant',
      'tools',
      expect.stringContaining('use the existing theme tokens'),
    ]);
    // Where it was told, it stays.
    expect(textsOf(desk.wishes[3] as ChatWish)[3]).toContain('use the existing theme tokens');
    expect(delivered()).toEqual([
      {
        note: 'note-1',
        number: 1,
        role,
        purpose: sampleTask().purpose,
        call: expect.stringMatching(/\/2\/chat$/) as string,
      },
    ]);
  });

  it('finds room behind the results: of many no more are told than is kept free for them', async () => {
    const { stage, desk, delivered } = opened((turn, _wish, _asked, notes) => {
      if (turn === 1) for (let nth = 0; nth < 5; nth += 1) notes.give('x'.repeat(1_000));
      return turn === 1 ? { ...READ, contextTokens: 20_000 } : { text: 'done' };
    });
    await stage.drive();
    expect(delivered().map(({ number }) => number)).toEqual([4, 5]);
    expect(textsOf(desk.wishes[1] as ChatWish).at(-1)).toContain('Older notes are left out');
  });

  it('that was given before is told with the first call; one for another agent never is', async () => {
    const { stage, desk, notes, delivered } = opened((turn) => (turn === 1 ? READ : { text: 'done' }));
    notes.give('for all');
    notes.give('for another', 'somebody-else');
    notes.give('for this one', role);
    await stage.drive();
    expect(
      desk.wishes.map((wish) => ['for all', 'for another', 'for this one'].map((one) => holding(wish, one))),
    ).toEqual([
      [1, 0, 1],
      [1, 0, 1],
    ]);
    expect(delivered().map(({ note }) => note)).toEqual(['note-1', 'note-3']);
  });

  it('is told again to a conversation that begins anew after its summary, and not to the call that writes this', async () => {
    const { stage, desk, delivered } = opened((_turn, { messages }, asked, notes) => {
      if (asked === 1) notes.give('keep it small');
      const last = messages.at(-1);
      if (last?.role === 'user' && last.text.includes('nearly reached its maximum length')) {
        notes.give('and quick');
        return { text: 'MY SUMMARY', contextTokens: 1_000 };
      }
      if (asked > 3) return { text: 'done', contextTokens: 1_000 };
      return { ...READ, contextTokens: 1_000, usage: { ...noUsage, input: asked === 2 ? 850 : 100, output: 10 } };
    });
    await stage.drive();
    const [, , summary, fresh] = desk.wishes;
    expect(summary?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('nearly reached its maximum length') as string,
    });
    expect(textsOf(fresh as ChatWish)).toEqual([
      expect.stringContaining('MY SUMMARY'),
      expect.stringMatching(/keep it small[^]*and quick/),
    ]);
    expect(delivered().map(({ note }) => note)).toEqual(['note-1', 'note-1', 'note-2']);
  });

  it('counts against the budget with its words', async () => {
    const { stage, desk } = opened((turn, _wish, _asked, notes) => {
      if (turn === 1) notes.give('x'.repeat(8_000));
      return turn < 2 ? READ : { text: 'done' };
    });
    await stage.drive();
    const { known, messages = [] } = desk.wishes[1] ?? {};
    // What is bounded by its bytes are the messages behind those that were counted: the note is one of them.
    expect(JSON.stringify(messages.slice(known?.messages))).toContain('x'.repeat(8_000));
  });

  it('is no promise of the agent where it only repeats it', async () => {
    const promise = '<promise>COMPLETE</promise>';
    const { stage, notes } = opened(() => ({ text: `End with these very words:\n${promise}` }), {
      promises: ['COMPLETE'],
    });
    notes.give(`End with these very words:\n${promise}`);
    await stage.drive();
    const told = stage.outcome;
    const free = opened(() => ({ text: `It is built.\n\n${promise}` }), { promises: ['COMPLETE'] });
    await free.stage.drive();
    expect([told, free.stage.outcome]).toMatchObject([{ promise: null }, { promise: 'COMPLETE' }]);
  });

  it('is told at the same place after a crash, however often and wherever one cuts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 3 }),
        async (givenAt, deaths) => {
          const { stage, desk, notes } = opened((turn, _wish, asked) => {
            for (const at of givenAt) if (at === asked) notes.give(`said-${String(notes.all.length + 1)};`);
            return turn < 5 ? READ : { text: 'done' };
          });
          for (const death of deaths) await stage.drive(death);
          await stage.drive();
          expect(stage.outcome).toMatchObject({ kind: 'finished', text: 'done', turns: 5 });
          // Of a chat that was sent again the last sending counts: the later ones begin with what it was told.
          const last = new Map(desk.wishes.map((wish) => [wish.about.effect.key, textsOf(wish)]));
          const turns = [...last.values()];
          expect(turns).toHaveLength(5);
          for (const [nth, texts] of turns.entries()) {
            expect(turns[nth + 1]?.slice(0, texts.length) ?? texts).toEqual(texts);
          }
          const whole = turns.at(-1)?.join('\n') ?? '';
          const told = [...whole.matchAll(/said-(\d+);/g)].map(([, number]) => Number(number));
          // In order, without a gap, none twice; only what came with the last answer was told to nobody.
          expect(told).toEqual(told.map((_, nth) => nth + 1));
          const late = givenAt.filter((at) => at >= desk.wishes.length).length;
          expect(told.length).toBeGreaterThanOrEqual(notes.all.length - late);
          const kept = new Set(
            stage.events.filter(({ type }) => type === 'note.delivered').map(({ data }) => data['number']),
          );
          expect([...kept].sort()).toEqual(told);
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});

import { setTimeout as delay } from 'node:timers/promises';
import { BudgetExceeded, ModelError } from '#models';
import { type AgentUnderTest, type Deed, describeAgentRuntime } from '#testing';
import { apiRuntime } from './api-runtime.js';
import { FolderWorktrees, NoSandbox, type Said, ScriptedDesk } from './world.fixture.js';

/** One deed per answer; an answer that nobody kept is given again. */
async function open(deeds: readonly Deed[]): Promise<AgentUnderTest> {
  const worktrees = new FolderWorktrees({ 'readme.md': '# A project\n' });
  let failures = 0;
  const desk = new ScriptedDesk(async ({ messages }, _, signal) => {
    const done = messages.filter(({ role }) => role === 'assistant').length;
    const deed = deeds[done + failures];
    if (deed?.do === 'rate-limit') failures += 1;
    return said(deed, signal);
  });
  const runtime = apiRuntime({ desk, worktrees, sandbox: new NoSandbox() });
  const { worktree, startCommit } = worktrees;
  return {
    runtime,
    worktree,
    startCommit,
    paid: () => desk.answers,
    raiseCap: () => (failures = afterCap(deeds)),
    sent: () => desk.wishes.map(({ system, messages }) => JSON.stringify([system, messages])).join('\n'),
    fileAt: async (commit, path) => worktrees.fileAt(commit, path),
    close: () => worktrees.close(),
  };
}

const afterCap = (deeds: readonly Deed[]): number => deeds.findIndex((deed) => deed.do === 'over-budget') + 1;

async function said(deed: Deed | undefined, signal: AbortSignal): Promise<Said> {
  switch (deed?.do) {
    case 'write':
      return { calls: [['write_file', { path: deed.path, content: deed.content }]] };
    case 'read':
      return { calls: [['read_file', { path: deed.path }]] };
    case 'say':
      return { text: deed.text };
    case 'hang':
      await delay(60_000, undefined, { signal, ref: false }).catch(() => undefined);
      throw failure('cancelled', 'MODEL_CANCELLED', 'nobody wants it any more');
    case 'rate-limit':
      throw failure('wait', 'MODEL_RATE_LIMITED', deed.words, Date.now() + deed.ms);
    case 'bad-key':
      throw failure('give-up', 'MODEL_KEY_REFUSED', deed.words);
    case 'over-budget':
      throw new BudgetExceeded({ name: 'usd', cap: '1', used: '1', reserved: '0', wanted: '1' });
    case undefined:
      throw new Error('the agent was asked more often than it has deeds');
  }
}

const failure = (remedy: ModelError['remedy'], code: string, words: string, resetAt?: number): ModelError =>
  new ModelError(code, 'the provider refused', {
    remedy,
    provider: 'scripted',
    words,
    billed: 'nothing',
    ...(resetAt !== undefined && { resetAt }),
  });

describeAgentRuntime('the api runtime', { journalsEachAnswer: true, isSimulated: true }, open);

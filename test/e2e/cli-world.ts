import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentScene, type CliLimits, cliRuntime, type CliSpec, openProxy } from '#agents';
import type { Lease } from '#engine';
import { type JsonObject, SecretBook, silentTrace, systemClock } from '#kernel';
import { type Ledger, Meter, type ModelRef, openPriceBook, worstPriceOf } from '#models';
import { PgProcessRegistry } from '#persistence';
import { CommandRunner } from '#process-monitor';
import { startModelServer, tempFolder } from '#testing';
import { GitWorktrees, openSandboxes } from '#workspace';
import type pg from 'pg';

export const PROVIDER_KEY = 'sk-the-key-of-the-provider-0123456789';
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Everything that a real CLI works with, but for its provider, which is pretended. */
export async function openCliWorld(
  spec: CliSpec,
  model: ModelRef,
  path: string,
  parts: { pool: pg.Pool; ledger: Ledger; limits: Partial<CliLimits> },
) {
  const folder = tempFolder('real-cli');
  const [repo, data] = ['repo', 'data'].map((name) => join(folder.path, name)) as [string, string];
  for (const one of [repo, data]) mkdirSync(one);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@localhost', ...args], {
      cwd: repo,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'readme.md'), '# A project\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');

  const server = await startModelServer([], { key: PROVIDER_KEY });
  const secrets = new SecretBook([PROVIDER_KEY]);
  const prices = openPriceBook(null);
  const worstPrice = worstPriceOf({ input: '15', output: '75' });
  const trace = silentTrace;
  const clock = systemClock;
  const errors: unknown[] = [];
  const proxy = await openProxy({
    host: '127.0.0.1',
    port: 0,
    upstreams: {
      anthropic: { wire: 'anthropic', baseUrl: server.url, apiKey: PROVIDER_KEY },
      openai: { wire: 'openai', baseUrl: server.openaiUrl, apiKey: PROVIDER_KEY },
      compatible: { wire: 'compatible', baseUrl: server.openaiUrl, apiKey: PROVIDER_KEY },
    },
    meter: new Meter({ ledger: parts.ledger, prices, clock, trace, worstPrice }),
    trace,
    secrets,
    clock,
    onError: (error) => errors.push(error),
  });
  const commands = new CommandRunner(new PgProcessRegistry(parts.pool), { host: 'here', path: SYSTEM_PATH });
  const sandboxes = await openSandboxes({
    commands,
    allowUnsandboxed: false,
    path: SYSTEM_PATH,
    hidden: [data],
    folder: join(data, 'sandbox'),
  });
  const worktrees = new GitWorktrees({ root: join(data, 'worktrees'), path: SYSTEM_PATH });
  const runtime = cliRuntime(spec, {
    path,
    proxy,
    desk: { candidates: () => [{ ...model, isSimulated: false }] },
    worktrees,
    sandbox: sandboxes.pick('auto'),
    folder: join(data, 'runs'),
    transcripts: join(data, 'transcripts'),
    secrets,
    limits: parts.limits,
  });
  const told: { type: string; data: JsonObject }[] = [];
  const sceneOf = async (lease: Lease): Promise<AgentScene> => {
    const signal = new AbortController().signal;
    const wish = { projectId: lease.projectId, name: '001-work', repo, ref: 'main' };
    const worktree = await worktrees.open(wish, signal);
    const tell = (type: string, data: JsonObject): void => void told.push({ type, data });
    const activity = {
      state: 'WORKING',
      signal,
      effect: (effect: { step: string; run: (run: object) => unknown }) =>
        effect.run({ key: `${lease.projectId}/1/1/${effect.step}`, attempt: 1, signal, tell, lease }),
    };
    return {
      activity: activity as unknown as AgentScene['activity'],
      worktree,
      startCommit: await worktrees.head(worktree),
    };
  };
  const close = async (): Promise<void> => {
    await proxy.close();
    await server.stop();
    await folder.remove();
  };
  return { server, runtime, sandbox: sandboxes.pick('auto'), git, sceneOf, told, errors, data, close };
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentStage, eventually, sampleTask } from '#testing';
import type { AgentTask } from '../agent.port.js';
import { type CliWorldOptions, openCliWorld } from './cli-world.fixture.js';
import { around, closesWorlds, opened, played } from './played-cli.fixture.js';

closesWorlds();

const VERSION = `if (process.argv.includes('--version')) { console.log('2.1.197'); process.exit(0); }\n`;
const own = (script: string): CliWorldOptions => ({ script: `${VERSION}${script}` });
const SUCCESS = `emit({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: 'again' });`;
const short = { limits: { turns: 10, wallMs: 2_000, maxOutputTokens: 500 } };

interface Misdeed {
  readonly does: string;
  readonly options: CliWorldOptions;
  readonly code: string;
  readonly change?: Partial<AgentTask>;
  /** How many of its calls were paid. */
  readonly paid?: number;
}

const MISDEEDS: readonly Misdeed[] = [
  { does: 'hangs', options: own('setInterval(() => undefined, 1000);'), code: 'AGENT_TIMED_OUT', change: short },
  {
    does: 'falls silent',
    options: { ...around({ last: 'return setInterval(() => undefined, 1000);' }), limits: { idleMs: 700 } },
    code: 'AGENT_IDLE',
    paid: 2,
  },
  {
    does: 'ignores SIGTERM',
    options: own(`process.on('SIGTERM', () => undefined); setInterval(() => console.log('still here'), 100);`),
    code: 'AGENT_TIMED_OUT',
    change: short,
  },
  { does: 'exits 0 without doing anything', options: own(''), code: 'AGENT_SILENT' },
  {
    does: 'claims to be done without having asked its model',
    options: own(
      `console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'done' }));`,
    ),
    code: 'AGENT_DID_NOTHING',
  },
  {
    does: 'prints rubbish and nothing else',
    options: own(`for (let n = 0; n < 500; n += 1) console.log('{"type": "resu' + n + '\\u0000\\ud800');`),
    code: 'AGENT_SILENT',
  },
  {
    does: 'prints without end',
    options: {
      ...own(`const more = () => process.stdout.write('x'.repeat(65536) + '\\n', more); more();`),
      limits: { outputBytes: 4_000_000 },
    },
    code: 'AGENT_TOO_MUCH_OUTPUT',
  },
  {
    does: 'exits badly after its good end',
    options: around({ last: 'process.exit(3);' }),
    code: 'AGENT_FAILED',
    paid: 2,
  },
  {
    does: 'is killed by a signal after its good end',
    options: around({ last: `return process.kill(process.pid, 'SIGKILL');` }),
    code: 'AGENT_KILLED',
    paid: 2,
  },
  {
    does: 'says at last that it failed',
    options: around({
      last: `emit({ type: 'result', subtype: 'error_during_execution', is_error: true, result: 'no' });`,
    }),
    code: 'AGENT_FAILED',
    paid: 2,
  },
  {
    does: 'asks its model more often than it may',
    options: around({}),
    code: 'AGENT_TURNS_EXHAUSTED',
    change: { limits: { turns: 1, wallMs: 60_000, maxOutputTokens: 500 } },
    paid: 1,
  },
];

describe('a CLI that', () => {
  it.each(MISDEEDS)(
    '$does fails by name, with what it was paid in the ledger',
    async ({ options, code, change, paid = 0 }) => {
      const { outcome, ledger, registry, data } = await played(options, change);
      expect(outcome).toMatchObject({ kind: 'failed', code, isSimulated: false });
      expect(ledger.ends()).toEqual(Array.from({ length: paid }, () => 'done'));
      expect([...registry.records]).toEqual([]);
      expect(readdirSync(join(data, 'runs'))).toEqual([]);
    },
  );

  it('fails leaves what it wrote as a commit', async () => {
    const { outcome, fileAt } = await played(around({ last: 'process.exit(3);' }));
    expect(outcome.kind === 'failed' && (await fileAt(outcome.commit, 'made.txt'))).toBe('made\n');
  });

  it('prints rubbish, endless lines and half characters between its events is understood all the same', async () => {
    const first = `
      process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a]));
      console.log('Loading…'); console.log('{"type":'); console.log('[1]'); console.log('null');
      console.log('{"type":"assistant","message":{"content":"no list"}}');
      process.stdout.write('x'.repeat(9 * 1024 * 1024) + '\\n');`;
    const { outcome } = await played(around({ first, last: SUCCESS }));
    expect(outcome).toMatchObject({ kind: 'finished', text: 'again' });
    if (outcome.kind !== 'finished') return;
    const transcript = readFileSync(outcome.report?.transcript.file ?? '', 'utf8');
    expect(transcript).toContain('Loading…');
    expect(outcome.report?.transcript.bytes).toBe(Buffer.byteLength(transcript));
  });

  it('complains at length before it ends badly is heard with its last words, and all of them are kept', async () => {
    const script = `for (let n = 0; n < 3000; n += 1) console.error('warning ' + n); console.error('Error: no engine'); process.exitCode = 3;`;
    const { outcome } = await played(own(script));
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'AGENT_FAILED',
      message: expect.stringMatching(/no engine$/) as string,
    });
    if (outcome.kind !== 'failed') return;
    const transcript = readFileSync(outcome.report?.transcript.file ?? '', 'utf8');
    expect(transcript).toContain('{"type":"qralph.stderr","line":"warning 0"}\n');
    expect(transcript).toContain('{"type":"qralph.stderr","line":"Error: no engine"}\n');
  });

  it('prints more than is kept is kept with its beginning and its end', async () => {
    const first = `for (let n = 0; n < 20; n += 1) console.log('x'.repeat(1024 * 1024));`;
    const { outcome } = await played(around({ first }));
    expect(outcome).toMatchObject({ kind: 'finished', report: { transcript: { isCut: true } } });
    if (outcome.kind !== 'finished') return;
    const lines = readFileSync(outcome.report?.transcript.file ?? '', 'utf8').split('\n');
    const types = lines.flatMap((line) => /^{"type":"([^"]+)"/.exec(line)?.[1] ?? []);
    expect([types[0], types.at(-2), types.at(-1)]).toEqual(['system', 'result', 'qralph.end']);
    expect(types).toContain('qralph.left-out');
  });

  it('forks and leaves has nothing left running', async () => {
    const first = `
      const { spawn } = require('node:child_process');
      const stay = "trap '' TERM; while :; do sleep 0.2; done";
      spawn('setsid', ['sh', '-c', stay, 'left-behind-by-a-test'], { detached: true, stdio: 'ignore' }).unref();`;
    const { outcome, registry } = await played(around({ first }));
    expect(outcome).toMatchObject({ kind: 'finished', text: 'It is made.' });
    expect([...registry.records]).toEqual([]);
    await eventually('it is gone', () => !processes().some((line) => line.includes('left-behind-by-a-test')));
  });

  it('looks around finds its token, and neither a key nor the data folder nor a network', async () => {
    const first = `
      const { join } = require('node:path');
      const adminKey = join(process.env.HOME, '..', '..', '..', 'admin.key');
      const seesKey = require('node:fs').existsSync(adminKey);
      emit({ type: 'seen', env: process.env, seesKey, nets: Object.keys(require('node:os').networkInterfaces()) });`;
    const world = await openCliWorld(around({ first }));
    writeFileSync(join(world.data, 'admin.key'), 'the key of the admin');
    const { outcome, data, sandbox } = await played(world);
    if (outcome.kind !== 'finished') throw new Error(JSON.stringify(outcome));
    const lines = readFileSync(outcome.report?.transcript.file ?? '', 'utf8').split('\n');
    const seen = JSON.parse(lines.find((line) => line.includes('"seen"')) ?? '{}') as Seen;
    expect(seen.env['ANTHROPIC_API_KEY']).toBe('[secret]');
    expect(JSON.stringify(seen.env)).not.toContain('the-key-of-the-provider');
    expect(seen.env['HOME']).toContain(data);
    expect(existsSync(seen.env['HOME'] ?? '')).toBe(false);
    if (sandbox.kind === 'bubblewrap') expect(seen).toMatchObject({ seesKey: false, nets: ['lo'] });
  });
});

interface Seen {
  readonly env: Readonly<Record<string, string>>;
  readonly seesKey: boolean;
  readonly nets: readonly string[];
}

it('a CLI in the limited sandbox reaches the proxy', async () => {
  const { outcome, fileAt } = await played({ ...around({}), sandbox: 'limited' });
  expect(outcome).toMatchObject({ kind: 'finished' });
  expect(outcome.kind === 'finished' && (await fileAt(outcome.commit, 'made.txt'))).toBe('made\n');
});

describe('outside of a sandbox that hides files', () => {
  it('a CLI reaches the proxy, and its commits do not stay on the branch', async () => {
    const last = `
      const git = (...args) => require('node:child_process').execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args]);
      git('checkout', '-q', '-b', 'elsewhere'); git('add', '-A'); git('commit', '-q', '-m', 'mine');`;
    const { outcome, fileAt, worktrees, worktree, startCommit } = await played({
      ...around({ last }),
      sandbox: 'none',
    });
    expect(outcome).toMatchObject({ kind: 'finished' });
    expect(outcome.kind === 'finished' && (await fileAt(outcome.commit, 'made.txt'))).toBe('made\n');
    expect(await worktrees.head(worktree)).toBe(startCommit);
    expect(readFileSync(join(worktree.folder, 'made.txt'), 'utf8')).toBe('made\n');
  });

  it.each([
    ['the configuration', 'git config core.fsmonitor evil'],
    ['the hooks', 'cd "$(git rev-parse --git-common-dir)" && mkdir -p hooks && echo evil > hooks/pre-commit'],
  ])('a CLI that changed %s of git has failed', async (_name, command) => {
    const last = `require('node:child_process').execFileSync('sh', ['-c', ${JSON.stringify(command)}]);`;
    const { outcome } = await played({ ...around({ last }), sandbox: 'none' });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'AGENT_TOUCHED_GIT' });
  });

  it('a run that was cut off is a question to a person', async () => {
    const world = await openCliWorld({ ...around({}), sandbox: 'none' });
    opened.push(world);
    world.server.use(() => ({ text: 'Done.' }));
    const { worktree, startCommit } = world;
    const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
    await stage.drive(2);
    await stage.drive();
    expect(stage.outcomes).toEqual([]);
    expect(stage.errors.map((error) => (error as Error).name)).toContain('AsksPerson');
  });
});

describe('a CLI is refused with what to do', () => {
  it('when it is missing, too old, or says nothing sensible', async () => {
    const missing = await openCliWorld({});
    const old = await openCliWorld({ script: `console.log('1.9.3 (Claude Code)');` });
    const odd = await openCliWorld({ script: `console.log('hello');` });
    const broken = await openCliWorld({ script: 'process.exit(1);' });
    opened.push(missing, old, odd, broken);
    const line = 'npm i -g @anthropic-ai/claude-code';
    expect(await missing.runtime.unavailable()).toBe(`claude is not on the PATH: install it with ${line}`);
    expect(await old.runtime.unavailable()).toMatch(/is 1\.9\.3, and 2\.1\.0 is needed: update it with npm i -g/);
    expect(await odd.runtime.unavailable()).toContain('of an unknown version ("hello")');
    expect(await broken.runtime.unavailable()).toContain(`install it anew with ${line}`);
    const { worktree, startCommit } = missing;
    const stage = new AgentStage(missing.runtime, sampleTask(), { worktree, startCommit });
    await stage.drive();
    expect(stage.outcome).toMatchObject({ kind: 'failed', code: 'AGENT_UNAVAILABLE', commit: startCommit });
  });

  it('when there is no real model that it can speak to', async () => {
    const simulated = { provider: 'playbook', model: 'playbook', isSimulated: true };
    const other = { provider: 'openai', model: 'gpt-5-codex', isSimulated: false };
    const [none, wrong] = [
      await openCliWorld({ ...around({}), models: [simulated] }),
      await openCliWorld({ ...around({}), models: [other] }),
    ];
    opened.push(none, wrong);
    expect(await none.runtime.unavailable()).toContain('configure a key for playbook, or use the runtime "api"');
    expect(await wrong.runtime.unavailable()).toContain('claude speaks to models over anthropic only');
  });
});

it('folders of runs whose process is gone are taken away', async () => {
  const world = await openCliWorld(around({}));
  opened.push(world);
  const { worktree, startCommit, server, data } = world;
  const runs = join(data, 'runs');
  for (const name of ['cli-4194305-left', 'cli-4194306-left']) {
    mkdirSync(join(runs, name), { recursive: true });
    writeFileSync(join(runs, name, 'prompt.md'), 'secret plans');
  }
  server.use(() => ({ text: 'Done.' }));
  const stage = new AgentStage(world.runtime, sampleTask(), { worktree, startCommit });
  await stage.drive();
  expect(readdirSync(runs)).toEqual([]);
});

function processes(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
    } catch {
      return [];
    }
  });
}

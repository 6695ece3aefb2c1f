import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ArtifactContent, ArtifactList, CheckpointList, CommandAccepted, CostGroupList, DecisionAccepted, FindingList, GateList,
  GivenCommandList, NoteAccepted, NoteList, Project, ProjectCosts, ProjectDiff, ProjectEvent, ProjectList,
  ProjectSummary, VerifyResult,
} from '#contracts'; // prettier-ignore
import { eventually, tempFolder, type TempFolder } from '#testing';
import { DemoRepository } from '../../apps/orchestrator/src/demo/demo-repository.js';
import { Api } from '../harness/api.js';
import { refuseStaleBuild } from '../harness/built.js';
import { type ServiceProcess, startProcess } from '../harness/service-process.js';
import { projectPath } from './shipped.js';

const QRALPH = projectPath('bin/qralph');

interface Done {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** One service without a provider, on a port that it keeps over restarts; the built command line against it. */
describe('the command line', () => {
  let folder: TempFolder;
  let service: ServiceProcess;
  let api: Api;
  let env: Record<string, string>;
  let port: string;

  const startService = async (): Promise<void> => {
    const settings = { dataDir: join(folder.path, 'data'), env: { QRALPH_PORT: port, QRALPH_REPO_ROOTS: folder.path } };
    service = await startProcess({ role: 'orchestrator' }, settings);
    api = await Api.ofDataDir(service.url, settings.dataDir);
  };
  beforeAll(async () => {
    refuseStaleBuild();
    folder = tempFolder('cli');
    port = await freePort();
    await startService();
    env = { QRALPH_PORT: port, QRALPH_DATA_DIR: join(folder.path, 'data') };
  });
  afterAll(async () => {
    await service.kill('SIGTERM');
    await folder.remove();
  });

  const begin = (
    args: readonly string[],
    more: Record<string, string> = {},
    { command, cwd }: { command: string; cwd: string } = { command: QRALPH, cwd: folder.path },
  ): { child: ChildProcess; done: Promise<Done>; seen: () => string } => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env, ...more },
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const done = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
    return { child, done, seen: () => out + err };
  };
  const run = (...args: string[]): Promise<Done> => begin(args).done;
  const json = async (...args: string[]): Promise<unknown> => {
    const { code, out, err } = await run(...args, '--json');
    if (code !== 0) throw new Error(`qralph ${args.join(' ')} ended with ${String(code)}: ${out}${err}`);
    return JSON.parse(out);
  };
  const startDrill = async (...more: string[]): Promise<Project> =>
    Project.parse(
      await json('start', 'Drill the engine', '--mode', 'drill', '--param', 'rounds=1', '--param', 'width=2', ...more),
    );

  const repository = async (name: string): Promise<string> => {
    const repo = join(folder.path, name);
    await new DemoRepository(repo, process.env['PATH'] ?? '').make();
    return repo;
  };
  const startIn = async (name: string, ...more: string[]): Promise<Project> =>
    Project.parse(await json('start', 'Add dark mode toggle', '--repo', await repository(name), ...more));
  const untilGate = (id: string, gate: string) =>
    api.until(id, `waits at ${gate}`, ({ waitingFor }) => waitingFor?.['gate'] === gate, 60_000);
  /** The commands that took effect. */
  const applied = async (name: string): Promise<string[]> =>
    GivenCommandList.parse(await json('commands', name)).data.flatMap(({ command, outcome }) =>
      outcome === 'applied' ? [command] : [],
    );

  it('answers in JSON as the contract has it, for a drill that is paused, restored, approved and verified', async () => {
    const { name, id } = await startDrill('--label', 'team=web');
    await api.untilStatus(id, 'waiting');
    const gates = GateList.parse(await json('gates', name)).data;
    expect(gates).toMatchObject([{ name: 'approval' }]);
    ProjectSummary.parse(await json('status', name));
    expect((await run('status', name, '--exit-code')).code).toBe(4);
    expect(ProjectList.parse(await json('list', '--label', 'team=web')).data.map((one) => one.id)).toEqual([id]);
    CommandAccepted.parse(await json('pause', name));
    await api.untilStatus(id, 'paused');
    Project.parse(await json('checkpoints', 'restore', name, '2'));
    const stale = await run('approve', name, 'approval', '--checkpoint', String(gates[0]?.checkpoint.seq ?? 0));
    expect([stale.code, stale.err]).toEqual([
      1,
      expect.stringMatching(/since checkpoint \d+:[^]*(GATE_CHANGED|GATE_NOT_OPEN)/),
    ]);
    CommandAccepted.parse(await json('resume', name));
    await api.untilStatus(id, 'waiting');
    GivenCommandList.parse(await json('commands', name));
    DecisionAccepted.parse(await json('approve', name));
    await api.untilStatus(id, 'completed');
    expect(VerifyResult.parse(await json('checkpoints', 'verify', name))).toMatchObject({ valid: true });
    CheckpointList.parse(await json('checkpoints', name));
    Project.parse(await json('checkpoints', 'fork', name, '2'));
    FindingList.parse(await json('findings', name));
    const events = (await run('events', name, '--json')).out
      .trimEnd()
      .split('\n')
      .map((line) => ProjectEvent.parse(JSON.parse(line)));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    const refused = await run('pause', name);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('COMMAND_NOT_ALLOWED')]);
  });

  it('refuses a request that the simulated model cannot do, and says what to set', async () => {
    const refused = await run('start', 'Fix the login', '--mode', 'errand', '--repo', await repository('unfit'));
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('SIMULATED_MODEL_CANNOT_DO_THIS');
    expect(refused.err).toMatch(/Add dark mode toggle[^]*ANTHROPIC_API_KEY[^]*QRALPH_PLAYBOOK/);
  });

  it('carries a request through a repository, says that the model is simulated, and shows what it left', async () => {
    await repository('greeter');
    const watched = await run('start', 'Add dark mode toggle', '--mode', 'errand', '--repo', 'greeter', '--watch');
    expect([watched.code, watched.out]).toEqual([
      0,
      expect.stringMatching(/status +completed, with a simulated model\nproven +simulated/),
    ]);
    const [name = ''] = /\d{3}-dark-mode-toggle/.exec(watched.out) ?? [];
    expect(ProjectDiff.parse(await json('diff', name)).files.map(({ path }) => path)).toContain('theme.mjs');
    expect(ArtifactList.parse(await json('artifacts', name)).data.length).toBeGreaterThan(0);
    const { content } = ArtifactContent.parse(await json('show', name, 'SUMMARY.md'));
    expect(content).toMatch(/simulated model[^]*- proven: simulated/);
    expect(ProjectSummary.parse(await json('status', name)).proven).toBe('simulated');
    expect((await run('status', name)).out).toContain('proven: simulated');
    expect(ProjectCosts.parse(await json('costs', name)).total.simulatedCalls).toBeGreaterThan(0);
    expect(await json('budget', name)).toHaveProperty('usd.cap');
    const again = await run('watch', name, '--json');
    expect([again.code, again.out.includes('"project.completed"')]).toEqual([0, true]);
  });

  it('watches over a kill -9 of the service: no event is lost, none comes twice', async () => {
    const { name, id } = await startDrill('--param', 'workMs=700');
    const watching = begin(['watch', name, '--json']);
    await eventually('the watching has begun', () => watching.seen().includes('state.entered'));
    await service.kill('SIGKILL');
    await eventually('it says that the service is away', () => watching.seen().includes('the service is away'));
    await startService();
    await api.untilStatus(id, 'waiting');
    expect((await run('approve', name)).code).toBe(0);
    const { code, out, err } = await watching.done;
    expect([code, err]).toEqual([0, expect.stringContaining('the service is back')]);
    const seqs = out
      .trimEnd()
      .split('\n')
      .map((line) => ProjectEvent.parse(JSON.parse(line)).seq);
    expect(seqs).toEqual((await api.events(id)).map(({ seq }) => seq));
  });

  it('ends with the code of what went wrong, and shows no key', async () => {
    const { name, id } = await startDrill();
    await api.untilStatus(id, 'waiting');
    const left = await run('watch', name, '--leave-at-gate');
    expect([left.code, left.out]).toEqual([
      4,
      expect.stringContaining(`→ qralph approve ${name} approval --checkpoint`),
    ]);
    const wrong = await begin(['list'], { QRALPH_KEY: `qr_${'x'.repeat(43)}` }).done;
    expect([wrong.code, wrong.err.includes('xxx')]).toEqual([6, false]);
    expect((await begin(['list'], { QRALPH_URL: 'http://127.0.0.1:2' }).done).code).toBe(5);
    expect((await begin(['list'], { QRALPH_DATA_DIR: '/nowhere' }).done).code).toBe(6);
    expect((await run('status', '999-nobody')).code).toBe(1);
    expect((await run('nonsense')).code).toBe(2);
    const watching = begin(['watch', name]);
    await eventually('the gate is shown', () => watching.seen().includes('→ qralph approve'));
    watching.child.kill('SIGINT');
    const { code, err } = await watching.done;
    expect([code, err]).toEqual([130, expect.stringContaining(`${name} runs on`)]);
    expect((await run('abort', name)).code).toBe(0);
    expect((await run('watch', name)).code).toBe(3);
    expect((await api.project(id)).status).toBe('aborted');
  });

  it('knows what is in the way', async () => {
    const well = await run('doctor', '--repo', '.');
    expect([well.code, well.out]).toEqual([
      7,
      expect.stringMatching(/human principal[^]*simulated model[^]*BAD +repository +REPO_NOT_GIT/),
    ]);
    const away = await run('doctor', '--url', 'http://127.0.0.1:2', '--json');
    expect([away.code, JSON.parse(away.out)]).toEqual([5, expect.objectContaining({ exitCode: 5 })]);
  });

  it('means the folder in which it is called, by its name and as a script of npm', async () => {
    const repo = await repository('where-i-stand');
    const script = ['--prefix', projectPath('.'), 'run', '--silent', 'qralph', '--'];
    for (const [command, ...args] of [[QRALPH], ['npm', ...script]] as const) {
      const { done } = begin([...args, 'doctor', '--repo', '.', '--json'], {}, { command, cwd: repo });
      const { code, out } = await done;
      const { checks } = JSON.parse(out) as { checks: { name: string; says: string }[] };
      expect([code, checks.find(({ name }) => name === 'repository')?.says]).toEqual([
        0,
        expect.stringContaining(`${repo} may be worked in`),
      ]);
    }
  });

  it('says something to the agents of a project, lists what was said, and is refused where there are none', async () => {
    const drill = await startDrill();
    expect((await run('note', drill.name, 'Hello')).code).toBe(1);
    const { name, id } = await startIn('noted', '--mode', 'classic');
    await api.untilStatus(id, 'waiting');
    NoteAccepted.parse(await json('note', name, 'Use the existing theme tokens'));
    expect(NoteList.parse(await json('note', name)).data).toMatchObject([{ text: 'Use the existing theme tokens' }]);
    // What was left open gets its default, and the plan that follows from that is turned down.
    CommandAccepted.parse(await json('skip', name));
    await untilGate(id, 'plan');
    expect(await applied(name)).toEqual(['SKIP']);
    expect(DecisionAccepted.parse(await json('reject', name, 'plan'))).toMatchObject({ decision: 'reject' });
    await api.untilStatus(id, 'aborted');
  });

  it('raises a cap, hands a project to a whole team, tries again what is blocked, and says what all of it cost', async () => {
    const [outgrown, blocked] = await Promise.all([
      startIn('outgrown', '--mode', 'work'),
      startIn('blocked', '--setup', 'echo the set-up fails; exit 3'),
    ]);
    await untilGate(outgrown.id, 'plan');
    const cap = expect.objectContaining({ usd: expect.objectContaining({ cap: '7.50' }) as unknown }) as unknown;
    expect(await json('budget', outgrown.name, '--usd', '7.50', '--tokens', '900000')).toEqual(cap);
    expect((await run('budget', outgrown.name)).out).toContain('cap 7.50 USD');
    CommandAccepted.parse(await json('escalate', outgrown.name));
    await eventually('it is handed over', async () => (await applied(outgrown.name)).includes('ESCALATE'));
    await untilGate(blocked.id, 'resolve-problem');
    CommandAccepted.parse(await json('retry', blocked.name));
    await eventually('it is tried again', async () => (await applied(blocked.name)).includes('RETRY'));
    const figures = ['project', 'agent', 'model', 'state', 'day'].map((by) => json('costs', '--by', by));
    for (const one of await Promise.all(figures)) expect(CostGroupList.parse(one).data).not.toEqual([]);
    expect((await run('costs', '--by', 'model')).out).toMatch(/^model +calls +tokens in[^]*by a simulated model/);
    for (const { name, id } of [outgrown, blocked]) {
      expect((await run('abort', name)).code).toBe(0);
      await api.untilStatus(id, 'aborted');
    }
  });
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

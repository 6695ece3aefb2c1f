import { appendFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArtifactContent, ProjectCosts, ProjectDiff } from '#contracts';
import { byTurn, eventually, inOrder } from '#testing';
import { ErrandWorld, gitIn, GOOD_WORK, PROVIDER_KEY } from './errand-world.js';
import { WebhookReceiver } from './webhook-receiver.js';

let world: ErrandWorld;
let receiver: WebhookReceiver;
beforeAll(async () => {
  world = await ErrandWorld.open({ QRALPH_WEBHOOK_ALLOW: 'localhost' });
  receiver = await WebhookReceiver.open();
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

const blockOf = async (id: string): Promise<Record<string, unknown>> => {
  const { checkpoint } = await world.api.project(id);
  const { snapshot } = await world.api.checkpoint(id, checkpoint.seq);
  return (snapshot as { context: { block: Record<string, unknown> } }).context.block;
};

/** Without the times that they begin with. */
const decisionsOf = async (id: string): Promise<string[]> => {
  const { content } = await world.api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/decisions.log`);
  return content.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^20\d\d-\S+Z /, '')]));
};

describe('an errand', () => {
  it('changes the repository on its own branch, proven by tests that the service ran, at a cost that is told', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const repo = await world.repository();
    const before = await gitIn(repo, 'rev-parse', 'HEAD');
    const { id, name } = await world.start(repo);
    const ended = await world.api.untilStatus(id, 'completed', 60_000);
    const { branch = '', headCommit = '' } = ended.workspace ?? {};
    expect(ended).toMatchObject({ state: 'DONE', simulated: false, workspace: { branch: `qralph/${name}` } });
    expect(await gitIn(repo, 'rev-parse', branch)).toBe(headCommit);
    expect(await gitIn(repo, 'show', '--stat', '--format=%s', branch)).toMatch(/Add dark mode toggle[^]*theme\.mjs/);
    expect([await gitIn(repo, 'rev-parse', 'HEAD'), await gitIn(repo, 'status', '--porcelain')]).toEqual([before, '']);
    const { files, patch } = await world.api.must<ProjectDiff>('GET', `/v1/projects/${id}/diff`);
    expect(files.map(({ path }) => path)).toEqual(['theme.mjs', 'theme.test.mjs']);
    expect(patch).toContain('+export function toggle');
    const summary = await world.api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/SUMMARY.md`);
    expect(summary.content).toContain('tests after: passed (2 passed, 0 failed)');
    expect(summary.content).toContain('- added `theme.mjs`, +3 −0');
    expect(summary.content).toContain(
      `| all | 7 | ${String(ended.budget?.tokens.used)} | ${String(ended.budget?.usd.used)} |`,
    );
    expect(await world.api.verify(id)).toMatchObject({ valid: true });
    const costs = await world.api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs`);
    // The planner writes the check in its two calls. An inspector reads the change.
    expect(costs.data.map(({ status, model }) => `${status} ${model}`)).toEqual(
      Array.from({ length: GOOD_WORK.length + 3 }, () => 'done claude-sonnet-5-5'),
    );
    expect(costs.total.costUsd).toBe(ended.budget?.usd.used);
    expect(ended.budget?.usd.reserved).toMatch(/^0\.0+$/);
  });

  it('waits for a rate limit by itself, shown as that, and pays for nothing twice', async () => {
    const [first, ...rest] = GOOD_WORK;
    const limited = { kind: 'status', status: 429, headers: { 'retry-after': '2' }, words: 'slow down' } as const;
    world.errands.use(inOrder([first!, { fault: limited }, ...rest]));
    const before = world.errands.calls.length;
    const { id } = await world.start(await world.repository());
    const waiting = await world.api.until(id, 'waits', ({ waitingFor }) => waitingFor?.kind === 'rate-limit', 60_000);
    expect(waiting).toMatchObject({ status: 'running', state: 'WORKING' });
    expect(waiting.waitingFor?.['until']).toMatch(/^\d{4}-/);
    expect(waiting.waitingFor?.['words']).toContain('slow down');
    await world.api.untilStatus(id, 'completed', 60_000);
    expect(world.errands.calls.length - before).toBe(GOOD_WORK.length + 1);
  });

  it('stops at its cap before the call is sent, tells who wants to know, and goes on when a person raises it', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const before = world.errands.calls.length;
    const webhook = { url: receiver.url('cap'), types: ['budget.exceeded'] };
    const order = { budget: { usd: '0.01', tokens: 400_000 }, webhook };
    const started = await world.start(await world.repository(), order);
    const { id } = started;
    receiver.expect('cap', started.webhook?.secret ?? '');
    const { waitingFor } = await world.api.untilStatus(id, 'blocked', 60_000);
    expect(world.errands.calls.length).toBe(before);
    expect(waitingFor?.['why']).toMatch(/The budget is too small: .* of 0\.01 USD are used[^]*raise the budget/);
    expect(await blockOf(id)).toMatchObject({ cause: 'budget' });
    expect(await world.typesOf(id)).toContain('budget.exceeded');
    const [message] = await eventually('it is told', async () => {
      const received = receiver.received('cap');
      return received.length > 0 ? received : null;
    });
    expect(message).toMatchObject({ type: 'budget.exceeded', data: { project: { id }, breaker: 'usd', cap: '0.01' } });
    const refused = await world.api.refusal('POST', `/v1/projects/${id}/commands`, { command: 'RETRY' });
    expect(refused.code).toBe('COMMAND_NOT_ALLOWED');
    const resolve = `/v1/projects/${id}/gates/resolve-problem`;
    const useless = await world.api.refusal('POST', resolve, { decision: 'resolve' });
    expect(useless).toMatchObject({ status: 409, code: 'DECISION_NOT_NOW' });
    await world.api.must('POST', `/v1/projects/${id}/budget`, { usd: '5.00' });
    const ended = await world.api.untilStatus(id, 'completed', 60_000);
    expect(ended.budget?.usd.cap).toBe('5.00');
    expect(await decisionsOf(id)).toEqual(['a human set the budget to 5.00 USD, 400000 tokens']);
  });

  it('is blocked with the output of a set-up that fails, and can be given up', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const repo = await world.repository();
    const { id } = await world.start(repo, { setup: ['echo cannot compile the widget; exit 3'] });
    const { state, waitingFor } = await world.api.untilStatus(id, 'blocked', 60_000);
    expect(state).toBe('BLOCKED');
    expect(waitingFor?.['why']).toContain('cannot compile the widget');
    const block = await blockOf(id);
    expect(block).toMatchObject({
      cause: 'setup',
      output: expect.stringContaining('cannot compile the widget') as string,
    });
    await world.api.must('POST', `/v1/projects/${id}/gates/resolve-problem`, { decision: 'reject' });
    expect(await world.api.untilStatus(id, 'aborted')).toMatchObject({ state: 'DISCARDED' });
    const { content } = await world.api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/SUMMARY.md`);
    expect(content).toMatch(/## Why it stopped\n\n {4}The set-up failed.*cannot compile the widget/);
    expect(await gitIn(repo, 'worktree', 'list')).not.toContain('data/worktrees');
  });

  it('asks a person where no test shows that it works', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const repo = await world.repository();
    await appendFile(join(repo, 'greeting.mjs'), '// of the user\n');
    const { id } = await world.start(repo, { verify: ['true'], parameters: { attempts: 0 } });
    const asking = await world.api.untilStatus(id, 'waiting', 60_000);
    expect(asking.waitingFor).toMatchObject({
      kind: 'gate',
      gate: 'unproven',
      options: ['accept', 'revise', 'reject'],
    });
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'revise', feedback: 'Try\nagain.' });
    await world.api.until(id, 'asks again', ({ checkpoint, state }) => {
      return state === 'UNPROVEN' && checkpoint.seq > asking.checkpoint.seq;
    });
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'accept' });
    await world.api.untilStatus(id, 'completed');
    expect(await decisionsOf(id)).toEqual([
      'a human decided revise at unproven: Try again.',
      'a human decided accept at unproven',
    ]);
    const { content } = await world.api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/SUMMARY.md`);
    expect(content).toContain('- note: Your checkout has changes that are not committed');
  });

  it('asks a person where tests pass because one was taken away', async () => {
    const deletion = { name: 'run', input: { command: 'rm greeting.test.mjs' } };
    const [look, write, test, end] = GOOD_WORK;
    world.errands.use(byTurn([look!, { ...write!, toolCalls: [...(write?.toolCalls ?? []), deletion] }, test!, end!]));
    const { id } = await world.start(await world.repository());
    await world.api.untilStatus(id, 'waiting', 60_000);
    const reported = (await world.api.events(id)).findLast(({ type }) => type === 'activity.reported');
    expect(reported?.data).toMatchObject({ event: 'verify:failed', verdict: 'passed' });
    expect(JSON.stringify(reported?.data)).toContain('greeting.test.mjs');
    await world.api.command(id, 'ABORT');
    await world.api.untilStatus(id, 'aborted');
  });

  it('verifies without dependencies that the agent changed: a test that needs them fails', async () => {
    const patch = {
      name: 'run',
      input: { command: 'mkdir -p node_modules/left && echo 1 > node_modules/left/index.js' },
    };
    const relying = { name: 'write_file', input: { path: 'left.test.mjs', content: "import 'left';\n" } };
    const remove = { name: 'run', input: { command: 'rm left.test.mjs' } };
    const [look, write, test, end] = GOOD_WORK;
    const first = [look!, { ...write!, toolCalls: [...(write?.toolCalls ?? []), patch, relying] }, test!, end!];
    const later = [{ text: 'I remove it.', toolCalls: [remove] }, end!];
    let conversations = 0;
    world.errands.use((call) => {
      if (call.turn === 0) conversations += 1;
      return byTurn(conversations === 1 ? first : later)(call);
    });
    const repo = await world.repository();
    const { id } = await world.start(repo);
    const { workspace } = await world.api.untilStatus(id, 'completed', 60_000);
    const reported = (await world.api.events(id)).filter(({ type }) => type === 'activity.reported');
    const verdicts = reported.map(({ data }) => data['event']).filter((event) => /^verify:/.test(event as string));
    expect(verdicts).toEqual(['verify:failed', 'verify:passed']);
    const files = await gitIn(repo, 'diff', '--name-only', workspace?.baseCommit ?? '', workspace?.branch ?? '');
    expect(files).toBe('theme.mjs\ntheme.test.mjs');
  });

  it('commits what the agent left, not what a test made of it', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const repo = await world.repository();
    const { id } = await world.start(repo, {
      verify: ['node --test && rm greeting.test.mjs && echo litter > litter.txt && echo evil >> greeting.mjs'],
    });
    const { workspace } = await world.api.untilStatus(id, 'completed', 60_000);
    const files = await gitIn(repo, 'diff', '--name-only', workspace?.baseCommit ?? '', workspace?.branch ?? '');
    expect(files).toBe('theme.mjs\ntheme.test.mjs');
  });

  it('takes files along that git does not know, and commits none of them', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const repo = await world.repository();
    await writeFile(join(repo, '.env.test'), 'PASSWORD=hunter2\n');
    const verify = ['grep -q hunter2 .env.test && node --test'];
    const { id } = await world.start(repo, { copy: ['.env.test'], verify });
    const { workspace } = await world.api.untilStatus(id, 'completed', 60_000);
    const { branch = '' } = workspace ?? {};
    expect(await gitIn(repo, 'ls-tree', '-r', '--name-only', branch)).not.toContain('.env.test');
  });

  it('goes on from its files when the cap was met midway', async () => {
    world.errands.use((call) =>
      byTurn([...GOOD_WORK.slice(0, 2), { ...GOOD_WORK[2]!, usage: { input: 30_000 } }])(call),
    );
    const { id } = await world.start(await world.repository(), { budget: { usd: '0.25' } });
    await world.api.untilStatus(id, 'blocked', 60_000);
    expect(await blockOf(id)).toMatchObject({ cause: 'budget' });
    const { files } = await world.api.must<ProjectDiff>('GET', `/v1/projects/${id}/diff`);
    expect(files.map(({ path }) => path)).toEqual(['theme.mjs', 'theme.test.mjs']);
    const before = world.errands.calls.length;
    world.errands.use(byTurn([GOOD_WORK[3]!]));
    await world.api.must('POST', `/v1/projects/${id}/budget`, { usd: '5.00' });
    await world.api.untilStatus(id, 'completed', 60_000);
    expect(world.errands.calls.length - before).toBe(1);
    expect(JSON.stringify(world.errands.calls.at(-1)?.body)).toContain('cut short');
  });

  it('climbs the heal ladder with what failed, then asks a person', async () => {
    const broken = [
      {
        toolCalls: [
          { name: 'write_file', input: { path: 'greeting.mjs', content: 'export const greeting = () => "moo";\n' } },
        ],
      },
      GOOD_WORK[3]!,
    ];
    world.errands.use(byTurn(broken));
    const before = world.errands.calls.length;
    const { id } = await world.start(await world.repository());
    const { state } = await world.api.untilStatus(id, 'waiting', 90_000);
    expect(state).toBe('UNPROVEN');
    const calls = world.errands.calls.slice(before);
    expect(calls).toHaveLength(6 * broken.length);
    const begun = calls.filter(({ turn }) => turn === 0).map(({ body }) => String(body['model']).split('-')[1]);
    expect(begun.join(' ')).toBe('sonnet haiku haiku sonnet sonnet opus');
    expect(JSON.stringify(calls[broken.length]?.body)).toContain('greets by name');
    const mended = { decision: 'revise', feedback: 'Take the moo out again.' };
    const undo = { name: 'run', input: { command: 'git show HEAD:greeting.mjs > greeting.mjs' } };
    world.errands.use(byTurn([{ toolCalls: [undo] }, ...GOOD_WORK.slice(1)]));
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, mended);
    expect(await world.api.untilStatus(id, 'completed', 60_000)).toMatchObject({ state: 'DONE' });
    expect(JSON.stringify(world.errands.calls.at(-1)?.body)).toContain('Take the moo out again.');
  });

  it('can be given up when its repository is gone, and leaves nothing behind', async () => {
    world.errands.use(byTurn(GOOD_WORK));
    const repo = await world.repository();
    const { id } = await world.start(repo, { verify: ['true'], parameters: { attempts: 0 } });
    await world.api.untilStatus(id, 'waiting', 60_000);
    // At once, as the service may be about to write to it: a removal file by file can meet a page that comes after.
    await rename(repo, `${repo}-gone`);
    await world.api.command(id, 'ABORT');
    expect(await world.api.untilStatus(id, 'aborted', 60_000)).toMatchObject({ state: 'DISCARDED' });
    const untold = (await world.api.events(id)).filter(({ type }) => type === 'artefacts.unwritten');
    expect(untold.map(({ data }) => (data as { code: string }).code)).toEqual(['REPO_NOT_FOUND']);
    expect(await readdir(join(world.dataDir, 'worktrees'))).not.toContain(id);
  });

  it('lets no key of a provider into events, prompts, files or the log', async () => {
    const leak = { name: 'run', input: { command: `echo ${PROVIDER_KEY} | tee leak.txt` } };
    world.errands.use(byTurn([{ toolCalls: [leak] }, GOOD_WORK[3]!]));
    const before = world.errands.calls.length;
    const { id } = await world.start(await world.repository(), { request: `Use the key ${PROVIDER_KEY}` });
    await world.api.untilStatus(id, 'waiting', 60_000);
    await world.api.must('POST', `/v1/projects/${id}/gates/unproven`, { decision: 'accept' });
    await world.api.untilStatus(id, 'completed', 60_000);
    const prompts = world.errands.calls.slice(before).map(({ body }) => JSON.stringify(body));
    expect(prompts.join('\n')).not.toContain(PROVIDER_KEY);
    expect(JSON.stringify(await world.api.events(id))).not.toContain(PROVIDER_KEY);
    expect(world.service.log.join('\n')).not.toContain(PROVIDER_KEY);
    const { content } = await world.api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/SUMMARY.md`);
    expect(content).toContain('[secret]');
  });

  it('is refused before it begins where that is known: repository, runtime, model, sandbox, options, parameters', async () => {
    const repo = await world.repository();
    const refusalOf = async (more: Readonly<Record<string, unknown>>): Promise<string> => {
      const order = { request: 'Add dark mode toggle', mode: 'errand', repo: { path: repo }, ...more };
      const { code, status } = await world.api.refusal('POST', '/v1/projects', order);
      return `${String(status)} ${code}`;
    };
    expect(await refusalOf({ runtime: 'cobol' })).toBe('422 RUNTIME_UNKNOWN');
    expect(await refusalOf({ runtime: 'droid' })).toBe('422 RUNTIME_UNAVAILABLE');
    expect(await refusalOf({ models: { medium: 'nobody:nothing' } })).toBe('422 MODEL_NOT_PROVIDED');
    expect(await refusalOf({ sandbox: 'none' })).toBe('422 SANDBOX_NOT_ALLOWED');
    expect(await refusalOf({ repo: { path: repo, ref: 'nope' } })).toBe('422 REPO_REF_NOT_FOUND');
    expect(await refusalOf({ gates: { unproven: false } })).toBe('422 OPTION_NOT_AVAILABLE');
    expect(await refusalOf({ copy: ['../secrets'] })).toBe('422 COPY_PATH_INVALID');
    expect(await refusalOf({ parameters: { turns: 100_000 } })).toBe('422 PARAMETER_INVALID');
  });
});

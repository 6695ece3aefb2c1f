import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandAccepted, GivenCommand, LiveProcess, NewApiKey, Project } from '#contracts';
import { eventually, type Reply, tempFolder, type TempFolder } from '#testing';
import { did, inTurn, RIGHT, reviewed, type Says, THEME_TEST, writes } from './coding-team.js';
import { type CodingCase, CodingWorld } from './coding-world.js';
import { HANGING_CLAUDE } from './hanging-claude.js';

let world: CodingWorld;
let bin: TempFolder;
beforeAll(async () => {
  bin = tempFolder('bin');
  mkdirSync(bin.path, { recursive: true });
  writeFileSync(join(bin.path, 'claude'), HANGING_CLAUDE, { mode: 0o755 });
  world = await CodingWorld.open({}, { PATH: `${bin.path}:${process.env['PATH'] ?? ''}` });
});
afterAll(async () => {
  await world.close();
  await bin.remove();
});

const TRIO = { agents: { pin: ['sde-iii', 'ux-designer', 'docs-writer'], count: 3 } };
const PLANNING = { variant: 'planning', ...TRIO };
const NEVER: Reply = { text: 'too late', afterMs: 60_000 };
const WORK = [writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }), did('toggle(theme) with its test')];

/** Answers what is asked once the test lets it. */
function held(says: Says): { says: Says; letGo: () => void } {
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  return { says: async (asked) => (await gone, says(asked)), letGo };
}

const commands = async (one: CodingCase): Promise<readonly GivenCommand[]> =>
  (await one.read<{ data: GivenCommand[] }>('commands')).data;
const outcomes = async (one: CodingCase): Promise<readonly string[]> =>
  (await commands(one)).map(({ command, outcome }) => `${command} ${outcome}`).toReversed();
const refusal = (one: CodingCase, command: string) =>
  one.api.refusal('POST', `/v1/projects/${one.id}/commands`, { command });
const inState = (one: CodingCase, state: string): Promise<Project> =>
  one.api.until(one.id, `is in ${state}`, (project) => project.state === state, 90_000);
const controlFile = (one: CodingCase): string => join(one.repo, '.qralph/projects', one.project.name, 'CONTROL.md');

describe.concurrent('a project', () => {
  it('pauses at its next safe point, is shown as pausing until then, and goes on', async () => {
    const execute = held(inTurn(...WORK));
    const one = await world.start('pausing', { execute: execute.says }, TRIO);
    await inState(one, 'EXECUTING');
    await eventually('the implementer asks', async () => one.asked('implementer').length > 0);
    const key = { 'idempotency-key': 'one-pause' };
    const path = `/v1/projects/${one.id}/commands`;
    const { id } = await one.api.must<CommandAccepted>('POST', path, { command: 'PAUSE' }, key);
    expect((await one.api.must<CommandAccepted>('POST', path, { command: 'PAUSE' }, key)).id).toBe(id);
    const pausing = await one.api.project(one.id);
    expect([pausing.status, pausing.waitingFor?.kind]).toEqual(['running', 'pausing']);
    expect(await refusal(one, 'PAUSE')).toMatchObject({ status: 409, code: 'COMMAND_NOT_ALLOWED' });
    const { status } = await one.api.must<CommandAccepted>('POST', path, { command: 'STATUS' });
    expect(status).toMatchObject({ status: 'running', waitingFor: { kind: 'pausing' }, artifact: 'STATUS.md' });
    expect(status?.doing.length).toBeGreaterThan(0);
    execute.letGo();
    await one.api.untilStatus(one.id, 'paused');
    expect(await refusal(one, 'SKIP')).toMatchObject({ details: { allowed: ['RESUME', 'ABORT', 'STATUS'] } });
    const page = await one.page('STATUS.md');
    for (const part of ['state: EXECUTING', '## Under way', 'sde-iii: ', 'dollars: ', 'branch: qralph/']) {
      expect(page).toContain(part);
    }
    await one.api.command(one.id, 'RESUME');
    await one.completed();
    expect(await outcomes(one)).toEqual([
      ...['PAUSE applied', 'PAUSE refused', 'STATUS applied', 'SKIP refused', 'RESUME applied'],
    ]);
    expect(await refusal(one, 'ABORT')).toMatchObject({
      code: 'COMMAND_NOT_ALLOWED',
      details: { allowed: ['STATUS'] },
    });
    const after = await one.api.must<CommandAccepted>('POST', path, { command: 'STATUS' });
    expect(after.status).toMatchObject({ status: 'completed', doing: [], processes: 0 });
    const [, refused] = await commands(one);
    expect(refused).toMatchObject({
      ...{ command: 'ABORT', door: 'api', by: { principal: 'human', key: { name: 'admin' } }, outcome: 'refused' },
      effect: expect.stringContaining('the project has ended') as string,
    });
  });

  it('pauses with its reviewers, and goes on with them', async () => {
    const review = held(() => reviewed());
    const one = await world.start('together', { review: review.says }, PLANNING);
    await eventually('all three ask', async () => one.asked('reviewer').length === 3);
    await one.api.command(one.id, 'PAUSE');
    const paused = await one.api.untilStatus(one.id, 'paused');
    expect(paused.waitingFor?.kind).toBe('pausing');
    review.letGo();
    const resting = await one.api.until(
      one.id,
      'its children rest',
      ({ waitingFor }) => waitingFor?.kind === 'children',
    );
    const children = resting.waitingFor?.['children'] as { status: string }[];
    expect(new Set(children.map(({ status }) => status))).toEqual(new Set(['paused']));
    await one.api.command(one.id, 'RESUME');
    await one.completed();
    expect(one.asked('reviewer')).toHaveLength(3);
  });

  it('skips the step that was meant, once', async () => {
    const execute: Says = (asked) => (one.asked('implementer').length > 1 ? inTurn(...WORK)(asked) : NEVER);
    const point = { priority: 'P1', title: 'greeting takes any name', file: 'greeting.mjs' } as const;
    const one: CodingCase = await world.start('skips', { execute, review: () => reviewed([point]) }, TRIO);
    await eventually('the implementer asks', async () => one.asked('implementer').length > 0, { deadlineMs: 60_000 });
    await Promise.all([one.api.command(one.id, 'SKIP'), one.api.command(one.id, 'SKIP')]);
    expect(await refusal(one, 'ESCALATE')).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
    expect(await refusal(one, 'RETRY')).toMatchObject({ code: 'COMMAND_NOT_ALLOWED' });
    await one.completed();
    const [first, second, ...others] = (await commands(one)).toReversed();
    expect(first).toMatchObject({ outcome: 'applied', effect: 'goes on in EXECUTING' });
    expect(second).toMatchObject({ outcome: 'noted', effect: 'the step that SKIP was meant for has ended' });
    expect(others.map(({ command, outcome }) => `${command} ${outcome}`)).toEqual([
      'ESCALATE refused',
      'RETRY refused',
    ]);
  });

  it('is steered by CONTROL.md as by a service', async () => {
    const execute = held(inTurn(...WORK));
    const one = await world.start('filed', { execute: execute.says }, TRIO);
    await eventually('the implementer asks', async () => one.asked('implementer').length > 0, { deadlineMs: 60_000 });
    const template = readFileSync(controlFile(one), 'utf8');
    expect(template).toContain('- SKIP: ');
    const say = (...lines: string[]): void => writeFileSync(controlFile(one), `${template}${lines.join('\n')}\n`);
    const marked = (line: RegExp): Promise<unknown> =>
      eventually(`the file has ${String(line)}`, async () => line.test(readFileSync(controlFile(one), 'utf8')));
    say('please do not PAUSE', 'PAUSE', 'STATUS');
    await marked(/^PAUSE {2}<- taken [\d-]+T[\d:.]+Z\nSTATUS {2}<- taken/m);
    execute.letGo();
    await one.api.untilStatus(one.id, 'paused');
    expect(await one.page('STATUS.md')).toContain('state: EXECUTING');
    say('resume', 'RESUME');
    await marked(/^resume {2}<- not taken .*capitals.*\nRESUME {2}<- taken/m);
    await one.completed();
    expect((await commands(one)).toReversed().map((given) => [given.command, given.door, given.by, given.outcome])).toEqual([
      ['PAUSE', 'file', { principal: 'service', key: null }, 'applied'],
      ['STATUS', 'file', { principal: 'service', key: null }, 'applied'],
      ['RESUME', 'file', { principal: 'service', key: null }, 'refused'],
      ['RESUME', 'file', { principal: 'service', key: null }, 'applied'],
    ]); // prettier-ignore
  });

  it('tries again out of BLOCKED for a person, for no service and for no file', async () => {
    let isMended = false;
    const review: Says = () => (isMended ? reviewed() : { text: '' });
    const one = await world.start('again', { review }, PLANNING);
    await one.blocked();
    const order = { name: 'robot', principal: 'service', scopes: ['projects:read', 'projects:write'] };
    const { key } = await one.api.must<NewApiKey>('POST', '/v1/api-keys', order);
    const path = `/v1/projects/${one.id}/commands`;
    expect(await one.api.with(key).refusal('POST', path, { command: 'RETRY' })).toMatchObject({
      code: 'HUMAN_REQUIRED',
    });
    writeFileSync(controlFile(one), 'RETRY\n');
    const answered = (): boolean =>
      /^RETRY {2}<- not taken .*needs a human principal\n$/.test(readFileSync(controlFile(one), 'utf8'));
    await eventually('the file is answered', async () => answered());
    isMended = true;
    await one.api.command(one.id, 'RETRY');
    await one.completed();
    expect(await outcomes(one)).toEqual(['RETRY refused', 'RETRY refused', 'RETRY applied']);
  });
});

describe('ABORT while seven agents run, one of which ignores SIGTERM', () => {
  it('leaves no process, no lease and no reservation within 10 seconds', async () => {
    const SEVEN = {
      pin: ['sde-iii', 'ux-designer', 'docs-writer', 'product', 'devops', 'data-engineer', 'test-engineer'],
    };
    const more = { variant: 'planning', runtime: 'claude', agents: { ...SEVEN, count: 7 } };
    const one = await world.start('seven', { review: () => NEVER }, more);
    const live = async (): Promise<readonly LiveProcess[]> =>
      (await one.api.must<{ data: LiveProcess[] }>('GET', '/v1/processes')).data;
    await eventually('all seven ask', async () => one.asked('reviewer').length === 7, { deadlineMs: 60_000 });
    const trees = (await live()).flatMap(({ tree }) => tree);
    expect((await live()).filter(({ purpose }) => purpose.startsWith('claude agent'))).toHaveLength(7);
    expect(Number((await one.api.project(one.id)).budget?.usd.reserved)).toBeGreaterThan(0);
    const from = performance.now();
    await one.api.command(one.id, 'ABORT');
    const ended = await eventually(
      'nothing is left',
      async () => {
        const project = await one.api.project(one.id);
        const isOver = project.status === 'aborted' && (await live()).length === 0;
        const leases = /^qralph_leases_held (\d+)$/m.exec(await one.api.text('/metrics'))?.[1];
        const isLeft = Number(project.budget?.usd.reserved) > 0 || trees.some(({ pid }) => isRunning(pid));
        return isOver && leases === '0' && !isLeft ? project : null;
      },
      { deadlineMs: 10_000, everyMs: 100 },
    );
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(ended.state).toBe('TEAM_SHUTDOWN');
    expect(trees.length).toBeGreaterThanOrEqual(14);
  });
});

/** One that has ended and was not buried yet is none. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

import { access, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, hasCurl, tempFolder, type TempFolder } from '#testing';
import { Api } from '../harness/api.js';
import { processesOf, projectPath, readProjectFile, type Shipped, startShipped } from './shipped.js';
import { Terminal } from './terminal.js';

/** What the README tells to type in a section, block by block. */
const blocksOf = (section: string): string[] =>
  (new RegExp(`^## ${section}$([^]*?)^## `, 'm').exec(readProjectFile('README.md'))?.[1] ?? '')
    .split('\n```')
    .flatMap((part) => (part.startsWith('sh\n') ? [part.slice('sh\n'.length)] : []));

/** curl prints one answer after another with nothing in between. */
const answersIn = (printed: string): Record<string, unknown>[] =>
  printed.split(/(?<=[}\]])(?=\{)/).map((answer) => JSON.parse(answer) as Record<string, unknown>);
const eventsIn = (printed: string): string[] => [...printed.matchAll(/^event: (.+)$/gm)].map(([, name = '']) => name);

describe.runIf(hasCurl())('the walk of the README, as it is written there', () => {
  let folder: TempFolder;
  let terminal: Terminal;
  let service: Shipped;
  let url: string;
  let api: Api;

  /** `npm start` in one terminal. Only its port is not the one of the README: another service may have that. */
  async function start(): Promise<void> {
    service = startShipped('start', folder.path, { QRALPH_PORT: '0' });
    const listening = await Promise.race([
      eventually('the service listens', () => service.lines.find((line) => line.includes('"listening on ')), {
        deadlineMs: 60_000,
      }),
      service.ended.then((how) => Promise.reject(new Error(`it ended with ${how}:\n${service.lines.join('\n')}`))),
    ]);
    ({ url } = JSON.parse(listening) as { url: string });
    api = await Api.ofDataDir(url, join(folder.path, '.data'));
  }

  const asWritten = (block: string): string => block.replaceAll('localhost:3000', `localhost:${new URL(url).port}`);
  const isHeldByNobody = async (): Promise<boolean> =>
    (await api.text('/metrics')).includes('\nqralph_leases_held 0\n');

  beforeAll(async () => {
    folder = tempFolder('readme');
    // The folder stands for that of a clone: what is called from there is found there.
    await symlink(projectPath('bin'), join(folder.path, 'bin'));
    await start();
    terminal = new Terminal(folder.path, { QRALPH_URL: url });
  });
  afterAll(async () => {
    await terminal.close();
    service.child.kill('SIGTERM');
    await service.ended;
    await folder.remove();
  });

  it('leads with qralph from a fresh folder to a plan, to a better one, and to its proven end', async () => {
    const [setUp = '', make = '', begin = '', look = '', revise = '', approve = '', proof = '', ...more] =
      blocksOf('A walk');
    expect(more).toEqual([]);
    expect(await terminal.run(setUp)).toContain('simulated model');
    expect(await terminal.run(make)).toBe('');
    const begun = await terminal.run(begin);
    expect(begun).toContain('001-dark-mode-toggle');
    expect(begun).toMatch(/→ qralph approve 001-dark-mode-toggle plan --checkpoint \d+/);
    const plan = await terminal.run(look);
    expect(plan).toMatch(/→ qralph revise 001-dark-mode-toggle plan[^]*# /);
    expect(await terminal.run(revise)).toMatch(/decided +revise[^]*USER_REVIEW[^]*→ qralph approve/);
    expect(await terminal.run(approve)).toMatch(
      /project\.completed[^]*status +completed, with a simulated model\nproven +simulated/,
    );
    const proven = await terminal.run(proof);
    expect(proven).toMatch(/added .* theme\.mjs[^]*simulated model[^]*the whole chain verifies/);
    expect(await api.project('001-dark-mode-toggle')).toMatchObject({ mode: 'work', status: 'completed' });
  });

  it('leads from a fresh folder to a completed project, and back and sideways on the way', async () => {
    const [setUp = '', begin = '', watch = '', look = '', goBack = '', approve = '', ...more] =
      blocksOf('A walk with curl').map(asWritten);
    expect(more).toEqual([]);
    expect(await terminal.run(setUp)).toBe('');

    expect(await terminal.run(begin)).toBe('');
    const begun = await api.project('002-walk-through-drill');
    expect(begun).toMatchObject({ mode: 'drill' });
    const { id } = begun;

    terminal.type(watch);
    await terminal.sees('event: gate.opened\n');
    await eventually('the drill rests', isHeldByNobody);
    expect(eventsIn(await terminal.ctrlC()).slice(-1)).toEqual(['gate.opened']);

    const [gates, verdict] = answersIn(await terminal.run(look));
    expect(gates?.['data']).toMatchObject([{ name: 'approval' }]);
    expect(verdict).toMatchObject({ valid: true });

    const [restored, , fork] = answersIn(await terminal.run(goBack));
    expect(restored).toMatchObject({ id, status: 'paused' });
    expect(fork?.['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(fork?.['id']).not.toBe(id);
    await api.untilStatus(String(fork?.['id']), 'waiting');
    await api.untilStatus(id, 'waiting');

    const events = eventsIn(await terminal.run(approve));
    expect(events.at(-1)).toBe('project.completed');
    expect(events).toContain('checkpoint.restored');
    expect(await api.project('002-walk-through-drill')).toMatchObject({ id, status: 'completed' });
    await access(join(folder.path, '.data', 'scratch', id, '.git'));
  });

  it('leads on to a team in a repository, with a simulated model that is shown as that', async () => {
    const [begin = '', look = '', ...more] = blocksOf('A team in a repository').map(asWritten);
    expect(more).toEqual([]);
    const events = eventsIn(await terminal.run(begin));
    expect([events.includes('project.completed'), events.at(-1)]).toEqual([true, 'project.ended']);
    const printed = await terminal.run(look);
    const [seated, findings, problems, diff, costs, summary] = answersIn(
      printed.slice(0, printed.lastIndexOf('}') + 1),
    );
    expect(seated).toMatchObject({ name: 'qralph-004-dark-mode-toggle', status: 'deleted' });
    expect(findings?.['data']).toMatchObject([{ priority: 'P2' }]);
    expect(problems?.['data']).toMatchObject([{ status: 'fixed' }]);
    expect(diff?.['files']).toMatchObject([{ path: 'theme.mjs' }, { path: 'theme.test.mjs' }]);
    expect(costs?.['total']).toMatchObject({ costUsd: '0.00' });
    expect(summary?.['content']).toMatch(/Done by a simulated model[^]*- proven: simulated/);
    expect(printed).toContain('Add dark mode toggle');
  });

  it('finds the whole API at /docs and /openapi.json', async () => {
    const pages = await Promise.all(['/docs', '/openapi.json'].map((path) => fetch(url + path)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('survives a kill -9 in the middle: started again, the project goes on where it was', async () => {
    const { id } = await api.startDrill({
      parameters: { rounds: 1, width: 2, workMs: 1_500 },
      gates: { approval: false },
    });
    await api.until(id, 'splits', (project) => project.waitingFor?.kind === 'children');
    service.child.kill('SIGKILL');
    expect(await service.ended).toBe('SIGKILL');
    await start();
    await api.untilStatus(id, 'completed');
    const entered = (await api.events(id)).filter(({ type }) => type === 'state.entered');
    expect(entered.filter(({ data }) => (data as { to?: unknown }).to === 'PREPARING')).toHaveLength(1);
  });

  it('ends with the service, which leaves nothing running and complains of nothing', async () => {
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe('0');
    expect(service.lines.filter((line) => !line.startsWith('{"level":30,'))).toEqual([]);
    await terminal.close();
    expect(processesOf(folder.path)).toEqual([]);
  });
});

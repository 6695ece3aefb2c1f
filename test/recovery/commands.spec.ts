import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '#contracts';
import type { Api } from '../harness/api.js';
import { type Field, openField } from '../harness/field.js';

const REACHES_WITHIN_MS = 1_000;
const ORDER = { parameters: { rounds: 1, width: 1, workMs: 30_000, coolMs: 0 } };

/** The API in one process, which drives nothing, and workers in two others. */
describe('a command reaches a project in another process', () => {
  let field: Field;
  let api: Api;
  beforeAll(async () => {
    field = await openField();
    ({ api } = await field.orchestrator({ QRALPH_WORKER: 'off' }));
    await field.process({ role: 'worker' });
    await field.process({ role: 'worker' });
  });
  afterAll(() => field.close());

  /** A drill that waits for its one task, which runs. */
  const drill = async (): Promise<{ parent: string; child: string }> => {
    const { id } = await api.startDrill(ORDER);
    const childOf = ({ waitingFor }: Project) => (waitingFor?.['children'] as { id: string }[] | undefined)?.[0]?.id;
    const child = childOf(await api.until(id, 'has a child', (project) => childOf(project) !== undefined)) ?? '';
    const runs = async () => (await api.events(child)).some(({ type }) => type === 'effect.started');
    await expect.poll(runs, { timeout: 30_000 }).toBe(true);
    return { parent: id, child };
  };

  /** By the clock of the database: from when it was stored until it was applied. */
  const delayOf = async (project: string, command: string): Promise<number> => {
    const told = async (type: string) =>
      (await api.events(project)).findLast((event) => event.type === type && (event.data['command'] ?? event.data['cause']) === command); // prettier-ignore
    await expect.poll(() => told('signal.applied'), { timeout: 30_000, interval: 50 }).toBeDefined();
    const [from, to] = [await told('command.received'), await told('signal.applied')];
    return Date.parse(to?.at ?? '') - Date.parse(from?.at ?? '');
  };

  it('within a second, whether it is at rest or its step runs', async () => {
    const delays: number[] = [];
    for (let nth = 0; nth < 4; nth += 1) {
      const { parent, child } = await drill();
      for (const command of ['PAUSE', 'RESUME'] as const) {
        await api.command(parent, command);
        delays.push(await delayOf(parent, command));
      }
      // Its step runs in a worker that no wake-up needs to reach.
      await api.command(child, 'ABORT');
      delays.push(await delayOf(child, 'ABORT'));
      await api.command(parent, 'ABORT');
      await api.untilStatus(parent, 'aborted');
    }
    expect(delays).toHaveLength(12);
    expect(Math.max(...delays), `milliseconds: ${delays.join(', ')}`).toBeLessThan(REACHES_WITHIN_MS);
    expect(await field.broken()).toEqual([]);
  });
});

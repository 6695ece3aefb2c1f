import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Gate } from '#contracts';
import type { Snapshot } from '#engine';
import { type JsonObject, UserError } from '#kernel';
import { appendEvents, type Database } from '#persistence';
import type { Operation } from '../http/index.js';
import { type DeskWorld, obeying, openDeskWorld, operation } from './desk.fixture.js';
import type { EngineProjectDesk } from './project-desk.js';

let world: DeskWorld;
let desk: EngineProjectDesk;
beforeAll(async () => {
  world = await openDeskWorld(process.env['PATH'] ?? '');
  ({ desk } = world);
});
afterAll(() => world.close());

const service = (): Operation => {
  const { by, ...rest } = operation();
  return { ...rest, by: { ...by, principal: 'service' } };
};

describe('two people at one gate', () => {
  it('one decides, also where they do so at once, and the others are told what and by whom', async () => {
    const { id } = await world.start();
    const people = Array.from({ length: 6 }, () => operation());
    const options = ['yes', 'again'];
    const results = await Promise.allSettled(
      people.map((one, nth) => desk.decide(id, 'go', { decision: options[nth % 2] ?? '' }, one)),
    );
    const winners = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const losers = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as UserError] : []));
    expect([winners.length, losers.length]).toEqual([1, 5]);
    const [first] = people.filter((_, nth) => results[nth]?.status === 'fulfilled');
    const decided = { decision: winners[0]?.decision, by: 'human', key: first?.by.keyId };
    for (const { code, details } of losers) expect({ code, details }).toMatchObject({ code: 'GATE_DECIDED', details: { decided } }); // prettier-ignore
    expect(await world.signals(id)).toMatchObject([{ kind: 'decision', decision: decided.decision }]);
    expect(await world.events(id, 'gate.decided')).toHaveLength(1);
    expect(await world.events(id, 'gate.refused')).toHaveLength(5);
  });

  it('the second hears of the first also after it was heeded, and where nothing tells of the one that waits', async () => {
    const { id } = await world.start();
    const first = operation();
    await desk.decide(id, 'go', { decision: 'yes' }, first);
    await world.drive(id, obeying());
    const late = desk.decide(id, 'go', { decision: 'again' }, operation());
    const decided = { decision: 'yes', by: 'human', key: first.by.keyId };
    await expect(late).rejects.toMatchObject({ code: 'GATE_NOT_OPEN', details: { decided } });
    const other = await world.start();
    await desk.decide(other.id, 'go', { decision: 'yes' }, operation());
    await world.pool.query('DELETE FROM event_group WHERE project_id = $1', [other.id]);
    await expect(desk.decide(other.id, 'go', { decision: 'yes' }, operation())).rejects.toMatchObject({
      code: 'GATE_DECIDED',
      details: { decided: { decision: 'yes' } },
    });
  });

  it('finds what was decided and waits for RESUME at the gate, and the question no more among what is asked', async () => {
    const { id } = await world.start();
    const { reads } = world.stores;
    const inbox = async (): Promise<string[]> => (await reads.openGates({ limit: 200 })).data.map((gate) => gate.project.id); // prettier-ignore
    expect(await reads.gates(id)).toMatchObject([{ name: 'go', decided: null }]);
    expect(await inbox()).toContain(id);
    await world.drive(id, ({ snapshot }) => ({ ...snapshot, paused: true }));
    await desk.decide(id, 'go', { decision: 'again' }, operation());
    const [gate] = await reads.gates(id);
    const at = expect.any(String) as string;
    expect(Gate.parse(gate)).toMatchObject({ name: 'go', decided: { decision: 'again', by: 'human', at } });
    await world.set(id, `status = 'waiting'`);
    expect(await inbox()).not.toContain(id);
    await world.drive(id, ({ snapshot }) => ({ ...snapshot, paused: false, visit: snapshot.visit + 1 }));
    // Asked anew it is another question, whatever lies in the inbox still.
    await world.pool.query('UPDATE signal SET consumed_version = NULL WHERE project_id = $1', [id]);
    expect(await reads.gates(id)).toMatchObject([{ name: 'go', decided: null }]);
    expect(await inbox()).toContain(id);
  });

  it('may decide anew where the first decision was to ask again', async () => {
    const { id } = await world.start();
    await desk.decide(id, 'go', { decision: 'again' }, operation());
    await world.drive(id, obeying());
    await desk.decide(id, 'go', { decision: 'yes' }, operation());
    expect(await world.signals(id)).toMatchObject([{ visit: 1 }, { visit: 2, decision: 'yes' }]);
  });

  it('whoever is overtaken between look and decision looks again', async () => {
    const overtaken = (id: string, times: number): Database => {
      let left = times;
      const connect = async (): Promise<unknown> => {
        left -= 1;
        if (left >= 0) await world.drive(id, ({ snapshot }) => ({ ...snapshot, visit: snapshot.visit + 1 }));
        return world.pool.connect();
      };
      const query = (sql: string, values?: unknown[]): Promise<unknown> => world.pool.query(sql, values);
      return { query, connect } as unknown as Database;
    };
    const [once, often] = [await world.start(), await world.start()];
    await world.deskWith({ pool: overtaken(once.id, 1) }).decide(once.id, 'go', { decision: 'yes' }, operation());
    expect(await world.signals(once.id)).toMatchObject([{ visit: 2 }]);
    const busy = world.deskWith({ pool: overtaken(often.id, 100) });
    await expect(busy.decide(often.id, 'go', { decision: 'yes' }, operation())).rejects.toMatchObject({
      code: 'GATE_CHANGED',
    });
    expect(await world.signals(often.id)).toEqual([]);
  });
});

describe('a decision that is refused', () => {
  it('by a checkpoint that is not the newest any more says what has happened since, and by whom', async () => {
    const { id } = await world.start();
    const first = operation();
    await desk.decide(id, 'go', { decision: 'again' }, first);
    await world.drive(id, obeying());
    const stale = desk.decide(id, 'go', { decision: 'yes', checkpoint: 1 }, operation());
    await expect(stale).rejects.toMatchObject({
      code: 'GATE_CHANGED',
      message: expect.stringContaining('from checkpoint 1 to 2, and stands in ASKING: look again') as string,
      details: {
        from: 1,
        to: 2,
        state: 'ASKING',
        gate: 'go',
        happened: [{ type: 'gate.decided', decision: 'again', by: 'human', key: first.by.keyId }],
        isMore: false,
      },
    });
    await expect(desk.decide(id, 'go', { decision: 'yes', checkpoint: 9 }, operation())).rejects.toMatchObject({
      code: 'GATE_CHANGED',
      message: 'there is no checkpoint 9 yet: the project is at 2, and stands in ASKING: look again',
    });
    await desk.decide(id, 'go', { decision: 'yes', checkpoint: 2 }, operation());
    expect(await world.signals(id)).toMatchObject([{ visit: 1 }, { visit: 2, decision: 'yes' }]);
    await world.drive(id, obeying());
    const gone = desk.decide(id, 'go', { decision: 'yes', checkpoint: 2 }, operation());
    await expect(gone).rejects.toMatchObject({
      code: 'GATE_CHANGED',
      details: { to: 3, state: 'WORKING', gate: null },
    });
  });

  it('tells of the newest twenty happenings, each in short', async () => {
    const { id } = await world.start();
    for (let nth = 0; nth < 30; nth += 1) {
      await appendEvents(world.pool, id, [
        { type: 'note.added', data: { nth, note: 'x'.repeat(5_000), text: 'long' } },
      ]);
    }
    await desk.decide(id, 'go', { decision: 'again' }, operation());
    await world.drive(id, obeying());
    const error = await desk.decide(id, 'go', { decision: 'yes', checkpoint: 1 }, operation()).catch((one: unknown) => one); // prettier-ignore
    const { happened, isMore } = (error as UserError).details as { happened: JsonObject[]; isMore: boolean };
    expect([happened.length, isMore]).toEqual([20, true]);
    expect(happened.at(-1)).toMatchObject({ type: 'gate.decided' });
    expect(Object.keys(happened[0] ?? {})).toEqual(['seq', 'type', 'at', 'note']);
    expect(JSON.stringify(happened).length).toBeLessThan(10_000);
  });

  it('of a service changes nothing, and leaves word of who, when and why', async () => {
    const { id } = await world.start();
    const by = service();
    await expect(desk.decide(id, 'go', { decision: 'yes', checkpoint: 1, feedback: 'x' }, by)).rejects.toMatchObject({
      code: 'HUMAN_REQUIRED',
    });
    // The same request once more, its answer lost: it is told of once.
    await expect(desk.decide(id, 'go', { decision: 'yes', checkpoint: 1, feedback: 'x' }, by)).rejects.toThrow(
      UserError,
    );
    expect(await world.signals(id)).toEqual([]);
    expect(await world.events(id, 'gate.decided')).toEqual([]);
    const why = expect.stringContaining('human principal') as string;
    const { keyId: key } = by.by;
    expect(await world.events(id, 'gate.refused')).toEqual([
      { gate: 'go', decision: 'yes', id: by.id, by: 'service', key, code: 'HUMAN_REQUIRED', why, checkpoint: 1 },
    ]);
  });

  it('leaves word whatever it was refused for, and none where there is no such project', async () => {
    const { id } = await world.start();
    const codes = async (): Promise<unknown[]> => (await world.events(id, 'gate.refused')).map(({ code }) => code);
    for (const [gate, decision] of [['go', 'maybe'], ['closed', 'yes'], ['failed-step', 'RETRY']] as const) {
      await expect(desk.decide(id, gate, { decision }, operation())).rejects.toThrow(UserError);
    } // prettier-ignore
    expect(await codes()).toEqual(['DECISION_UNKNOWN', 'GATE_NOT_OPEN', 'GATE_NOT_OPEN']);
    await expect(desk.decide('999-none', 'go', { decision: 'yes' }, operation())).rejects.toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    });
  });
});

describe('a decision about an effect whose end nobody knows', () => {
  const asks = (key: string): NonNullable<Snapshot['wait']> => ({ kind: 'effect', key, question: `Was ${key} done?` });

  it('settles the one that was asked about, once, and no other of the same visit', async () => {
    const { id } = await world.start();
    await world.drive(id, ({ snapshot }) => ({ ...snapshot, state: 'WORKING', visit: 2, wait: asks('1/2/a') }));
    await desk.decide(id, 'settle-effect', { decision: 'done' }, operation());
    const again = desk.decide(id, 'settle-effect', { decision: 'repeat' }, operation());
    await expect(again).rejects.toMatchObject({ code: 'GATE_DECIDED', details: { decided: { decision: 'done' } } });
    expect(await world.signals(id)).toMatchObject([{ effect: '1/2/a', decision: 'done' }]);
    await world.drive(id, obeying(asks('1/2/b')));
    expect((await world.stores.reads.gates(id))[0]).toMatchObject({ kind: 'effect', ask: 'Was 1/2/b done?' });
    await desk.decide(id, 'settle-effect', { decision: 'repeat' }, operation());
    expect(await world.signals(id)).toMatchObject([{ effect: '1/2/a' }, { effect: '1/2/b', decision: 'repeat' }]);
  });
});

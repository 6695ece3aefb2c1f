import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import type { ClaimedProject, PrincipalKind, ProjectStore, SignalBody, Snapshot, WorkerStore, Write } from '#engine';
import type { MemorySeed } from './memory/index.js';
import { sampleSeed } from './sample-project.js';

/** A store and the doors around it that the engine itself does not need. */
export interface StoreUnderTest {
  readonly store: ProjectStore;
  readonly workers: WorkerStore;
  create(seed: MemorySeed): Promise<void>;
  signal(to: string, by: PrincipalKind, body: SignalBody): Promise<void>;
  eventTypes(projectId: string): Promise<string[]>;
  /** What somebody who wants to know everything is told of a project: type, version, and what else it says. */
  announced(projectId: string): Promise<[type: string, version: number, data: JsonObject][]>;
  staleWrites(projectId: string): Promise<number>;
  /** Null when the chain verifies, else what is wrong. */
  chainFault(projectId: string): Promise<string | null>;
  close(): Promise<void>;
}

const LONG = 60_000;

/** What the engine relies on; every store must pass. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let test: StoreUnderTest;
    beforeAll(async () => {
      test = await open();
    });
    afterAll(() => test.close());

    async function claimed(seed = sampleSeed({ kept: 'yes', count: 1 }), worker = 'w1'): Promise<ClaimedProject> {
      await test.workers.heartbeat(worker, LONG);
      await test.create(seed);
      return claim(seed.facts.id, worker);
    }
    async function claim(id: string, worker: string): Promise<ClaimedProject> {
      const result = await test.store.claim(id, worker);
      if (result.kind !== 'claimed') throw new Error(`expected a lease, was ${result.kind}`);
      return result.project;
    }
    const moved = (
      project: ClaimedProject,
      change: Partial<Snapshot> = {},
      changed: Write['next'] | object = {},
    ): Write => ({
      number: project.writes + 1,
      next: {
        snapshot: { ...project.snapshot, state: 'SECOND', visit: project.snapshot.visit + 1, ...change },
        version: project.version + 1,
        status: 'running',
        cause: 'go',
        changed: changed as Record<string, never>,
      },
      events: [{ type: 'state.entered', data: { to: 'SECOND' } }],
    });

    it('gives a new project to the worker that asks, with everything it was created with', async () => {
      const project = await claimed();
      expect(project).toMatchObject({ version: 1, writes: 0, takenFrom: null, journal: [], signals: [] });
      expect(project.snapshot.context).toEqual({ kept: 'yes', count: 1 });
      expect(project.lease.epoch).toBe(1);
    });

    it('gives a project to one worker at a time', async () => {
      const project = await claimed();
      await test.workers.heartbeat('w2', LONG);
      expect(await test.store.claim(project.facts.id, 'w2')).toEqual({ kind: 'held' });
    });

    it('gives the project of a worker that stopped beating to the next one, with a higher epoch', async () => {
      const project = await claimed(undefined, 'dying');
      await test.workers.heartbeat('dying', -1);
      const next = await claim(project.facts.id, 'w2');
      expect(next.takenFrom).toBe('dying');
      expect(next.lease.epoch).toBe(project.lease.epoch + 1);
    });

    it('commits snapshot, checkpoint and events together, and the next worker finds them', async () => {
      const project = await claimed();
      const context = { kept: 'yes', count: 2, big: 'x'.repeat(5_000) };
      const write = moved(project, { context }, { count: 2, big: context.big });
      expect(await test.store.write(project.lease, write)).toMatchObject({ kind: 'written' });
      await test.store.release(project.lease, { runnable: true, seenSignal: 0 });
      const next = await claim(project.facts.id, 'w1');
      expect(next).toMatchObject({ version: 2, writes: 1, snapshot: { state: 'SECOND', visit: 2, context } });
      expect(await test.eventTypes(project.facts.id)).toEqual(['project.created', 'state.entered']);
      expect(await test.chainFault(project.facts.id)).toBeNull();
    });

    it('removes keys of the context that a write sets to null', async () => {
      const project = await claimed();
      await test.store.write(project.lease, moved(project, { context: { count: 1 } }, { kept: null }));
      await test.store.release(project.lease, { runnable: true, seenSignal: 0 });
      expect((await claim(project.facts.id, 'w1')).snapshot.context).toEqual({ count: 1 });
      expect(await test.chainFault(project.facts.id)).toBeNull();
    });

    it('refuses a write with an old epoch, changes nothing and records it', async () => {
      const project = await claimed(undefined, 'slow');
      await test.workers.heartbeat('slow', -1);
      const next = await claim(project.facts.id, 'w2');
      expect(await test.store.write(project.lease, moved(project))).toEqual({ kind: 'stale' });
      expect(await test.staleWrites(project.facts.id)).toBe(1);
      expect(await test.store.write(next.lease, moved(next))).toMatchObject({ kind: 'written' });
      expect(await test.chainFault(project.facts.id)).toBeNull();
    });

    it('applies a numbered write once, however often it is sent', async () => {
      const project = await claimed();
      const write = moved(project);
      expect(await test.store.fateOf(project.lease, 1)).toBe('not-applied');
      expect(await test.store.write(project.lease, write)).toMatchObject({ kind: 'written' });
      expect(await test.store.fateOf(project.lease, 1)).toBe('applied');
      expect(await test.store.write(project.lease, write)).toEqual({ kind: 'stale' });
      expect(await test.eventTypes(project.facts.id)).toEqual(['project.created', 'state.entered']);
    });

    it('goes on after a write whose answer was lost', async () => {
      const project = await claimed();
      await test.store.write(project.lease, moved(project, { context: { kept: 'no', count: 1 } }, { kept: 'no' }));
      expect(await test.store.fateOf(project.lease, 1)).toBe('applied');
      const next = { ...project, version: 2, writes: 1 };
      expect(await test.store.write(project.lease, moved(next, { state: 'LAST' }))).toMatchObject({ kind: 'written' });
      expect(await test.chainFault(project.facts.id)).toBeNull();
    });

    it('announces what a write that was applied says, and nothing of one that was not', async () => {
      const project = await claimed();
      const { id } = project.facts;
      const announcements = [
        { type: 'project.state_changed', data: { to: 'SECOND' } },
        { type: 'project.waiting', data: {} },
      ];
      const write = { ...moved(project), announcements };
      expect(await test.store.write(project.lease, { ...write, number: 7 })).toEqual({ kind: 'stale' });
      expect(await test.announced(id)).toEqual([]);
      await test.store.write(project.lease, write);
      await test.store.write(project.lease, write);
      const told = await test.announced(id);
      expect(told).toHaveLength(2);
      for (const { type, data } of announcements) expect(told).toContainEqual([type, 2, data]);
    });

    it('announces what children meet once, and of the project that they work for', async () => {
      const parent = await claimed();
      const keys = ['a', 'b'];
      const seeds = keys.map((key) => sampleSeed({}, { parent: { id: parent.facts.id, key, visit: 1 } }));
      await test.store.write(parent.lease, { number: 1, children: seeds.map((one) => ({ ...one, incarnation: 1 })) });
      const data = { cap: '1.00' };
      const announcements = [{ type: 'budget.exceeded', data, isOnce: true }];
      const children = await Promise.all(seeds.map(({ facts }) => claim(facts.id, 'w1')));
      await Promise.all(children.map(({ lease }) => test.store.write(lease, { number: 1, announcements })));
      await test.store.write(parent.lease, { number: 2, announcements });
      expect(await test.announced(parent.facts.id)).toEqual([['budget.exceeded', 1, data]]);
      for (const { facts } of seeds) expect(await test.announced(facts.id)).toEqual([]);
    });

    it('tells a former holder that its lease is gone', async () => {
      const project = await claimed(undefined, 'slow');
      await test.workers.heartbeat('slow', -1);
      await claim(project.facts.id, 'w2');
      expect(await test.store.fateOf(project.lease, 1)).toBe('stale');
      expect(await test.store.release(project.lease, { runnable: false, seenSignal: 0 })).toBe('stale');
    });

    it('keeps the journal of the current visit, with outcomes that carry any JSON', async () => {
      const project = await claimed();
      const outcome = { text: 'nul \u0000 and emoji \u{1f600}', list: [1, null, { deep: true }] };
      const key = '1/1/step';
      const started = { key, status: 'started', attempt: 1, outcome: null } as const;
      await test.store.write(project.lease, { number: 1, journal: [started] });
      await test.store.write(project.lease, { number: 2, journal: [{ ...started, status: 'done', outcome }] });
      await test.store.release(project.lease, { runnable: true, seenSignal: 0 });
      const next = await claim(project.facts.id, 'w1');
      expect(next.journal).toMatchObject([{ key, status: 'done', attempt: 1, outcome }]);
      expect(next.version).toBe(1);
    });

    it('delivers signals in order until they are consumed, and keeps the lease while one is unseen', async () => {
      const project = await claimed();
      const { id } = project.facts;
      await test.signal(id, 'human', { kind: 'command', id: 'a', command: 'PAUSE', visit: 1 });
      await test.signal(id, 'service', { kind: 'command', id: 'b', command: 'RESUME', visit: 1 });
      expect(await test.store.release(project.lease, { runnable: false, seenSignal: 0 })).toBe('signalled');
      const signals = await test.store.pendingSignals(id);
      expect(signals.map(({ seq, by }) => [seq, by])).toEqual([[1, 'human'], [2, 'service']]); // prettier-ignore
      expect(await test.store.write(project.lease, { number: 1, consumed: [1] })).toEqual({
        kind: 'written',
        signal: 2,
      });
      expect((await test.store.pendingSignals(id)).map((signal) => signal.seq)).toEqual([2]);
      expect(await test.workers.heartbeat('w1', LONG)).toContainEqual({ projectId: id, signal: 2 });
      expect(await test.store.release(project.lease, { runnable: false, seenSignal: 2 })).toBe('released');
    });

    it('gives nothing to do until a signal arrives, once released as not runnable', async () => {
      const project = await claimed();
      const { id } = project.facts;
      await test.store.release(project.lease, { runnable: false, seenSignal: 0 });
      expect(await test.store.claim(id, 'w1')).toEqual({ kind: 'held' });
      expect(await test.workers.stranded('w1', [], 1_000)).not.toContain(id);
      await test.signal(id, 'engine', { kind: 'wake', visit: 1 });
      expect(await test.workers.stranded('w1', [], 1_000)).toContain(id);
      expect(await test.workers.stranded('w1', [id], 1_000)).not.toContain(id);
      expect((await claim(id, 'w1')).signals).toHaveLength(1);
    });

    it('turns a due timer into one signal, and one that is not due into none', async () => {
      const project = await claimed();
      const { id } = project.facts;
      await test.store.write(project.lease, { number: 1, timer: { visit: 1, event: 'late', ms: LONG } });
      await test.store.write(project.lease, { number: 2, timer: { visit: 1, event: 'go', ms: 0 } });
      await test.store.write(project.lease, { number: 3, timer: { visit: 1, event: null, ms: 0 } });
      await test.workers.fireDueTimers(1_000);
      await test.workers.fireDueTimers(1_000);
      const bodies = (await test.store.pendingSignals(id)).map((signal) => signal.body);
      expect(bodies).toHaveLength(2);
      expect(bodies).toContainEqual({ kind: 'timer', visit: 1, event: 'go' });
      expect(bodies).toContainEqual({ kind: 'wake', visit: 1 });
    });

    it('lets the time of a paused project stand still, and begin anew where its timer is set again', async () => {
      const project = await claimed();
      const { id } = project.facts;
      const pause = { ...moved(project, { paused: true }), timer: { visit: 1, event: 'go', ms: 0 } };
      await test.store.write(project.lease, { ...pause, next: { ...pause.next!, status: 'paused' } });
      await test.store.write(project.lease, { number: 2, timer: { visit: 1, event: null, ms: 0 } });
      await test.workers.fireDueTimers(1_000);
      const bodies = async () => (await test.store.pendingSignals(id)).map(({ body }) => body.kind);
      expect(await bodies()).toEqual(['wake']);
      const resume = moved({ ...project, version: 2, writes: 2 });
      await test.store.write(project.lease, { ...resume, timer: { visit: 1, event: 'go', ms: LONG } });
      await test.workers.fireDueTimers(1_000);
      expect(await bodies()).toEqual(['wake']);
      await test.store.write(project.lease, { number: 4, timer: { visit: 1, event: 'go', ms: 0 } });
      await test.workers.fireDueTimers(1_000);
      expect(await bodies()).toEqual(['wake', 'timer']);
    });

    it('creates children with the write that asks for them, wakes them, and hands their results to the parent', async () => {
      const parent = await claimed();
      const child = sampleSeed({ result: { answer: 42 } }, { parent: { id: parent.facts.id, key: 'k', visit: 1 } });
      const children = [{ ...child, incarnation: 1 }];
      await test.store.write(parent.lease, { number: 1, children });
      expect(await test.store.children(parent.facts.id, 1, 1)).toEqual([]);
      expect(await test.workers.stranded('w1', [], 1_000)).toContain(child.facts.id);
      const own = await claim(child.facts.id, 'w1');
      const end = moved(own, { state: 'LAST' });
      const body = { kind: 'child', visit: 1, key: 'k' } as const;
      const signals = [{ to: parent.facts.id, by: 'engine', body }] as const;
      await test.store.write(own.lease, { ...end, next: { ...end.next!, status: 'completed' }, signals });
      const results = await test.store.children(parent.facts.id, 1, 1);
      expect(results).toEqual([{ key: 'k', id: child.facts.id, outcome: 'completed', result: { answer: 42 } }]);
      expect((await test.store.pendingSignals(parent.facts.id)).map((signal) => signal.body)).toEqual([body]);
      expect(await test.store.children(parent.facts.id, 2, 1)).toEqual([]);
      // Asked for again, one that has ended is neither born anew nor waited for in vain.
      await test.store.write(parent.lease, { number: 2, children });
      expect((await test.store.pendingSignals(parent.facts.id)).map((signal) => signal.body)).toEqual([body, body]);
    });

    it('keeps wake-ups in the outbox until they are confirmed', async () => {
      const project = await claimed();
      const mine = async (): Promise<string[]> => {
        const all = await test.workers.takeOutbox(1_000);
        return all.filter((wakeUp) => wakeUp.projectId === project.facts.id).map((wakeUp) => wakeUp.id);
      };
      const ids = await mine();
      expect(ids).toHaveLength(1);
      expect(await mine()).toEqual(ids);
      await test.workers.confirmOutbox(ids);
      expect(await mine()).toEqual([]);
    });

    it('gives everything back when a worker retires', async () => {
      const project = await claimed(undefined, 'leaving');
      await test.workers.retire('leaving');
      const next = await claim(project.facts.id, 'w2');
      expect(next.takenFrom).toBeNull();
    });

    it('takes many projects at once without mixing them up', async () => {
      const projects = await Promise.all(Array.from({ length: 40 }, (_, n) => claimed(sampleSeed({ n }))));
      const results = await Promise.all(projects.map((project) => test.store.write(project.lease, moved(project))));
      expect(results.every((result) => result.kind === 'written')).toBe(true);
      for (const project of projects) expect(await test.chainFault(project.facts.id)).toBeNull();
    });
  });
}

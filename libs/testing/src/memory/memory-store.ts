import type {
  Announcement, ChildResult, Claim, Lease, PrincipalKind, ProjectStore, ReleaseTerms, Signal,
  StateTimer, SignalBody, WakeUp, WorkerStore, Write,
  WriteResult,
} from '#engine'; // prettier-ignore
import { hasEnded } from '#engine';
import { forgeLink, linkFault, readBody, snapshotOf } from '#checkpoints';
import { EngineBug } from '#kernel';
import {
  type Blobs, contextFrom, type MemoryProject, type MemorySeed, newMemoryProject, storeValues,
} from './memory-project.js'; // prettier-ignore

/**
 * The stores of the engine in memory, with the same promises as the real ones: each call is atomic, leases are fenced,
 * a late write changes nothing and is recorded. Time is whatever `now` says.
 */
export class MemoryStore implements ProjectStore, WorkerStore {
  readonly projects = new Map<string, MemoryProject>();
  readonly blobs: Blobs = new Map();
  readonly staleWrites: { projectId: string; epoch: number; number: number }[] = [];
  private readonly workers = new Map<string, number>();
  private timers: { projectId: string; visit: number; event: string | null; fireAt: number }[] = [];
  private outbox: WakeUp[] = [];
  private nextOutboxId = 1;

  constructor(private readonly now: () => number) {}

  create(seed: MemorySeed): void {
    if (this.projects.has(seed.facts.id)) return;
    this.projects.set(seed.facts.id, newMemoryProject(seed, this.blobs, this.now()));
    if (seed.timer) this.setTimer(seed.facts.id, seed.timer);
    this.wakeLater(seed.facts.id);
  }

  signal(to: string, by: PrincipalKind, body: SignalBody): void {
    const project = this.projects.get(to);
    if (!project) return;
    project.signals.push({ seq: project.signals.length + 1, by, body, consumed: false, at: this.now() });
    project.runnable = true;
    this.wakeLater(to);
  }

  async claim(projectId: string, workerId: string): Promise<Claim> {
    const project = this.projects.get(projectId);
    if (!project?.runnable) return { kind: 'held' };
    const holder = project.leaseWorker;
    if (holder !== null && holder !== workerId && this.isWorkerAlive(holder)) return { kind: 'held' };
    project.leaseWorker = workerId;
    project.leaseEpoch += 1;
    const lease: Lease = { projectId, workerId, epoch: project.leaseEpoch };
    const link = project.links.at(-1);
    const body = link && readBody(link);
    const fault = link ? linkFault(link, projectId, (hash) => this.blobs.get(hash), null) : 'the link is missing';
    if (!link || !body || fault !== null || link.checksum !== project.headChecksum) {
      project.leaseWorker = null;
      return { kind: 'corrupt', seq: project.version, reason: fault ?? 'not the head' };
    }
    const snapshot = snapshotOf(body, contextFrom(link.manifest, this.blobs));
    const prefix = `${String(snapshot.incarnation)}/${String(snapshot.visit)}/`;
    const journal = [...project.effects.values()].filter((entry) => entry.key.startsWith(prefix));
    const signals = project.signals.filter((signal) => !signal.consumed);
    const { facts, version, writes } = project;
    const seenSignal = project.signals.length;
    const claimed = { lease, facts, snapshot, version, writes, journal, signals, seenSignal, takenFrom: holder };
    return { kind: 'claimed', project: claimed };
  }

  async write(lease: Lease, write: Write): Promise<WriteResult> {
    const project = this.projects.get(lease.projectId);
    if (!project || !this.fenceHolds(project, lease, write)) {
      this.staleWrites.push({ projectId: lease.projectId, epoch: lease.epoch, number: write.number });
      return { kind: 'stale' };
    }
    project.writes = write.number;
    if (write.next) this.appendLink(project, lease, write.next);
    for (const event of write.events ?? []) {
      project.events.push({ ...event, seq: project.events.length + 1, version: project.version, at: this.now() });
    }
    for (const one of write.announcements ?? []) this.announce(project, one);
    for (const entry of write.journal ?? []) {
      const starts = (project.effects.get(entry.key)?.starts ?? 0) + (entry.status === 'started' ? 1 : 0);
      project.effects.set(entry.key, { ...entry, starts });
    }
    for (const seq of write.consumed ?? []) {
      const signal = project.signals[seq - 1];
      if (signal) signal.consumed = true;
    }
    if (write.timer) this.setTimer(lease.projectId, write.timer);
    for (const child of write.children ?? []) this.bear(child);
    for (const { to, by, body } of write.signals ?? []) this.signal(to, by, body);
    return { kind: 'written', signal: project.signals.length };
  }

  async fateOf(lease: Lease, writeNumber: number): Promise<'applied' | 'not-applied' | 'stale'> {
    const project = this.projects.get(lease.projectId);
    if (!project || !this.isHeldBy(project, lease)) return 'stale';
    return project.writes >= writeNumber ? 'applied' : 'not-applied';
  }

  headChecksum(lease: Lease): string {
    return this.projects.get(lease.projectId)?.headChecksum ?? '';
  }

  async release(lease: Lease, terms: ReleaseTerms): Promise<'released' | 'signalled' | 'stale'> {
    const project = this.projects.get(lease.projectId);
    if (!project || !this.isHeldBy(project, lease)) return 'stale';
    if (terms.seenSignal !== null && project.signals.length > terms.seenSignal) return 'signalled';
    project.leaseWorker = null;
    project.runnable = terms.runnable;
    return 'released';
  }

  async pendingSignals(projectId: string): Promise<readonly Signal[]> {
    return this.projects.get(projectId)?.signals.filter((signal) => !signal.consumed) ?? [];
  }

  async children(projectId: string, incarnation: number, visit: number): Promise<readonly ChildResult[]> {
    const results: ChildResult[] = [];
    for (const { facts, parentIncarnation, status, links } of this.projects.values()) {
      if (facts.parent?.id !== projectId || parentIncarnation !== incarnation || facts.parent.visit !== visit) continue;
      if (status !== 'completed' && status !== 'aborted' && status !== 'failed') continue;
      const result = contextFrom(links.at(-1)?.manifest ?? {}, this.blobs)['result'] ?? null;
      results.push({ key: facts.parent.key, id: facts.id, outcome: status, result });
    }
    return results.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async heartbeat(workerId: string, ttlMs: number): Promise<readonly { projectId: string; signal: number }[]> {
    this.workers.set(workerId, this.now() + ttlMs);
    return [...this.projects.values()]
      .filter((project) => project.leaseWorker === workerId)
      .map((project) => ({ projectId: project.facts.id, signal: project.signals.length }));
  }

  async retire(workerId: string): Promise<void> {
    this.workers.delete(workerId);
    for (const project of this.projects.values()) if (project.leaseWorker === workerId) project.leaseWorker = null;
  }

  async fireDueTimers(limit: number): Promise<number> {
    const isStill = ({ projectId, event }: { projectId: string; event: string | null }): boolean =>
      event !== null && this.projects.get(projectId)?.status === 'paused';
    const due = this.timers.filter((timer) => timer.fireAt <= this.now() && !isStill(timer)).slice(0, limit);
    this.timers = this.timers.filter((timer) => !due.includes(timer));
    for (const { projectId, visit, event } of due) {
      this.signal(projectId, 'engine', event === null ? { kind: 'wake', visit } : { kind: 'timer', visit, event });
    }
    return due.length;
  }

  async takeOutbox(limit: number): Promise<readonly WakeUp[]> {
    return this.outbox.slice(0, limit);
  }

  async confirmOutbox(ids: readonly string[]): Promise<void> {
    this.outbox = this.outbox.filter((wakeUp) => !ids.includes(wakeUp.id));
  }

  async stranded(workerId: string, except: readonly string[], limit: number): Promise<readonly string[]> {
    return [...this.projects.values()]
      .filter(({ runnable, leaseWorker: holder }) => {
        return runnable && (holder === null || holder === workerId || !this.isWorkerAlive(holder));
      })
      .map((project) => project.facts.id)
      .filter((id) => !except.includes(id))
      .slice(0, limit);
  }

  protected fenceHolds(project: MemoryProject, lease: Lease, write: Write): boolean {
    const isNextVersion = !write.next || project.version === write.next.version - 1;
    return this.isHeldBy(project, lease) && project.writes === write.number - 1 && isNextVersion;
  }

  private isHeldBy(project: MemoryProject, lease: Lease): boolean {
    return project.leaseEpoch === lease.epoch && project.leaseWorker === lease.workerId;
  }

  private isWorkerAlive(workerId: string): boolean {
    return (this.workers.get(workerId) ?? -Infinity) > this.now();
  }

  private bear(child: MemorySeed): void {
    const born = this.projects.get(child.facts.id);
    const { parent } = child.facts;
    if (!born) this.create(child);
    else if (parent && hasEnded(born.status)) {
      this.signal(parent.id, 'engine', { kind: 'child', visit: parent.visit, key: parent.key });
    }
  }

  private announce(project: MemoryProject, one: Announcement): void {
    const told = one.isOnce ? this.rootOf(project) : project;
    const words = JSON.stringify([one.type, one.data]);
    const isTold = told.announcements.some(({ type, data }) => JSON.stringify([type, data]) === words);
    if (!one.isOnce || !isTold) told.announcements.push({ ...one, version: told.version });
  }

  private rootOf(project: MemoryProject): MemoryProject {
    const parent = project.facts.parent && this.projects.get(project.facts.parent.id);
    return parent ? this.rootOf(parent) : project;
  }

  private setTimer(projectId: string, { visit, event, ms }: StateTimer): void {
    const isSame = (one: { projectId: string; visit: number; event: string | null }): boolean =>
      one.projectId === projectId && one.visit === visit && one.event === event;
    this.timers = [...this.timers.filter((one) => !isSame(one)), { projectId, visit, event, fireAt: this.now() + ms }];
  }

  private wakeLater(projectId: string): void {
    this.outbox.push({ id: String(this.nextOutboxId++), projectId, traceparent: null });
  }

  private appendLink(project: MemoryProject, lease: Lease, next: NonNullable<Write['next']>): void {
    const head = project.links.at(-1);
    if (!head) throw new EngineBug('CHAIN_EMPTY', 'a project has at least one link');
    const { snapshot, version, cause, changed } = next;
    const added = Object.fromEntries(Object.entries(changed).filter(([, json]) => json !== null));
    const manifest: Record<string, string> = { ...head.manifest, ...storeValues(added, this.blobs) };
    for (const key of Object.keys(changed)) if (changed[key] === null) delete manifest[key];
    const { facts } = project;
    const link = forgeLink(
      { facts, snapshot, seq: version, prev: head.checksum, manifest, cause, epoch: lease.epoch },
      null,
    );
    project.links.push({ ...link, quarantined: null });
    project.version = version;
    project.headChecksum = link.checksum;
    project.state = snapshot.state;
    project.status = next.status;
  }
}

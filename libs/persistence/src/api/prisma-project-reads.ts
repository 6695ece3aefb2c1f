import {
  decodeTimeCursor,
  encodeTimeCursor,
  type Gate,
  type Page,
  type PageQuery,
  type Project,
  type ProjectEvent,
  type ProjectQuery,
} from '#contracts';
import { isUuid, UserError } from '#kernel';
import type { ProjectModel, ProjectWhereInput } from '../generated/models.js';
import { numberedEvents } from '../projects/event-group.js';
import { budgetsOf, rootsOf } from './prisma-budgets.js';
import { asked, type Prisma } from './prisma-client.js';
import { openedOf } from './opened-at.js';
import { contextsOf } from './prisma-contexts.js';
import { PrismaFamilies } from './prisma-families.js';
import { PrismaGateReads } from './prisma-gate-reads.js';
import { pausingAmong } from './prisma-pausing.js';
import { simulatedAmong } from './prisma-simulated.js';
import { timersOf } from './prisma-timers.js';
import { hasEndedStatus } from './project-row.js';
import { CONTEXT_KEYS, type MachineTables, projectView, type Surroundings } from './project-view.js';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** How far a project's events go, and whether more may come. */
export interface EventHead {
  readonly seq: number;
  readonly hasEnded: boolean;
}

/** Why this code cannot run that version of a machine; null when it can. */
export type WhyNot = (machine: string, version: number) => Promise<string | null>;

/** What readers see of projects: rows and events, never a worker. */
export class PrismaProjectReads {
  private readonly families: PrismaFamilies;
  private readonly waiting: PrismaGateReads;

  constructor(
    private readonly prisma: Prisma,
    private readonly machines: MachineTables,
    private readonly whyNot: WhyNot,
  ) {
    this.families = new PrismaFamilies(prisma);
    this.waiting = new PrismaGateReads(prisma, machines);
  }

  /** Newest first. Children belong to their parents and are not listed. */
  async list(query: ProjectQuery): Promise<Page<Project>> {
    const where: ProjectWhereInput = { parentId: null, AND: [...filters(query), ...olderThan(query.cursor)] };
    const take = query.limit + 1;
    const rows = await asked(() => this.prisma.project.findMany({ where, orderBy: NEWEST_FIRST, take }));
    const shown = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? shown.at(-1) : undefined;
    return {
      data: await this.views(shown),
      nextCursor: last ? encodeTimeCursor(last.createdAt, last.id) : null,
    };
  }

  async get(idOrName: string): Promise<Project> {
    const [project] = await this.views([await this.row(idOrName)]);
    return project ?? notFound(idOrName);
  }

  async idOf(idOrName: string): Promise<string> {
    return (await this.row(idOrName)).id;
  }

  async events(idOrName: string, after: number, limit: number): Promise<Page<ProjectEvent>> {
    const { id, eventSeq } = await this.row(idOrName);
    const data = await this.eventsAfter(id, after, limit);
    const last = data.at(-1)?.seq;
    return { data, nextCursor: last !== undefined && last < eventSeq ? String(last) : null };
  }

  async eventsAfter(projectId: string, after: number, limit: number): Promise<readonly ProjectEvent[]> {
    const where = { projectId, seq: { gt: after } };
    const groups = await asked(() => this.prisma.eventGroup.findMany({ where, orderBy: { seq: 'asc' }, take: limit }));
    const events = groups.flatMap(({ version, at, ...group }) =>
      numberedEvents(group).map((event) => ({ ...event, version, at: at.toISOString() })),
    );
    return events.filter(({ seq }) => seq > after).slice(0, limit);
  }

  async heads(projectIds: readonly string[]): Promise<ReadonlyMap<string, EventHead>> {
    const select = { id: true, eventSeq: true, status: true };
    const where = { id: { in: [...projectIds] } };
    const rows = await asked(() => this.prisma.project.findMany({ where, select }));
    return new Map(rows.map((row) => [row.id, { seq: row.eventSeq, hasEnded: hasEndedStatus(row.status) }]));
  }

  async gates(idOrName: string): Promise<readonly Gate[]> {
    return this.waiting.of([await this.row(idOrName)]);
  }

  openGates(query: PageQuery): Promise<Page<Gate>> {
    return this.waiting.page(query);
  }

  async countByState(): Promise<readonly { machine: string; state: string; status: string; count: number }[]> {
    const by = ['machine', 'state', 'status'] as const;
    const rows = await asked(() => this.prisma.project.groupBy({ by: [...by], _count: { _all: true } }));
    return rows.map(({ machine, state, status, _count }) => ({ machine, state, status, count: _count._all }));
  }

  private async views(rows: readonly ProjectModel[]): Promise<Project[]> {
    const roots = await rootsOf(this.prisma, rows);
    const [awaited, pausing, timers, contexts, budgets, simulated, opened] = await Promise.all([
      this.families.awaited(rows),
      pausingAmong(this.prisma, rows),
      timersOf(this.prisma, rows),
      contextsOf(this.prisma, rows, CONTEXT_KEYS),
      budgetsOf(this.prisma, roots),
      simulatedAmong(this.prisma, roots.values()),
      openedOf(
        this.prisma,
        rows.filter(({ status }) => mayBeAsked(status)),
      ),
    ]);
    return Promise.all(
      rows.map((row) =>
        this.view(row, {
          children: awaited.get(row.id) ?? [],
          pausingSince: pausing.get(row.id) ?? null,
          firesAt: timers(row.id),
          openedAt: opened(row),
          context: contexts.get(row.id) ?? {},
          budget: budgets.get(row.id) ?? null,
          hasSimulatedCalls: simulated.has(roots.get(row.id) ?? row.id),
        }),
      ),
    );
  }

  private async view(row: ProjectModel, around: Omit<Surroundings, 'machine'>): Promise<Project> {
    const machine = await this.machines(row.machine, row.machineVersion);
    const project = projectView(row, { machine, ...around });
    // A worker with other code may hold it all the same: only a project that nobody drives waits for a machine.
    if (hasEndedStatus(row.status) || row.leaseWorker !== null) return project;
    const reason = await this.whyNot(row.machine, row.machineVersion);
    return reason === null ? project : { ...project, waitingFor: { kind: 'machine', reason } };
  }

  private async row(idOrName: string) {
    const where = isUuid(idOrName) ? { id: idOrName } : { name: idOrName };
    const row = await asked(() => this.prisma.project.findUnique({ where }));
    return row ?? notFound(idOrName);
  }
}

/** A project that is paused at a gate still shows it. */
const mayBeAsked = (status: string): boolean => ['waiting', 'blocked', 'paused'].includes(status);

function notFound(idOrName: string): never {
  throw new UserError('PROJECT_NOT_FOUND', `There is no project ${idOrName}. GET /v1/projects lists them.`);
}

function filters({ state, status, mode, label }: ProjectQuery): ProjectWhereInput[] {
  const colon = label?.indexOf(':') ?? -1;
  return [
    ...(state === undefined ? [] : [{ state }]),
    ...(status === undefined ? [] : [{ status }]),
    ...(mode === undefined ? [] : [{ mode }]),
    ...(label === undefined ? [] : [{ labels: { path: [label.slice(0, colon)], equals: label.slice(colon + 1) } }]),
  ];
}

function olderThan(cursor: string | undefined): ProjectWhereInput[] {
  if (cursor === undefined) return [];
  const { at: createdAt, id } = decodeTimeCursor(cursor);
  return [{ OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }];
}

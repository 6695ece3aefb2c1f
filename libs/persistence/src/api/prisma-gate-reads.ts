import { encodeTimeCursor, type Gate, type Page, type PageQuery } from '#contracts';
import type { ProjectModel } from '../generated/models.js';
import { decidedAt } from './prisma-decisions.js';
import { longestWaits, openedOf } from './opened-at.js';
import { gateOf } from './person-wanted.js';
import { asked, type Prisma } from './prisma-client.js';
import { contextsOf } from './prisma-contexts.js';
import { PrismaFamilies } from './prisma-families.js';
import { timersOf } from './prisma-timers.js';
import type { MachineTables } from './project-view.js';
import { REASON_KEYS, reasonView } from './reason-view.js';

/** What waits for a person, in one project and over all. */
export class PrismaGateReads {
  private readonly families: PrismaFamilies;

  constructor(
    private readonly prisma: Prisma,
    private readonly machines: MachineTables,
  ) {
    this.families = new PrismaFamilies(prisma);
  }

  /** Whatever waits for a person, children included, longest wait first; what was decided and not taken up yet asks nobody. */
  async page(query: PageQuery): Promise<Page<Gate>> {
    const found = await longestWaits(this.prisma, query);
    const shown = found.slice(0, query.limit);
    const last = found.length > query.limit ? shown.at(-1) : undefined;
    const where = { id: { in: shown.map(({ id }) => id) } };
    const rows = shown.length === 0 ? [] : await asked(() => this.prisma.project.findMany({ where }));
    const inOrder = shown.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
    const asking = (await this.of(inOrder)).filter(({ decided }) => decided === null);
    return { data: asking, nextCursor: last ? encodeTimeCursor(last.openedAt, last.id) : null };
  }

  async of(rows: readonly ProjectModel[]): Promise<Gate[]> {
    const [parents, contexts, timers, opened, decided] = await Promise.all([
      this.families.parentsOf(rows),
      contextsOf(this.prisma, rows, REASON_KEYS),
      timersOf(this.prisma, rows),
      openedOf(this.prisma, rows),
      decidedAt(this.prisma, rows),
    ]);
    const gates = await Promise.all(
      rows.map(async (row) => {
        const machine = await this.machines(row.machine, row.machineVersion);
        const parent = parents.get(row.parentId ?? '') ?? null;
        const why = reasonView(row, contexts.get(row.id) ?? {});
        const gate = gateOf(row, machine, { parent, why, firesAt: timers(row.id), openedAt: opened(row) });
        return gate && { ...gate, decided: decided(row, gate.name) };
      }),
    );
    return gates.filter((gate) => gate !== null);
  }
}

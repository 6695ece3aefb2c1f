import type { Config } from '#config';
import type { ChangeBudget, Project, StartProject } from '#contracts';
import { stateOf } from '#engine';
import { UserError } from '#kernel';
import { type BudgetCaps, nanoOf } from '#models';
import type { ModeRegistry } from '#modes';
import {
  BUDGET_RAISED,
  changeCaps,
  type Database,
  familyUnderWay,
  inWorldlyTerms,
  type PgCheckpoints,
} from '#persistence';
import type { BudgetDesk, Operation, ProjectReads } from '../http/index.js';

/** The caps of a new project: those of its order, and of the configuration where it does not say. */
export function capsOf(order: StartProject['budget'], config: Pick<Config, 'budget'>): BudgetCaps {
  const { usd = config.budget.usd, tokens = config.budget.tokens } = order ?? {};
  return { nanoUsd: nanoOf(usd), tokens };
}

export interface BudgetDeskParts {
  readonly config: Pick<Config, 'budget'>;
  readonly pool: Database;
  readonly modes: ModeRegistry;
  readonly reads: Pick<ProjectReads, 'idOf' | 'get'>;
  readonly checkpoints: PgCheckpoints;
  /** As the project desk's. */
  readonly onLeft?: () => void;
}

/** Changes caps while projects run. A project that stands where its table leads on from a raise is told of it. */
export class EngineBudgetDesk implements BudgetDesk {
  constructor(private readonly parts: BudgetDeskParts) {}

  async change(idOrName: string, { usd, tokens }: ChangeBudget, operation: Operation): Promise<Project> {
    const { pool, reads, config } = this.parts;
    const projectId = await reads.idOf(idOrName);
    const listeners = await inWorldlyTerms(() => this.listeners(projectId));
    const { id, by } = operation;
    await inWorldlyTerms(() =>
      changeCaps(pool, {
        projectId,
        operation: id,
        by: by.principal,
        keyId: by.keyId,
        ...(usd !== undefined && { nanoUsd: nanoOf(usd) }),
        ...(tokens !== undefined && { tokens }),
        listeners,
        defaults: capsOf(undefined, config),
      }),
    );
    this.parts.onLeft?.();
    return reads.get(projectId);
  }

  /** Those of the project and its children that stand in a state whose table knows of raised budgets. */
  private async listeners(projectId: string): Promise<{ projectId: string; visit: number }[]> {
    const family = await familyUnderWay(this.parts.pool, projectId);
    const visits = await Promise.all(family.map((id) => this.listeningVisit(id)));
    return visits.filter((one) => one !== null);
  }

  private async listeningVisit(projectId: string): Promise<{ projectId: string; visit: number } | null> {
    const { pool, checkpoints, modes } = this.parts;
    try {
      const project = await checkpoints.anchored(pool, projectId);
      const { machine } = await modes.runnableOf(project.machine, project.machine_version);
      if (!Object.hasOwn(machine.states[project.state]?.on ?? {}, BUDGET_RAISED)) return null;
      const snapshot = await checkpoints.head(pool, project);
      const isListening = Object.hasOwn(stateOf(machine, snapshot)?.on ?? {}, BUDGET_RAISED);
      return isListening ? { projectId, visit: snapshot.visit } : null;
    } catch (error) {
      // One whose machine or checkpoint is not to be had now does not hear of it; its cap is raised all the same.
      if (error instanceof UserError) return null;
      throw error;
    }
  }
}

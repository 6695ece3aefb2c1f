import type { LiveProject, ProjectCosts, UnheardNote, Unsettled } from '#contracts';
import type { JsonObject } from '#kernel';

export interface ToldEvent {
  readonly at: Date;
  readonly type: string;
  readonly data: JsonObject;
}

export type Spending = Pick<ProjectCosts, 'total' | 'byAgent' | 'byModel'>;

/** What happened in a project and what it cost, for the pages that it leaves to people. */
export interface ProjectHistory {
  /** The newest events of these types, oldest first. */
  told(projectId: string, types: readonly string[], most?: number): Promise<readonly ToldEvent[]>;
  unsettled(projectId: string): Promise<Unsettled>;
  /** The projects on a repository that have not ended and that no other one started, newest first. */
  liveIn(repo: string): Promise<readonly LiveProject[]>;
  /** The notes that no call of a model has carried yet, oldest first, the first so many. */
  unheard(projectId: string): Promise<readonly UnheardNote[]>;
  /** Its children's calls are counted with its own. */
  spent(projectId: string): Promise<Spending>;
  /** What the calls of one visit cost, and the model that answered last; null where nobody knows. */
  spentIn(
    projectId: string,
    at: { readonly incarnation: number; readonly visit: number },
  ): Promise<{ readonly costUsd: string | null; readonly model: string | null }>;
}

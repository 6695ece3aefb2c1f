import type { ProjectCosts } from '#contracts';
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
  told(projectId: string, types: readonly string[]): Promise<readonly ToldEvent[]>;
  /** Its children's calls are counted with its own. */
  spent(projectId: string): Promise<Spending>;
  /** What the calls of one visit cost, and the model that answered last; null where nobody knows. */
  spentIn(
    projectId: string,
    at: { readonly incarnation: number; readonly visit: number },
  ): Promise<{ readonly costUsd: string | null; readonly model: string | null }>;
}

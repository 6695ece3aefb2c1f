import type { ProjectCosts } from '#contracts';
import type { JsonObject } from '#kernel';

export interface ToldEvent {
  readonly at: Date;
  readonly type: string;
  readonly data: JsonObject;
}

export type Spending = Pick<ProjectCosts, 'total' | 'byAgent' | 'byModel'>;

/** What began and whose end nobody knows, in the project or one of its children. */
export interface Unsettled {
  /** A live worker holds the project. */
  readonly isDriven: boolean;
  readonly effects: readonly { readonly child: string | null; readonly step: string; readonly since: Date }[];
  readonly lostCalls: number;
  readonly openCalls: number;
  readonly processes: readonly { readonly host: string; readonly pid: number; readonly purpose: string }[];
}

/** One that has not ended, as a row of its repository's list. */
export interface LiveProject {
  readonly id: string;
  readonly name: string;
  readonly request: string;
  readonly mode: string;
  readonly state: string;
  readonly status: string;
  readonly updatedAt: Date;
  readonly seq: number;
  readonly checksum: string;
}

/** What happened in a project and what it cost, for the pages that it leaves to people. */
export interface ProjectHistory {
  /** The newest events of these types, oldest first. */
  told(projectId: string, types: readonly string[], most?: number): Promise<readonly ToldEvent[]>;
  unsettled(projectId: string): Promise<Unsettled>;
  /** The projects on a repository that have not ended and that no other one started, newest first. */
  liveIn(repo: string): Promise<readonly LiveProject[]>;
  /** Its children's calls are counted with its own. */
  spent(projectId: string): Promise<Spending>;
  /** What the calls of one visit cost, and the model that answered last; null where nobody knows. */
  spentIn(
    projectId: string,
    at: { readonly incarnation: number; readonly visit: number },
  ): Promise<{ readonly costUsd: string | null; readonly model: string | null }>;
}

/** What the pages of a project at rest are made of, beside its checkpoint. */

/** A project on a repository that has not ended and that no other one started. */
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

/** What began in a project or one of its children and whose end nobody knows, and whether somebody works on it now. */
export interface Unsettled {
  /** A live worker holds the project. */
  readonly isDriven: boolean;
  /** Effects of the present visit that began under a lease that is gone. */
  readonly effects: readonly { readonly child: string | null; readonly step: string; readonly since: Date }[];
  /** Calls of models whose answer never came. */
  readonly lostCalls: number;
  /** Calls that were sent by a worker that is gone, and are not written off yet. */
  readonly openCalls: number;
  /** Commands of a worker that is gone. */
  readonly processes: readonly { readonly host: string; readonly pid: number; readonly purpose: string }[];
}

/** A note that no call of a model has carried. */
export interface UnheardNote {
  readonly number: number;
  /** Null: for all agents. */
  readonly agent: string | null;
  readonly text: string;
}

import type { ActivityContext, EffectRun as Run } from '#engine';

type Checkpoint = ActivityContext['checkpoint'];

/** The scratch repository of one drill, and what a drill does in it. */
export interface Scratch {
  /** Makes the repository with a first commit; making it again changes nothing. */
  create(project: string, run: Run): Promise<string>;
  /** Appends one line to the repository's log of effects, then writes the file; the log shows what ran how often. */
  writeFile(project: string, file: string, text: string, workMs: number, run: Run): Promise<number>;
  /** Commits everything with trailers that name the effect and the newest checkpoint; returns the commit. */
  commit(project: string, message: string, checkpoint: Checkpoint, run: Run): Promise<string>;
  /** The commit that carries this effect's trailer, if it was made. */
  findCommit(project: string, run: Run): Promise<string | null>;
  /** How many files the newest commit holds. */
  countFiles(project: string, run: Run): Promise<number>;
  announce(project: string, text: string, run: Run): Promise<number>;
  /** Removes what a scrapped drill leaves half-done. */
  scrap(project: string, run: Run): Promise<null>;
}

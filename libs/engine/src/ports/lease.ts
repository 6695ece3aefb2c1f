/** The right of one worker to write to one project; a later one has a higher epoch and makes this one void. */
export interface Lease {
  readonly projectId: string;
  readonly workerId: string;
  readonly epoch: number;
}

/** Bounds of an agent that hold whatever its task allows. Sizes in bytes or characters, as named. */
export interface ApiLimits {
  /** The largest file that is read, searched or edited. */
  readonly readBytes: number;
  readonly writeBytes: number;
  /** Of one result of a tool, as the model gets it. */
  readonly resultChars: number;
  /** Of all results of one turn together. */
  readonly turnChars: number;
  readonly callsPerTurn: number;
  readonly listedEntries: number;
  /** Entries of one folder that are looked at. */
  readonly folderEntries: number;
  readonly searchHits: number;
  readonly searchFiles: number;
  readonly searchBytes: number;
  readonly searchMs: number;
  /** How long a pattern may try one portion of files: a bad one would try for ever. */
  readonly patternMs: number;
  readonly commandMs: number;
  readonly commandOutputBytes: number;
  readonly commandMemoryBytes: number;
  readonly commandProcesses: number;
  readonly chatMs: number;
  /** The longest silence of a model. */
  readonly idleMs: number;
  /** How often a long answer says that it is coming. */
  readonly answeringMs: number;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

export const API_LIMITS: ApiLimits = {
  readBytes: 2 * MIB,
  writeBytes: 2 * MIB,
  resultChars: 32 * KIB,
  turnChars: 128 * KIB,
  callsPerTurn: 32,
  listedEntries: 1_000,
  folderEntries: 20_000,
  searchHits: 200,
  searchFiles: 50_000,
  searchBytes: 64 * MIB,
  searchMs: 10_000,
  patternMs: 2_000,
  commandMs: 600_000,
  commandOutputBytes: 8 * MIB,
  commandMemoryBytes: 4_096 * MIB,
  commandProcesses: 512,
  chatMs: 600_000,
  idleMs: 120_000,
  answeringMs: 10_000,
};

import type { TeamMember } from '#contracts';
import type { ActivityContext } from '#engine';
import type { HandedIn, Health, RawFinding } from '#team';
import type { CodingOrder } from '../order.js';

/** A reviewer's seat: who it is, and what it is told about how to look. */
export interface Seat {
  readonly agent: string;
  readonly tier: TeamMember['tier'];
  readonly isCritical: boolean;
  /** Those it does with; null: all that a reviewer has. */
  readonly tools: readonly string[] | null;
  readonly instructions: string;
  readonly skills: readonly { readonly name: string; readonly instructions: string }[];
}

/** What became of one reviewer's work. */
export interface Review {
  readonly agent: string;
  /** partial: it was lost, and what it had said until then is used. */
  readonly status: HandedIn['status'];
  readonly health: Health;
  readonly summary: string;
  readonly findings: readonly RawFinding[];
  readonly notes: readonly string[];
  /** Why it was lost or skipped, or why its output is partial. */
  readonly why: string | null;
  /** What it had said when its time was over. */
  readonly partial: string;
  readonly isSimulated: boolean;
}

/** Whether its findings count. */
export const hasOutput = ({ status }: Pick<Review, 'status'>): boolean => status === 'done' || status === 'partial';

/** What a reviewer's own project begins with. It reads the worktree of the project that seated it, and changes nothing. */
export interface ReviewBrief {
  readonly seat: Seat;
  readonly order: Pick<CodingOrder, 'runtime' | 'models' | 'reviewSeconds'>;
  readonly place: {
    readonly projectId: string;
    readonly name: string;
    readonly commit: string;
    readonly incarnation: number;
  };
  readonly domains: readonly string[];
  readonly files: readonly string[];
  readonly memories: readonly string[];
  /** How the verify commands went before any change, with the names of failing tests. */
  readonly baseline: string;
  readonly map: string;
  /** What a person answered or assumed before the reviews. */
  readonly notes: string;
}

/** All that a reviewer's own project knows between two tries. */
export interface ReviewerContext extends ReviewBrief {
  /** What the last try came to. */
  readonly result?: Review;
  /** What it had said in the tries so far. */
  readonly partial?: string;
  /** Tries whose answer stayed invalid. */
  readonly invalidAnswers?: number;
  /** The tier of its seat before that went to the next one. */
  readonly raisedFrom?: Seat['tier'];
}

export const reviewerContextOf = ({ context }: Pick<ActivityContext, 'context'>): ReviewerContext =>
  context as unknown as ReviewerContext;

import { z } from 'zod';
import { type HandedIn, type TeamFace, withHandedIn } from './handed-in.js';
import { tasksAsSeen } from './tasks.js';

/** A reviewer's own project that has ended. */
export interface EndedReviewer {
  readonly key: string;
  /** What it left; null where it left nothing. */
  readonly result: unknown;
  /** The state that it was started in has been left: it may have been told to stop. */
  readonly isLeft: boolean;
}

export const LEFT_NOTHING = 'its project ended without a result';

const Result = z.object({
  status: z.enum(['done', 'partial', 'lost', 'skipped', 'over-budget']),
  summary: z.string(),
  findings: z.array(z.unknown()),
  why: z.string().nullable(),
});

/** What the project of a reviewer left, whatever it is. */
export function handedIn(agent: string, result: unknown): HandedIn {
  const read = Result.safeParse(result);
  return read.success
    ? { agent, ...read.data, findings: read.data.findings.length }
    : { agent, status: 'lost', summary: '', findings: 0, why: LEFT_NOTHING };
}

/**
 * The team as it is while some reviewers still run, or a task is worked on: the newest checkpoint waits for the last of
 * them, and for the end of the task; readers do not.
 */
export function liveTeam<Face extends TeamFace>(face: Face, ended: readonly EndedReviewer[], state: string): Face {
  const running = new Set(face.team?.members.flatMap(({ agent, status }) => (status === 'running' ? [agent] : [])));
  const reviews = ended
    .filter(({ key }) => running.has(key))
    .map(({ key, result, isLeft }) => ({ ...handedIn(key, result), isLeft }))
    // What becomes of one that was stopped is for the lead to say.
    .filter(({ isLeft, status }) => !isLeft || status === 'done' || status === 'partial');
  const tasks = tasksAsSeen(face.tasks, state);
  return withHandedIn(tasks === face.tasks ? face : { ...face, tasks }, reviews);
}

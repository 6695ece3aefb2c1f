import { secrets } from '#kernel';
import type { ProjectModel } from '../generated/models.js';
import type { Context } from './prisma-contexts.js';

export const REASON_KEYS = ['why'];

/** A pause takes no question back: it may be read, and decided, meanwhile. */
const OPEN = ['waiting', 'blocked', 'paused'];

/** Why a project waits for a person, in its own words: the `why` that every machine's activities may keep. */
export function reasonView({ status }: Pick<ProjectModel, 'status'>, { why }: Context): string | null {
  return OPEN.includes(status) && typeof why === 'string' && why !== '' ? secrets.redact(why) : null;
}

import type { HealPattern, Page, PatternQuery } from '#contracts';

/** A fix that the verification bore out. */
export type Fix = Pick<HealPattern, 'repo' | 'signature' | 'error' | 'fix' | 'diff' | 'tier' | 'project'>;

/**
 * What healed which error, shared by all projects on a repository. A repository has one pattern for a signature.
 *
 * `effect` names the effect that counts: the same call again under the same name, as after a crash, counts once.
 */
export interface HealPatterns {
  /** Only what has worked, and no less often than it failed. */
  find(repo: string, signature: string): Promise<HealPattern | null>;
  /** One success more; the newest fix is the one that is kept. */
  worked(fix: Fix, effect: string): Promise<void>;
  /** One failure more; nothing where there is no such pattern. */
  failed(repo: string, signature: string, effect: string): Promise<void>;
  /** Used last first. */
  list(query: PatternQuery): Promise<Page<HealPattern>>;
}

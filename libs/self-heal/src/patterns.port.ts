import type { HealPattern, Page, PatternQuery } from '#contracts';

/** A fix that the verification bore out. */
export type Fix = Pick<HealPattern, 'repo' | 'signature' | 'error' | 'fix' | 'diff' | 'tier' | 'project'>;

/**
 * What healed which error, shared by all projects on a repository. A repository has one pattern for a signature, and
 * the retired ones before it: a pattern that fails twice is retired, which means that `find` never returns it again.
 *
 * `effect` names the effect that counts: the same call again under the same name, as after a crash, counts once.
 */
export interface HealPatterns {
  /** Null if no fix is known, or if the known ones are retired. */
  find(repo: string, signature: string): Promise<HealPattern | null>;
  /**
   * Counts one success and keeps the newest fix. If the pattern is retired, another fix begins a new pattern; the same
   * fix only counts in the history of the retired one.
   */
  worked(fix: Fix, effect: string): Promise<void>;
  /** Counts one failure; the second one retires the pattern. Does nothing if there is no such pattern. */
  failed(repo: string, signature: string, effect: string): Promise<void>;
  /** Retired ones included, the last used first. */
  list(query: PatternQuery): Promise<Page<HealPattern>>;
}

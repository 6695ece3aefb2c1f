import type { Capability, CapabilitySource, Diagnostic } from '#contracts';

/** Whoever else brings a reviewer of this name does not take its place, unless a person pins theirs. */
export const CRITICAL_REVIEWERS: readonly string[] = ['security-reviewer', 'architecture-advisor', 'sde-iii'];

/** The nearest first: of two with one name it is the one that counts. */
export const NEAREST_FIRST: readonly CapabilitySource[] = ['repository', 'user', 'plugin', 'built-in'];

/** Text of somebody else, whatever its source: for a prompt, never for a program to obey. */
export interface FoundSkill extends Capability {
  readonly instructions: string;
  readonly keywords: readonly string[];
}

export interface FoundAgent extends Capability {
  /** The body of its file, at most 32 KB. */
  readonly instructions: string;
  readonly keywords: readonly string[];
}

export interface Discovered {
  /** By name. A critical built-in reviewer stands here beside the one that would like its place. */
  readonly agents: readonly FoundAgent[];
  readonly skills: readonly FoundSkill[];
  readonly plugins: readonly Capability[];
  readonly diagnostics: readonly Diagnostic[];
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const byNearness = (a: Capability, b: Capability): number =>
  NEAREST_FIRST.indexOf(a.source) - NEAREST_FIRST.indexOf(b.source);

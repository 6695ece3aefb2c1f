import { material, parts } from '../shared/prompt.js';

/** What an agent that changes code knows of the repository and the project, beside its task. Most useful first. */
export interface Surroundings {
  /** How each verify command went before the first change. */
  readonly verify: string;
  /** Output of commands that failed before the first change. */
  readonly baselineOutput: string;
  readonly inScope: readonly string[];
  readonly knownFailures: readonly string[];
  /** The parts of the request, each with the interface that checks rely on. */
  readonly parts: readonly string[];
  readonly plan: readonly string[];
  readonly done: readonly string[];
  readonly findings: readonly string[];
  readonly advice: readonly string[];
  readonly settled: string;
  readonly memories: readonly string[];
  readonly conventions: string;
  readonly map: string;
  readonly skills: readonly { readonly name: string; readonly instructions: string }[];
  /** How long the agent may work. */
  readonly limits: string;
}

export const renderSurroundings = (known: Surroundings): string =>
  parts(
    `# What is known\n\n${material('The verify commands before any change', known.verify, 2_000)}`,
    known.inScope.length > 0
      ? material('Tests that failed before and must pass in the end', known.inScope.join('\n'), 4_000)
      : null,
    known.baselineOutput === ''
      ? null
      : material('The output of these failures before any change', known.baselineOutput, 8_000),
    known.knownFailures.length > 0
      ? material('Tests that failed before and are not your concern', known.knownFailures.join('\n'), 2_000)
      : null,
    known.parts.length > 0
      ? material('Parts of the request, and the interface that others rely on', known.parts.join('\n\n'), 4_000)
      : null,
    known.plan.length > 1 ? material('The plan', known.plan.join('\n'), 4_000) : null,
    known.done.length > 0 ? material('What earlier steps did', known.done.join('\n'), 4_000) : null,
    known.settled === '' ? null : material('What was settled before', known.settled, 8_000),
    known.advice.length > 0 ? material('What the reviewers advise', known.advice.join('\n\n'), 4_000) : null,
    known.findings.length > 0 ? material('Findings of the reviewers', known.findings.join('\n\n'), 8_000) : null,
    known.conventions === '' ? null : material('Conventions of this repository', known.conventions, 6_000),
    known.map === '' ? null : material('Map of the repository', known.map, 6_000),
    known.memories.length > 0 ? material('What earlier projects learnt', known.memories.join('\n'), 4_000) : null,
    ...known.skills.map(({ name, instructions }) => material(`The skill ${name}`, instructions, 2_000)),
    known.limits,
  );

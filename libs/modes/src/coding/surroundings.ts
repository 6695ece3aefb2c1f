import { material, materialList, parts } from '../shared/prompt.js';

/** What an agent that changes code knows of the repository and the project, beside its task. Most useful first. */
export interface Surroundings {
  /** How each verify command went before the first change. */
  readonly verify: string;
  /** Names of baseline failures that must pass, and what was printed about each. */
  readonly inScope: readonly string[];
  readonly baselineOutput: readonly string[];
  /** Names of the other baseline failures, and what was printed about each. */
  readonly knownFailures: readonly string[];
  readonly knownOutput: readonly string[];
  /** The parts of the request, each with the interface that checks rely on. */
  readonly parts: readonly string[];
  readonly plan: readonly string[];
  /** What earlier steps did, the newest first. */
  readonly done: readonly string[];
  readonly findings: readonly string[];
  readonly advice: readonly string[];
  readonly settled: string;
  readonly memories: readonly string[];
  readonly conventions: string;
  readonly map: string;
  readonly skills: readonly { readonly name: string; readonly instructions: string }[];
}

export const renderSurroundings = (known: Surroundings): string =>
  parts(
    `# What is known\n\n${material('The verify commands before any change', known.verify, 2_000)}`,
    materialList('Tests that failed before and must pass in the end', known.inScope, 4_000),
    materialList('What was printed about them before any change', known.baselineOutput, 8_000, BLANK_LINE),
    renderParts(known),
    known.plan.length > 1 ? materialList('The plan', known.plan, 4_000) : null,
    materialList('What earlier steps did, the newest first', known.done, 4_000),
    known.settled === '' ? null : material('What was settled before', known.settled, 8_000),
    materialList('What the reviewers advise', known.advice, 4_000, BLANK_LINE),
    materialList(
      'Findings of the reviewers, from P0 (urgent) to P2; aside is not about the request',
      known.findings,
      8_000,
      BLANK_LINE,
    ),
    known.conventions === '' ? null : material('Conventions of this repository', known.conventions, 8_000),
    known.map === '' ? null : material('Map of the repository', known.map, 12_000),
    materialList('Tests that failed before and are not your concern', known.knownFailures, 2_000),
    materialList('What was printed about these before any change', known.knownOutput, 2_000, BLANK_LINE),
    materialList('What earlier projects in this repository learnt', known.memories, 4_000),
    ...known.skills.map(({ name, instructions }) => material(`The skill ${name}`, instructions, 2_000)),
  );

export const renderParts = ({ parts: all }: Pick<Surroundings, 'parts'>): string | null =>
  materialList('Parts of the request, and the interface that others rely on', all, 4_000, BLANK_LINE);

const BLANK_LINE = '\n\n';

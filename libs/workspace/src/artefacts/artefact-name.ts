import { UserError } from '#kernel';

/** The readable face of a project: these files and no others. */
const FILES: ReadonlySet<string> = new Set([
  'state.json', 'STATE.md', 'CONTROL.md', 'STATUS.md', 'decisions.log', 'discovered-plugins.json', 'SYNTHESIS.md', 'PLAN.md',
  'PLAN-FEEDBACK.md', 'ASSUMPTIONS.md', 'UAT.md', 'DEFERRED.md', 'CHECKS.md', 'SUMMARY.md', 'checkpoints/latest.json',
]); // prettier-ignore

const OUTPUT_OF_AGENT = /^agent-outputs\/[a-z0-9](?:[a-z0-9_-]|\.(?!\.)){0,79}\.md$/i;
const CHECKPOINT = /^checkpoints\/\d{6,15}\.json$/;

/** Folders that hold artefacts, below that of the project. */
export const ARTEFACT_FOLDERS = ['', 'agent-outputs', 'checkpoints'] as const;

export const isArtefactName = (name: string): boolean =>
  FILES.has(name) || OUTPUT_OF_AGENT.test(name) || CHECKPOINT.test(name);

export function mustBeArtefactName(name: string): void {
  if (isArtefactName(name)) return;
  throw new UserError(
    'ARTEFACT_NAME_INVALID',
    'no artefact has this name; the list of artefacts has those that there are',
    { name: name.slice(0, 200) },
  );
}

/** `checkpoints/000012.json`: sorted by name they are sorted by number, for a million of them. */
export const checkpointArtefact = (seq: number): string => `checkpoints/${String(seq).padStart(6, '0')}.json`;

/** By the agent's name, whatever characters that has. */
export const agentArtefact = (agent: string): string => {
  const slug = agent
    .replaceAll(/[^a-z0-9_-]+/gi, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 80);
  return `agent-outputs/${slug === '' ? 'agent' : slug}.md`;
};

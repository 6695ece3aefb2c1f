import { type Finding, type HealProblem, type Project, routes } from '#contracts';
import type { Client } from '../api/client.js';
import { clean } from '../show/clean.js';
import { findingLine } from '../show/event-line.js';
import type { Output } from '../show/output.js';
import { costOf } from '../show/project-lines.js';
import { bold, dim } from '../show/style.js';

export interface End {
  readonly project: Project;
  /** The whole chain of checkpoints was verified. */
  readonly isSound: boolean;
}

/** What became of a project, read over the API as anybody would; `more` comes before the figures. */
export async function showEnd(
  api: Client,
  out: Output,
  id: string,
  more: (project: Project) => Promise<void> = async () => undefined,
): Promise<End> {
  const params = { id };
  const project = clean(await api.call(routes.getProject, { params }));
  const verified = clean(await api.call(routes.verifyCheckpoints, { params }));
  const findings = await api.call(routes.listFindings, { params, query: { limit: 200 } });
  const problems = await api.call(routes.listProblems, { params, query: { limit: 200 } });
  if (project.team) {
    list(out, 'findings', clean(findings.data).map(outcomeLine));
    list(out, 'healed', clean(problems.data).map(healLine));
  }
  await more(project);
  if (project.workspace) {
    const { files } = clean(await api.call(routes.projectDiff, { params }));
    const changed = files.map(
      ({ path, insertions, deletions }) => `${path} +${String(insertions)} −${String(deletions)}`,
    );
    list(out, 'changed', changed);
  }
  out.lines(
    '',
    `status       ${project.status}${project.simulated ? ', with a simulated model' : ''}`,
    ...(project.proven === null ? [] : [`proven       ${project.proven}`]),
    `checkpoints  ${String(verified.checked)}, ${verified.valid ? 'the whole chain verifies' : `NOT VALID at ${String(verified.firstBad.seq)}: ${verified.firstBad.reason}`}`,
    `cost         ${costOf(project)}`,
  );
  return { project, isSound: verified.valid };
}

export function list(out: Output, title: string, lines: readonly string[]): void {
  out.lines('', bold(title), ...(lines.length > 0 ? lines : ['nothing']).map((line) => `  ${line}`));
}

export const outcomeLine = (finding: Finding): string => {
  const { kind, commit, reason } = finding.outcome;
  const how = commit === null ? (reason === null ? '' : `, ${reason}`) : ` in ${commit.slice(0, 7)}`;
  return `${findingLine(finding)}: ${kind}${dim(how)}`;
};

const healLine = ({ title, status, attempts }: HealProblem): string =>
  `${title}: ${status}${dim(`, ${attempts.map(({ number, tier, outcome }) => `${String(number)} ${tier} ${outcome}`).join(' → ')}`)}`;

import type { Finding, HealProblem, Project, ProjectDiff } from '#contracts';
import type { ApiClient } from './api-client.js';
import type { DemoRepository } from './demo-repository.js';
import { amount, bold, dim, findingLine } from './event-line.js';

/** What became of the project, read over the API as anybody would. */
export async function showEnd(api: ApiClient, repository: DemoRepository, id: string): Promise<'well' | 'badly'> {
  const path = `/v1/projects/${id}`;
  const [project, verified, diff, findings, problems] = await Promise.all([
    api.get<Project>(path),
    api.post<{ valid: boolean; checked: number }>(`${path}/checkpoints/verify`),
    api.get<ProjectDiff>(`${path}/diff`),
    api.get<{ data: Finding[] }>(`${path}/findings`),
    api.get<{ data: HealProblem[] }>(`${path}/problems`),
  ]);
  const branch = project.workspace?.branch ?? 'none';
  list('findings', findings.data.map(outcomeLine));
  list('healed', problems.data.map(healLine));
  list('commits', (await repository.git(['log', '--format=%h %s', `main..${branch}`])).split('\n').filter(Boolean));
  list(
    'changed',
    diff.files.map(({ path: file, insertions, deletions }) => `${file} +${String(insertions)} −${String(deletions)}`),
  );
  console.log(`\nstatus       ${project.status}${project.simulated ? ', with a simulated model' : ''}`);
  console.log(`checkpoints  ${String(verified.checked)}, ${verified.valid ? 'the whole chain verifies' : 'NOT VALID'}`);
  console.log(`cost         ${costOf(project)}`);
  console.log(`checkout     ${(await repository.git(['status', '--short'])) || 'untouched'}`);
  return project.status === 'completed' && verified.valid ? 'well' : 'badly';
}

function list(title: string, lines: readonly string[]): void {
  console.log(`\n${bold(title)}`);
  for (const line of lines.length > 0 ? lines : ['nothing']) console.log(`  ${line}`);
}

const outcomeLine = (finding: Finding): string => {
  const { kind, commit, reason } = finding.outcome;
  const how = commit === null ? `, ${reason ?? 'nobody said why'}` : ` in ${commit.slice(0, 7)}`;
  return `${findingLine(finding)}: ${kind}${dim(how)}`;
};

const healLine = ({ title, status, attempts }: HealProblem): string =>
  `${title}: ${status}${dim(`, ${attempts.map(({ number, tier, outcome }) => `${String(number)} ${tier} ${outcome}`).join(' → ')}`)}`;

function costOf({ budget, simulated }: Project): string {
  if (!budget) return 'nobody knows';
  const tokens = `${amount(budget.tokens.used)} tokens`;
  return simulated
    ? `${tokens} of a simulated model: counted, and nothing is paid`
    : `${budget.usd.used} USD, ${tokens}`;
}

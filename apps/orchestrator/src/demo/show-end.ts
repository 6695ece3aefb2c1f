import type { Finding, HealProblem, Project, ProjectDiff } from '#contracts';
import type { ApiClient } from './api-client.js';
import type { DemoRepository } from './demo-repository.js';
import { bold, dim, findingLine } from './event-line.js';

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
  console.log(`\n${bold('findings')}`);
  for (const finding of findings.data) console.log(`  ${findingLine(finding)}, ${finding.outcome.kind}`);
  console.log(`${bold('healed')}`);
  for (const { title, status, attempts } of problems.data) {
    const steps = attempts.map(({ number, tier, outcome }) => `${String(number)} ${tier} ${outcome}`).join(' → ');
    console.log(`  ${title}: ${status} ${dim(steps)}`);
  }
  const branch = project.workspace?.branch ?? 'none';
  console.log(`${bold('commits')}`);
  console.log((await repository.git(['log', '--format=  %h %s', `main..${branch}`])) || '  none');
  const { budget } = project;
  console.log(`\nstatus       ${project.status}${project.simulated ? ', with a simulated model' : ''}`);
  console.log(`checkpoints  ${String(verified.checked)}, ${verified.valid ? 'the whole chain verifies' : 'NOT VALID'}`);
  console.log(`cost         ${budget?.usd.used ?? '?'} USD, ${String(budget?.tokens.used ?? '?')} tokens`);
  console.log(
    `changed      ${diff.files.map(({ path: file, insertions }) => `${file} +${String(insertions)}`).join(', ')}`,
  );
  console.log(`checkout     ${(await repository.git(['status', '--short'])) || 'untouched'}`);
  return project.status === 'completed' && verified.valid ? 'well' : 'badly';
}

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArtifactContent, Project, ProjectCosts } from '#contracts';
import type { Api } from '../harness/api.js';
import type { OutcomeCase } from './cases/case.js';
import { type Ending, findSilentPages, isRight, outcomeOf } from './report/judge.js';
import type { CaseResult } from './report/table.js';
import { makeRepository, runOracle } from './repository.js';
import type { OutcomeServices } from './services.js';

const DEADLINE_MS = 150_000;
const ABORT_MS = 20_000;
const LOOK_MS = 250;
const ENDED: readonly Project['status'][] = ['completed', 'aborted', 'failed'];

/** Runs one case to its end, to the first question to a person, or to its deadline. */
export async function runCase(services: OutcomeServices, one: OutcomeCase, signal?: AbortSignal): Promise<CaseResult> {
  if (signal?.aborted) throw new Error('The run was over before this case began.');
  const since = performance.now();
  const repository = join(services.path, `repository-${one.name}`);
  await makeRepository(repository, one.job.target.files);
  const api = await services.api(one.protocol);
  const started = await api.call<Project>('POST', '/v1/projects', startBody(services, one, repository));
  const result = (ending: Ending, costUsd: number): CaseResult => {
    const outcome = outcomeOf(ending);
    const { summary, pages = {} } = ending;
    const calls = services.callsOf(one.name);
    const lacks = [
      ...findSilentPages(one.tells, pages).map((name) => `${name} does not say what it must say.`),
      ...(calls > (one.maxCalls ?? Infinity) ? [`It may take ${String(one.maxCalls)} calls of models at most.`] : []),
    ];
    return {
      case: one,
      outcome,
      isRight: isRight(one.kind, outcome, ending, one.asks) && lacks.length === 0,
      why: ending.why === '' ? lacks.join(' ') : ending.why,
      calls,
      costUsd,
      ms: performance.now() - since,
      summary,
      pages,
    };
  };
  if (started.status >= 400) {
    return result({ status: 'refused', summary: '', isFulfilled: null, why: JSON.stringify(started.body) }, 0);
  }
  const { id } = started.body;
  const last = await waitForEnd(api, id, signal);
  const ending = {
    ...(await endingOf(services, one, api, last, repository)),
    pages: await readPages(api, id),
  };
  const costs = await api.must<ProjectCosts>('GET', `/v1/projects/${id}/costs?limit=1`);
  if (!ENDED.includes(last.status)) await abort(api, id);
  return result(ending, Number(costs.total.costUsd ?? 0));
}

function startBody(services: OutcomeServices, one: OutcomeCase, repository: string): object {
  const { target, task } = one.job;
  return {
    request: task.request,
    mode: one.mode,
    repo: { path: repository },
    ...(target.verify && { verify: target.verify }),
    ...(one.mode === 'coding' && { agents: { count: 3 } }),
    ...(one.mode === 'classic' && { gates: { plan: false } }),
    ...(one.protocol !== 'none' && { models: services.hire(one) }),
    ...one.start,
  };
}

/** Ends at the first question to a person. Work mode always asks for its plan: the first one is approved. */
async function waitForEnd(api: Api, id: string, signal?: AbortSignal): Promise<Project> {
  const deadline = performance.now() + DEADLINE_MS;
  let approvedAt: unknown = null;
  for (;;) {
    const project = await api.project(id);
    const openedAt = project.waitingFor?.['openedAt'];
    if (approvedAt === null && isPlanOfWork(project)) {
      await api.decide(id, 'approve', 'plan');
      approvedAt = openedAt;
    }
    const isOver = ENDED.includes(project.status) || (isAsking(project) && openedAt !== approvedAt);
    if (isOver || signal?.aborted === true || performance.now() > deadline) return project;
    await delay(LOOK_MS);
  }
}

const isAsking = ({ waitingFor }: Project): boolean => waitingFor?.kind === 'gate';

const isPlanOfWork = ({ mode, waitingFor }: Project): boolean => mode === 'work' && waitingFor?.['gate'] === 'plan';

async function endingOf(
  services: OutcomeServices,
  one: OutcomeCase,
  api: Api,
  project: Project,
  repository: string,
): Promise<Ending> {
  const open = { summary: '', isFulfilled: null };
  if (isAsking(project)) return { ...open, status: 'asked', why: questionOf(project) };
  const where = `${project.status} in ${project.state}`;
  if (!ENDED.includes(project.status)) return { ...open, status: 'timed out', why: where };
  if (project.status !== 'completed') return { ...open, status: 'ended', why: where };
  const page = await api.call<ArtifactContent>('GET', `/v1/projects/${project.id}/artifacts/SUMMARY.md`);
  const branch = project.workspace?.branch;
  const scratch = join(services.path, `oracle-${one.name}`);
  const judged = branch === undefined ? null : await runOracle(repository, branch, one.job.task.oracle, scratch);
  const why = judged?.isPassed === true ? '' : (judged?.output ?? 'There is no branch.');
  return { status: 'completed', summary: page.body.content, isFulfilled: judged?.isPassed ?? null, why };
}

/** The pages of a project that a person reads. */
async function readPages(api: Api, id: string): Promise<Record<string, string>> {
  const { data } = await api.must<{ data: readonly { name: string }[] }>('GET', `/v1/projects/${id}/artifacts`);
  const pages: Record<string, string> = {};
  for (const { name } of data.filter((page) => /^[A-Z-]+\.md$/.test(page.name))) {
    const { content } = await api.must<ArtifactContent>('GET', `/v1/projects/${id}/artifacts/${name}`);
    pages[name] = content;
  }
  return pages;
}

function questionOf({ state, waitingFor }: Project): string {
  const why = waitingFor?.['why'] ?? waitingFor?.['ask'];
  return typeof why === 'string' ? `${state}: ${why}` : state;
}

/** Nothing of a case goes on after its end. */
async function abort(api: Api, id: string): Promise<void> {
  await api.call('POST', `/v1/projects/${id}/commands`, { command: 'ABORT' });
  await api.untilStatus(id, 'aborted', ABORT_MS).catch(() => undefined);
}

import type { Config } from '#config';
import type { StartProject } from '#contracts';
import { announcementsOf, initialSnapshot, isRunnable, type ProjectFacts, stateTimer, statusOf } from '#engine';
import { type JsonObject, UserError } from '#kernel';
import { type Mode, type ModeRegistry, mustHeed } from '#modes';
import {
  type Database,
  insertBudget,
  insertEndpoint,
  insertProject,
  inTransaction,
  inWorldlyTerms,
  nextProjectNumber,
} from '#persistence';
import { allowedRepository, type GitWorktrees } from '#workspace';
import type { Operation } from '../http/index.js';
import { capsOf } from './budget-desk.js';
import { projectName } from './project-name.js';
import type { StoredWebhookDesk } from './webhook-desk.js';

export interface StartParts {
  readonly config: Config;
  readonly pool: Database;
  readonly modes: ModeRegistry;
  readonly worktrees: Pick<GitWorktrees, 'commitAt' | 'takenNumber'>;
  readonly webhooks: Pick<StoredWebhookDesk, 'seedFor' | 'started'>;
}

/** Checks an order and creates its project: row, budget, first checkpoint, events and wake-up, all or nothing. */
export async function startProject(parts: StartParts, order: StartProject, operation: Operation): Promise<void> {
  const mode = parts.modes.mode(order.mode);
  mustBeHumanToSwitchGatesOff(order, operation);
  mustBeHumanToSpendMore(parts.config, order, operation);
  const options = optionsOf(order);
  mustBeHeeded(mode, order, options);
  const repo = await repositoryOf(parts, mode, order, operation);
  const context = mode.begin(order.parameters, order.gates ?? {}, options);
  const { request, parameters } = order;
  await mode.admit?.({ request, repo: repo?.path ?? null, parameters, options });
  const endpoint = await parts.webhooks.seedFor(order, operation.id);
  const snapshot = initialSnapshot(mode.machine, context);
  const number = await numberFor(parts, operation, repo);
  const facts: ProjectFacts = {
    id: operation.id,
    name: projectName(number, order.request),
    machine: mode.machine.name,
    machineVersion: mode.machine.version,
    request: order.request,
    parameters: order.parameters,
    repo,
    parent: null,
    startedBy: operation.by.principal,
    traceparent: operation.traceparent,
  };
  const seed = {
    facts,
    snapshot,
    status: statusOf(mode.machine, snapshot),
    runnable: isRunnable(mode.machine, snapshot),
    timer: stateTimer(mode.machine, facts, snapshot),
    number,
    mode: mode.name,
    options,
    labels: order.labels,
    parentIncarnation: null,
    events: [
      { type: 'project.created', data: { mode: mode.name, by: operation.by.principal, key: operation.by.keyId } },
      { type: 'state.entered', data: { from: null, to: snapshot.state, cause: 'created' } },
    ],
    announcements: announcementsOf({
      machine: mode.machine,
      facts,
      before: null,
      after: snapshot,
      version: 1,
      cause: 'created',
    }),
  };
  await inWorldlyTerms(() =>
    inTransaction(parts.pool, async (client) => {
      // Before the project: its own endpoint hears of it from the beginning.
      if (endpoint) await insertEndpoint(client, endpoint);
      const isNew = await insertProject(client, seed, parts.config.checkpointKey);
      if (isNew) await insertBudget(client, facts.id, capsOf(order.budget, parts.config));
    }),
  );
}

/** Its folder and its branch are its own, also where another service, or this one with other data, was here before. */
export async function numberFor(
  { worktrees, pool }: Pick<StartParts, 'worktrees' | 'pool'>,
  { id: projectId }: Operation,
  repo: ProjectFacts['repo'],
): Promise<number> {
  const taken = repo === null ? 0 : await worktrees.takenNumber({ projectId, repo: repo.path });
  return inWorldlyTerms(() => nextProjectNumber(pool, taken));
}

/** What was asked for beyond the columns of the project's row and its endpoint's, kept for the activities that know it. */
function optionsOf({ request, parameters, labels, repo, mode, webhook, ...options }: StartProject): JsonObject {
  return JSON.parse(JSON.stringify(options)) as JsonObject;
}

/** A budget is every project's own; what else was asked for is the mode's to know. */
function mustBeHeeded(mode: Mode, order: StartProject, { budget, gates, ...others }: JsonObject): void {
  mustHeed(mode, { ...others, ...(order.repo && { repo: order.repo.path }) }, order.gates ?? {});
}

/** What is wrong with a repository now is said now; its worker looks again, as it may change until then. */
async function repositoryOf(
  { config, worktrees }: StartParts,
  mode: Mode,
  order: StartProject,
  { id: projectId }: Operation,
): Promise<ProjectFacts['repo']> {
  if (order.repo) {
    const path = await allowedRepository(order.repo.path, config.repoRoots);
    const { ref = 'HEAD' } = order.repo;
    await worktrees.commitAt({ projectId, repo: path, ref });
    return { path, ref };
  }
  if (!mode.needsRepo) return null;
  throw new UserError('REPO_REQUIRED', `the mode ${mode.name} works on a repository: give repo.path`);
}

/** As for raising a cap later: only a person lets a project spend more than the server's default. */
function mustBeHumanToSpendMore(config: Config, { budget }: StartProject, { by }: Operation): void {
  const [wanted, usual] = [capsOf(budget, config), capsOf(undefined, config)];
  const isMore = (wanted.nanoUsd ?? 0n) > (usual.nanoUsd ?? 0n) || (wanted.tokens ?? 0) > (usual.tokens ?? 0);
  if (!isMore || by.principal === 'human') return;
  const { usd, tokens } = config.budget;
  const most = `${usd} USD and ${String(tokens)} tokens`;
  throw new UserError('HUMAN_REQUIRED', `a budget above ${most} needs the API key of a human principal`);
}

function mustBeHumanToSwitchGatesOff(order: StartProject, { by }: Operation): void {
  const off = Object.entries(order.gates ?? {}).filter(([, isOn]) => !isOn);
  if (off.length === 0 || by.principal === 'human') return;
  const names = off.map(([name]) => name).join(', ');
  throw new UserError('HUMAN_REQUIRED', `switching the gate ${names} off needs the API key of a human principal`);
}

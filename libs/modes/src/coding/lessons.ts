import type { Finding } from '#contracts';
import type { ActivityContext } from '#engine';
import { repeatable } from '../shared/repeatable.js';
import { type CodingParts, domainsOf, placeOf } from './coding-context.js';
import { contextOf } from './context.js';

export interface Learnt {
  /** Of what it was learnt from: repeated after a crash, it is no second lesson. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

const LONGEST_TOLD = 200;

/** For the projects that come after this one on the repository. */
export async function learn(
  { memory }: Pick<CodingParts, 'memory'>,
  activity: ActivityContext,
  lessons: readonly Learnt[],
  isSimulated = isSimulatedIn(activity),
): Promise<void> {
  if (lessons.length === 0) return;
  const { repo, name: project } = placeOf(activity);
  await repeatable(activity, 'remember', async (run) => {
    for (const { id, title, body: said } of lessons) {
      const effect = `${run.lease.projectId}/${run.key}/${id}`;
      const domains = domainsOf(activity);
      const body = markedAs(isSimulated, said);
      await memory.remember({ kind: 'architectural_decision', repo, domains, title, body, project, effect });
    }
    run.tell('memory.learnt', { titles: lessons.map(({ title }) => title.slice(0, LONGEST_TOLD)) });
  });
}

export const isSimulatedIn = (scene: Pick<ActivityContext, 'context'>): boolean => contextOf(scene).simulated === true;

/** A later project may have real models: they are to know what this was worth. */
export const markedAs = (isSimulated: boolean, body: string): string =>
  isSimulated ? `${body}\n(Said by a simulated model.)` : body;

const MOST_REMEMBERED = 5;

/** What several reviewers, or a sure one, said about the design is worth knowing next time. */
export const worthKnowing = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ priority, agents }) => priority === 'P0' || agents.length > 1).slice(0, MOST_REMEMBERED);

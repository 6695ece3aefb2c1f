import { mergeFindings } from '#team';
import type { ArtefactPage } from '#workspace';
import { plannedPages } from '../../classic/planned-pages.js';
import { workPlanPages } from '../../work/plan-page.js';
import { reportsOf } from '../../work/work-context.js';
import { domainsOf, findingsOf, reviewsOf, tasksOf, teamOf, WORK_MACHINE } from '../coding-context.js';
import { contextOf } from '../context.js';
import { hasOutput } from '../reviewer/review.js';
import { agentPages, reviewPages } from './review-pages.js';
import type { Shown } from './seed-state.js';
import { planPages } from './task-plan.js';

/**
 * What the states before have written, as far as the checkpoint knows it: a fork goes on behind them in a folder of its
 * own, and somebody may have deleted the folder.
 */
export function earlyPages(scene: Shown): readonly ArtefactPage[] {
  const { project } = scene;
  const isSimulated = contextOf(scene).simulated === true;
  const [team, reviews] = [teamOf(scene), reviewsOf(scene)];
  const isPlanned = contextOf(scene).plan !== undefined;
  const isWork = project.machine === WORK_MACHINE;
  const isSynthesised = isWork ? contextOf(scene).isReviewed === true : contextOf(scene).findings !== undefined;
  const handedIn = team && !isSynthesised ? agentPages(team, reviews) : [];
  return [
    ...(team ? [['discovered-plugins.json', seatedPage(scene)] as const] : []),
    ...(isPlanned ? (isWork ? workPlanPages(scene) : plannedPages(scene)) : []),
    ...(isSynthesised ? synthesisedPages(scene, isSimulated) : handedIn),
    ...(isSynthesised && !isPlanned ? planPages(scene, tasksOf(scene), isSimulated) : []),
  ];
}

function synthesisedPages(scene: Shown, isSimulated: boolean): readonly ArtefactPage[] {
  const [reviews, findings] = [reviewsOf(scene), findingsOf(scene)];
  const all = mergeFindings([...reportsOf(scene), ...reviews.filter(hasOutput)], Infinity);
  return reviewPages(scene, { reviews, findings, leftOut: all.length - findings.length, isSimulated });
}

/** Who was seated and why. Who else was there to be chosen no checkpoint knows. */
const seatedPage = (scene: Shown): string =>
  `${JSON.stringify({ request: scene.project.request, domains: domainsOf(scene), seats: teamOf(scene)?.members }, null, 2)}\n`;

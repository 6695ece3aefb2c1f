import type { Finding, Team } from '#contracts';
import type { ActivityContext } from '#engine';
import { agentPage, synthesisPage } from '#team';
import { agentArtefact, type ArtefactPage } from '#workspace';
import { seatsOf, teamOf } from '../coding-context.js';
import type { Review } from '../reviewer/review.js';

export interface Synthesis {
  readonly reviews: readonly Review[];
  readonly findings: readonly Finding[];
  /** Beyond the most that a list of findings holds. */
  readonly leftOut: number;
  readonly isSimulated: boolean;
}

/** What each reviewer handed in, and SYNTHESIS.md. */
export function reviewPages(
  scene: Pick<ActivityContext, 'project' | 'context'>,
  { reviews, findings, leftOut, isSimulated }: Synthesis,
): readonly ArtefactPage[] {
  const team = teamOf(scene);
  if (!team) return [];
  const skillsByAgent = Object.fromEntries(
    seatsOf(scene).map(({ agent, skills }) => [agent, skills.map(({ name }) => name)]),
  );
  const { request } = scene.project;
  const page = synthesisPage({ request, team, skillsByAgent, reviews, findings, leftOut, isSimulated });
  return [...agentPages(team, reviews), ['SYNTHESIS.md', page]];
}

export function agentPages({ members }: Team, reviews: readonly Review[]): readonly ArtefactPage[] {
  const isSimulated = reviews.some((one) => one.isSimulated);
  return reviews.flatMap((one): ArtefactPage[] => {
    const member = members.find(({ agent }) => agent === one.agent);
    return member ? [[agentArtefact(one.agent), agentPage(member, one, one.health, isSimulated)]] : [];
  });
}

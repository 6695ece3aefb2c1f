import type { Activity, ActivityContext, Report } from '#engine';
import type { JsonObject } from '#kernel';
import { canProceed } from '../coding/block-ways.js';
import { resolvedBlock } from '../coding/coding-context.js';
import { contextOf } from '../coding/context.js';
import { describeWithoutReason } from '../coding/proof/record-proof.js';
import { isEscalated } from './work-context.js';
import { openReasons, waivedReasonsOf } from './outgrown.js';

/**
 * What a person consents to is what the question said, and nothing that comes later. A doubt is consented to once, in its
 * own words. Of what would hand the work over, `proceed` waives what stood at the block; one more of it is another reason.
 */

type Scene = Pick<ActivityContext, 'context' | 'visit'>;

interface Asked {
  readonly cause?: string;
  readonly outgrown?: readonly string[];
}

const blockOf = ({ context }: Pick<ActivityContext, 'context'>): Asked | null =>
  (context['block'] as Asked | null | undefined) ?? null;

const doubtAsked = (scene: Pick<ActivityContext, 'context'>): JsonObject =>
  blockOf(scene)?.cause === 'unproven' ? { consentedDoubt: listMissing(scene) } : {};

/** What was missing for a proof when a person was asked. */
const listMissing = (scene: Pick<ActivityContext, 'context'>): string[] =>
  (contextOf(scene).proof?.failings ?? []).map(describeWithoutReason);

/** The consent of a person who goes on with what is done. */
export const consentOf = (scene: Scene): JsonObject => ({
  ...doubtAsked(scene),
  waivedReasons: [...new Set([...waivedReasonsOf(scene), ...(blockOf(scene)?.outgrown ?? [])])],
});

/** Whether a person has consented to all that is missing: at the block just left, or when it was put off or gone on with. */
export function hasConsented(scene: Scene, missing: readonly string[]): boolean {
  const left = resolvedBlock(scene);
  const isResolved = left?.cause === 'unproven' && left.decision === 'resolve';
  const known = (scene.context['consentedDoubt'] as readonly string[] | null | undefined) ?? [];
  const consented = new Set([...known, ...(isResolved ? listMissing(scene) : [])]);
  return missing.length > 0 && missing.every((one) => consented.has(one));
}

/** A person who defers a doubt consents to it. */
export const consentingToDoubt =
  (defer: Activity): Activity =>
  async (activity) =>
    withPatch(await defer(activity), () => doubtAsked(activity));

/** Adds to a block why the work would escalate: `proceed` is consent to that too. */
export const sayingWhatIsOutgrown =
  (work: Activity): Activity =>
  async (activity) =>
    withPatch(await work(activity), (patch) => {
      const scene = { context: { ...activity.context, ...patch } };
      const reasons = isEscalated(scene) ? [] : openReasons(scene);
      if (!patch['block'] || reasons.length === 0) return {};
      const known = { project: activity.project, context: scene.context };
      const skips = canProceed(known) ? ' `proceed` completes what is done without the full team.' : '';
      const words = `The work has also outgrown a small team: ${reasons.join('; ')}. If it goes on, the full team takes over.${skips}`;
      const why = typeof patch['why'] === 'string' ? `${patch['why']}\n\n${words}` : words;
      return { why, block: { ...(patch['block'] as JsonObject), outgrown: [...reasons] } };
    });

const withPatch = (report: Report, more: (patch: JsonObject) => JsonObject): Report =>
  report.kind === 'event' ? { ...report, patch: { ...report.patch, ...more(report.patch ?? {}) } } : report;

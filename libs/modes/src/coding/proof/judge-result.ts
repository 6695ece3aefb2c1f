import type { ActivityContext } from '#engine';
import type { JsonObject } from '#kernel';
import { type Judgement, judgeProof } from '#proof';
import { tasksOf } from '../coding-context.js';
import type { GatheredFacts } from './gather-facts.js';
import { proofFactsOf } from './proof-facts.js';
import { findPutOff, withoutPutOff } from './put-off.js';

export interface JudgedResult {
  readonly judgement: Judgement;
  /** Steps that a person put off. The judgement is about the rest. */
  readonly putOff: readonly string[];
}

const RULES_OF_PARTS: readonly string[] = ['c', 'inspection'];

/** Judges what was gathered, without what a person put off. */
export function judgeResult(activity: ActivityContext, facts: GatheredFacts, patch: JsonObject): JudgedResult {
  const putOff = findPutOff(facts.plan, tasksOf(activity));
  const left = withoutPutOff(proofFactsOf(activity, facts, patch), putOff);
  const judgement = judgeProof(left);
  if (putOff.steps.length === 0 || left.parts.length > 0) return { judgement, putOff: putOff.steps };
  // No part of the request is left, so no rule about parts can hold.
  const failings = judgement.failings.filter(({ rule }) => !RULES_OF_PARTS.includes(rule));
  const proven = judgement.proven === 'no' && failings.length === 0 ? 'yes' : judgement.proven;
  return { judgement: { ...judgement, proven, failings }, putOff: putOff.steps };
}

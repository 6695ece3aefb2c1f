import type { JsonObject } from '#kernel';
import { forkedPlan } from '../work/forked-plan.js';

/** What a project knows that goes on from another one's checkpoint: all of it, but its branch and its team have its own name. */
export function forkedContext(context: JsonObject, name: string): JsonObject {
  const { branch, teamName, team } = context;
  return {
    ...context,
    ...forkedPlan(context),
    ...(typeof branch === 'string' && { branch: `qralph/${name}` }),
    ...(typeof teamName === 'string' && { teamName: `qralph-${name}` }),
    ...(isObject(team) && { team: { ...team, name: `qralph-${name}` } }),
  };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

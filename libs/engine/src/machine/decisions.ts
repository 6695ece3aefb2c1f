import type { JsonObject } from '#kernel';

/** What a person decided at a gate, as every checkpoint since then carries it along. */
export interface Decision {
  readonly at: string;
  readonly gate: string;
  readonly decision: string;
  /** Its beginning: the whole of the last one is in the context's `decision`. */
  readonly feedback?: string;
}

/** Contexts stay small however often a person sends the work back: the newest are kept. */
export const MOST_DECISIONS = 100;
export const LONGEST_FEEDBACK = 500;

export const decisionsOf = (context: JsonObject): readonly Decision[] =>
  (context['decisions'] as unknown as readonly Decision[] | undefined) ?? [];

/** The patch by which a context remembers one decision more. */
export function decided(context: JsonObject, { feedback, ...decision }: Decision): JsonObject {
  const cut = feedback ? { feedback: feedback.slice(0, LONGEST_FEEDBACK) } : {};
  return {
    decisions: [...decisionsOf(context), { ...decision, ...cut }].slice(-MOST_DECISIONS) as unknown as JsonObject[],
  };
}

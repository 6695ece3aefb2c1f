import type { Usage } from '#models';

/** A message, or all that comes before the first one. */
export interface PromptPart {
  /** Of it and of all before it. */
  readonly digest: string;
  readonly tokens: number;
}

/** The beginnings of prompts that are remembered of a run: more than a conversation has messages. */
const MOST_BEGINNINGS = 10_000;

/**
 * What the provider said about the prompts of a run: of a beginning that was sent before, how much was in no cache. Its
 * answer to the next prompt with the same beginning is expected to count no more than that, and what is new.
 */
export class PromptMemory {
  /** By the digest of the beginning; those that came last are last. */
  private readonly uncached = new Map<string, number>();

  constructor(private readonly most = MOST_BEGINNINGS) {}

  learn(parts: readonly PromptPart[], { input }: Usage): void {
    for (const { digest } of parts) {
      this.uncached.delete(digest);
      this.uncached.set(digest, input);
    }
    for (const digest of this.uncached.keys()) {
      if (this.uncached.size <= this.most) break;
      this.uncached.delete(digest);
    }
  }

  /** Tokens of a prompt that no cache is known to hold. */
  uncachedOf(parts: readonly PromptPart[], tokens: number): number {
    let [least, left] = [tokens, tokens];
    for (const part of parts) {
      left -= part.tokens;
      const known = this.uncached.get(part.digest);
      if (known !== undefined) least = Math.min(least, known + left);
    }
    return least;
  }
}

import type { HealAttempt, HealPattern, HealProblem, MemoryKind } from '#contracts';
import type { ActivityContext } from '#engine';
import { healHints } from '#self-heal';
import { repeatable } from '../shared/repeatable.js';
import { sideBySide } from '../shared/side-by-side.js';
import { type CodingParts, domainsOf, placeOf } from './coding-context.js';
import { isSimulatedIn, markedAs } from './lessons.js';

interface Recalled {
  readonly pattern: HealPattern | null;
  readonly hints: string;
}

/** Of what failed, and of what helped: neither has to leave room for the other, nor for what is no hint at all. */
const MOST_MEMORIES = 8;
const FAILED: readonly MemoryKind[] = ['failed_approach'];
const HELPED: readonly MemoryKind[] = ['successful_workaround', 'error_pattern'];

/** What is known about this error: a fix that worked before, tried once, and what to repeat or not to repeat. */
export async function recalled(
  { patterns, memory }: CodingParts,
  activity: ActivityContext,
  problem: HealProblem,
): Promise<Recalled> {
  const { repo } = placeOf(activity);
  return repeatable(activity, 'recall', async (run) => {
    const wasTried = problem.attempts.some(({ usedPattern }) => usedPattern);
    const pattern = wasTried ? null : await patterns.find(repo, problem.signature);
    const text = `${problem.title}\n${problem.error}`;
    const about = { text, repo, domains: domainsOf(activity), most: MOST_MEMORIES };
    const [failed, helped] = await sideBySide(
      memory.recall({ ...about, kinds: FAILED }),
      memory.recall({ ...about, kinds: HELPED }),
    );
    if (pattern)
      run.tell('heal.pattern-found', { problem: problem.id, signature: problem.signature, pattern: pattern.id });
    return { pattern, hints: healHints([...failed, ...helped]) };
  });
}

interface Tried {
  readonly attempt: HealAttempt;
  readonly diff: string;
  readonly pattern: HealPattern | null;
}

/** What worked is a pattern and a memory, what failed is a memory too: the next one knows both. */
export async function remembered(
  { patterns, memory }: CodingParts,
  activity: ActivityContext,
  { signature, error, title, id }: HealProblem,
  { attempt, diff, pattern }: Tried,
): Promise<void> {
  const { repo, name: project } = placeOf(activity);
  const hasWorked = attempt.outcome === 'fixed';
  await repeatable(activity, 'remember', async (run) => {
    const effect = `${run.lease.projectId}/${run.key}`;
    const domains = domainsOf(activity);
    const { tier, tried: fix, number } = attempt;
    const shared = { repo, domains, project };
    const marked = (text: string): string => markedAs(isSimulatedIn(activity), text);
    if (hasWorked) {
      await patterns.worked({ repo, signature, error, fix, diff, tier, project }, effect);
      const body = marked(`${fix}\nThe error: ${error.slice(0, 1_000)}`);
      await memory.remember({ ...shared, kind: 'successful_workaround', title, body, effect });
      await memory.remember({
        ...shared,
        kind: 'error_pattern',
        title,
        body: error.slice(0, 4_000),
        effect: `${effect}/error`,
      });
    } else {
      if (pattern) await patterns.failed(repo, signature, effect);
      const body = marked(`${fix}\nWhy it did not count: ${attempt.why ?? 'unknown'}`);
      await memory.remember({ ...shared, kind: 'failed_approach', title, body, effect });
    }
    run.tell('heal.remembered', { problem: id, attempt: number, worked: hasWorked });
  });
}

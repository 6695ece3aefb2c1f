import type { ActivityContext } from '#engine';
import type { Block } from '../shared/block.js';
import { type Way, waysOut } from './block-ways.js';
import type { ContextPatch } from './context.js';
import { isToldAtBlock, stopKindOf } from './describe-stop.js';
import { describeProgress, renderScreen } from './screen-lines.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;

export interface BlockDetails {
  /** What belongs to this cause, such as the attempts that were made. */
  readonly sections?: readonly string[];
  /** Shown instead of the end of the block's output. */
  readonly printed?: string;
}

const LONGEST_MESSAGE = 1_000;
const LONGEST_OUTPUT = 4_000;

/** The block, and the one screen that a person reads at its gate. The context is as the block leaves it. */
export function blockWith(scene: Scene, given: Block, details: BlockDetails = {}): Pick<ContextPatch, 'block' | 'why'> {
  const block = {
    ...given,
    message: given.message
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()
      .slice(0, LONGEST_MESSAGE),
  };
  return { block, why: renderBlockScreen(scene, block, details) };
}

function renderBlockScreen(scene: Scene, block: Block, { sections = [], printed }: BlockDetails): string {
  const { likely, others } = answerAt(scene, block);
  const output = printed ?? (block.output?.trim() ? `${titleOf(block)}\n${block.output.slice(-LONGEST_OUTPUT)}` : null);
  return renderScreen({
    first: block.message,
    sections: [...describeProgress(scene), ...sections],
    answer: [likely, ...others.map(({ decision, does }) => `\`${decision}\` ${does}.`)].join(' '),
    printed: output,
  });
}

const titleOf = ({ cause }: Block): string => (cause === 'agent' ? 'What was reported:' : 'What was printed:');

/** What the answer depends on, as a context has it. */
export interface BlockCause {
  readonly cause: string;
  readonly code?: string | undefined;
  readonly role?: string | undefined;
}

export interface Answer {
  /** Names the first of the ways out. */
  readonly likely: string;
  readonly others: readonly Way[];
}

/** The likely best answer, and what else a person can decide. */
export function answerAt(scene: Scene, block: BlockCause): Answer {
  const [first, ...others] = waysOut(scene, block.cause);
  return { likely: likelyAt(block, first?.does ?? ''), others };
}

const BY_HAND =
  'fix it in the worktree, then decide `resolve`. The service verifies your change and keeps it. If you know what is wrong, say it with `resolve`: the next attempt reads your words.';

/** The code of a set-up that fails on a fresh checkout only. */
export const FRESH_SETUP = 'SETUP_NOT_COMMITTED';

function likelyAt({ cause, code = '', role }: BlockCause, resolve: string): string {
  switch (cause) {
    case 'problem':
    case 'breaker-signature':
      return BY_HAND;
    case 'never-healed':
      return 'look at what it is about, and do it in the worktree if it is right. Then decide `resolve`. The service verifies your change and keeps it. Without a change, `resolve` makes one more attempt.';
    case 'budget':
      return 'raise the budget. The work then continues by itself.';
    case 'setup':
      return code === FRESH_SETUP
        ? 'commit the files that the set-up needs, or name them in `copy`, and start the request again. `resolve` runs the set-up again, which helps only if the cause is outside the repository.'
        : 'read the output, remove the cause, then decide `resolve`: it runs the set-up again.';
    case 'unproven':
      return 'look at the branch and at what is not proven. If the result is right, `resolve` accepts it as it is, and records it as not proven. If something is missing, add it in the worktree, and decide RETRY.';
    case 'uat':
      return 'look at the scenarios that fail. If the code is wrong, fix it in the worktree, then decide `resolve`: it tries these scenarios again.';
    case 'reviewer':
      return 'decide `resolve`: it asks these reviewers again. If their models still fail, look at their provider first.';
    case 'breaker-orphans':
      return 'end these processes, then decide `resolve`: the work continues, and only further ones count.';
    case 'agent':
      return likelyAtAgent(code, role);
    default:
      return `remove the cause, then decide \`resolve\`: it ${resolve}.`;
  }
}

function likelyAtAgent(code: string, role: string | undefined): string {
  const again = 'decide `resolve`: the agent starts again';
  switch (stopKindOf(code)) {
    case 'provider':
      return `check the provider of the model, its key and its address. When it answers again, ${again}.`;
    case 'program':
      return `make the program of the agent run on this machine, as the message below says. Then ${again}.`;
    case 'work':
      return isToldAtBlock(role)
        ? `${again}. Say with it what is in the way, or which part is enough: the agent reads your words.`
        : `${again}.`;
  }
}

import { type ActivityContext, type Report, report } from '#engine';
import type { JsonObject } from '#kernel';
import type { Block } from '../shared/block.js';
import { type BlockDetails, blockWith, FRESH_SETUP } from './block-screen.js';
import { patchOf } from './context.js';

type Scene = Pick<ActivityContext, 'project' | 'context'>;

interface Options extends BlockDetails {
  readonly event?: string;
}

/** The work cannot go on by itself: its cause, and the screen that a person reads at the gate. */
export function blocked(
  scene: Scene,
  block: Block,
  patch: JsonObject = {},
  { event = 'work:blocked', ...details }: Options = {},
): Report {
  const known = blockWith({ project: scene.project, context: { ...scene.context, ...patch } }, block, details);
  const { cause, message = '' } = known.block ?? block;
  return report(event, { ...patch, ...patchOf(known) }, { cause, message });
}

/** The same where what was decided at an earlier block has been heeded, and counts no more. */
export const askPerson = (scene: Scene, block: Block, patch: JsonObject = {}, options: Options = {}): Report =>
  blocked(scene, block, { ...patch, decision: null }, options);

interface FailedSetup {
  readonly reason: string;
  readonly output: string;
}

export const blockedBySetup = (scene: Scene, { reason, output }: FailedSetup, patch: JsonObject = {}): Report =>
  blocked(scene, { cause: 'setup', message: `${describeSetup(reason)}.`, output }, patch);

/** Set-up works in the worktree, and fails on a fresh checkout of the commit. */
export const blockedByFreshSetup = (scene: Scene, { reason, output }: FailedSetup, patch: JsonObject = {}): Report => {
  const message = `${describeSetup(reason)}. It works in the worktree, but not on a fresh checkout of the commit.`;
  return blocked(scene, { cause: 'setup', message, code: FRESH_SETUP, output }, patch);
};

const describeSetup = (reason: string): string =>
  /^set-up failed/.test(reason) ? `The ${reason}` : `The set-up failed: ${reason}`;

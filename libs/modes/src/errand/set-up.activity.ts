import { type Activity, report } from '#engine';
import { blockedBySetup } from './errand-context.js';
import type { ErrandParts } from './errand-context.js';
import { enterSetUp } from './enter.js';

/** Dependencies, once per worktree. One that fails is for a person: no agent can mend a machine. */
export const setUp =
  (parts: ErrandParts): Activity =>
  async (activity) => {
    const { failed } = await enterSetUp(parts, activity);
    return failed ? blockedBySetup(failed) : report('setup:done');
  };

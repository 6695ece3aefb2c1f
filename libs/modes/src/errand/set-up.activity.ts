import { type Activity, report } from '#engine';
import { blockedBySetup } from '../coding/ask-person.js';
import { enterSetUp } from '../shared/enter.js';
import type { WorkParts } from '../shared/work-parts.js';

/** Dependencies, once per worktree. One that fails is for a person: no agent can mend a machine. */
export const setUp =
  (parts: WorkParts): Activity =>
  async (activity) => {
    const { failed } = await enterSetUp(parts, activity);
    return failed ? blockedBySetup(activity, failed) : report('setup:done');
  };

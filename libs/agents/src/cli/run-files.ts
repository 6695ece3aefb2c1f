import { UserError } from '#kernel';
import type { Worktrees } from '#workspace';
import { snapshotBeside } from '../git-guard.js';
import type { CliRun } from './run-cli.js';

type Place = Pick<CliRun, 'task' | 'scene' | 'sandbox'>;

/** The files of the worktree before and after a run. `head` is the commit that the branch stood at. */
export class RunFiles {
  constructor(private readonly worktrees: Pick<Worktrees, 'head' | 'snapshot' | 'reset'>) {}

  /**
   * A commit that the agent made by itself is none of the branch's: its files are kept, its history is not. Where they
   * cannot be kept (too large, say) the worktree is as it was before the run.
   */
  async kept(place: Place, head: string): Promise<{ commit: string; refusal: UserError | null }> {
    const { worktree, startCommit } = place.scene;
    if (place.task.access === 'read') {
      await this.takeBack(place, head);
      return { commit: startCommit, refusal: null };
    }
    try {
      return { commit: await snapshotBeside(head, worktree, this.worktrees), refusal: null };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      await this.takeBack(place, head);
      return { commit: startCommit, refusal: error };
    }
  }

  /** The worktree as it was. One that a task only reads may be shared with others: it is touched only where it must be. */
  async takeBack({ task, scene, sandbox }: Place, head: string): Promise<void> {
    const { worktree, startCommit } = scene;
    if (task.access === 'read') {
      // Where files are hidden, those of the worktree could not be written either.
      if (sandbox.guarantees.hidesFiles) return;
      const isAsItWas = (await this.worktrees.head(worktree)) === head && (await this.isAt(scene));
      if (isAsItWas) return;
    }
    await this.worktrees.reset(worktree, startCommit, head);
  }

  private async isAt({ worktree, startCommit }: Place['scene']): Promise<boolean> {
    try {
      return (await this.worktrees.snapshot(worktree)) === startCommit;
    } catch (error) {
      // Files that cannot be kept were not there before.
      if (error instanceof UserError) return false;
      throw error;
    }
  }
}

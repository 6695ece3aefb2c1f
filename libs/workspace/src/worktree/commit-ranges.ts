import type { Redactor } from '#kernel';
import { AnswerCache } from './answer-cache.js';
import type { Checkout } from './checkout.js';
import { diffOfTests, filesBetween, type Patch, patchBetween } from './diff.js';
import { madeBetween } from './made.js';
import type { DiffFile, Made, WorktreeDiff } from './worktree.port.js';

/** Of each project: the whole result, and the step at hand. A patch has 2 MB at most. */
const LAST_DIFFS = 2;

/** What lies between two commits. The same two are asked for again and again, and their answer never changes. */
export class CommitRanges {
  private readonly made = new AnswerCache<Made>();
  private readonly files = new AnswerCache<readonly DiffFile[]>(LAST_DIFFS);
  private readonly patches = new AnswerCache<Patch>(LAST_DIFFS);

  constructor(private readonly redactor: Redactor) {}

  /** `open` is asked only if the answer is not known. */
  madeBetween(
    { projectId, repo }: { readonly projectId: string; readonly repo: string },
    from: string,
    to: string,
    open: () => Promise<Checkout>,
  ): Promise<Made> {
    return this.made.find(projectId, rangeOf(repo, from, to), async () => madeBetween(await open(), from, to));
  }

  async diff(checkout: Checkout, from: string, to: string): Promise<WorktreeDiff> {
    const range = rangeOf(checkout.place.repo, from, to);
    const [files, { text, isCut }] = await Promise.all([
      this.filesBetween(checkout, from, to),
      this.patches.find(checkout.projectId, range, () => patchBetween(checkout, from, to)),
    ]);
    // Redacted each time: a secret may have become known since it was read.
    return { files, patch: this.redactor.redact(text), isCut };
  }

  async diffOfTests(checkout: Checkout, from: string, to: string, also?: ReadonlySet<string>): Promise<WorktreeDiff> {
    const files = await this.filesBetween(checkout, from, to);
    return diffOfTests(checkout, { from, to, files }, this.redactor, also);
  }

  forget(projectId: string): void {
    for (const cache of [this.made, this.files, this.patches]) cache.forget(projectId);
  }

  private filesBetween(checkout: Checkout, from: string, to: string): Promise<readonly DiffFile[]> {
    const range = rangeOf(checkout.place.repo, from, to);
    return this.files.find(checkout.projectId, range, () => filesBetween(checkout, from, to));
  }
}

const rangeOf = (repo: string, from: string, to: string): string => `${repo}\0${from}..${to}`;

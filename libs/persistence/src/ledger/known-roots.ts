import type pg from 'pg';
import { inWorldlyTerms } from '../projects/pg-errors.js';
import { rootOf } from './budget-rows.js';

/** More than are under way at once; a process that lives for years does not keep all that it has ever seen. */
const MOST = 10_000;

/** The project that each one belongs to and that no other started: it never changes, and every call of a model asks. */
export class KnownRoots {
  private readonly roots = new Map<string, string>();

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly most = MOST,
  ) {}

  /** Null where there is no such project. */
  async of(projectId: string): Promise<string | null> {
    const known = this.roots.get(projectId);
    if (known !== undefined) return known;
    const root = await inWorldlyTerms(() => rootOf(this.pool, projectId));
    if (root === null) return null;
    const [oldest] = this.roots.keys();
    if (oldest !== undefined && this.roots.size >= this.most) this.roots.delete(oldest);
    this.roots.set(projectId, root);
    return root;
  }
}

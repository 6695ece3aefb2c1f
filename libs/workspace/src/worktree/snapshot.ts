import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { changesIn, withChangesAdded } from './changes.js';
import type { Checkout } from './checkout.js';
import { CHECKS_FOLDER, TRAILERS } from './names.js';
import { isCommitId } from './resolve-ref.js';

/**
 * $1 is the ref of snapshots, $2 the message. Then, from git: HEAD, its tree, the newest snapshot, its tree, its first
 * parent (HEAD at that time). Answers with HEAD or the newest snapshot where nothing has changed since, and with HEAD.
 */
const SNAPSHOT = `ref=$1 message=$2 tree=$(git write-tree)
set -- $(git rev-parse HEAD 'HEAD^{tree}') $(git for-each-ref --format='%(objectname) %(tree) %(parent)' "$ref")
if [ "$tree" = "$2" ]; then echo "$1 $1"; exit; fi
if [ "$tree" = "$4" ] && [ "$1" = "$5" ]; then echo "$3 $1"; exit; fi
commit=$(git commit-tree "$tree" -p "$1" \${3:+-p "$3"} -m "$message")
git update-ref "$ref" "$commit" "\${3:-$(printf %s "$commit" | tr 0-9a-f 0)}"
echo "$commit $1"
`;

/**
 * The same, with no ref and for the same files always the same commit. $1 is the folder of checks: what the repository
 * ignores is kept there too, but for what tools leave.
 */
const HIDDEN_SNAPSHOT = `checks=$1 message=$2
if [ -n "$(ls -A "$checks" 2>/dev/null)" ]; then
  GIT_LITERAL_PATHSPECS=0 git add -f -A -- "$checks" ${['node_modules', '__pycache__', '.pytest_cache', '.venv']
    .map((name) => `':(exclude,glob)**/${name}/**'`)
    .join(' ')}
fi
tree=$(git write-tree)
set -- $(git rev-parse HEAD 'HEAD^{tree}')
if [ "$tree" = "$2" ]; then echo "$1 $1"; exit; fi
export GIT_AUTHOR_DATE='@0 +0000' GIT_COMMITTER_DATE='@0 +0000'
echo "$(git commit-tree "$tree" -p "$1" -m "$message") $1"
`;

/** What a snapshot was made of, as far as that can be seen without git. */
interface Known {
  readonly commit: string;
  readonly stamp: string;
}

/** Remembers the last snapshot of each worktree: most turns of an agent change nothing, and one look shows it. */
export class Snapshots {
  private readonly known = new Map<string, Known>();
  /** By project: the newest commit or snapshot that was made here, and the commit of the branch that it stands beside. */
  private readonly heads = new Map<string, { commit: string; head: string }>();

  async take(checkout: Checkout): Promise<string> {
    if (checkout.hidesObjects) return this.takeHidden(checkout);
    const before = await stampOf(checkout);
    const known = this.known.get(checkout.projectId);
    const changes = await changesIn(checkout);
    if (known !== undefined && changes.paths.length === 0 && known.stamp === before) return known.commit;
    const head = changes.isAsHead ? (await looseHead(checkout)).commit : null;
    if (head !== null) return this.learnt(checkout, head, head);
    const said = await withChangesAdded(checkout, changes, SNAPSHOT, [checkout.refs.work, messageOf(checkout)]);
    const [commit = '', beside = ''] = said.split(' ');
    return this.learnt(checkout, commit, beside);
  }

  private async takeHidden(checkout: Checkout): Promise<string> {
    this.forget(checkout.projectId);
    const args = [CHECKS_FOLDER, messageOf(checkout)];
    const said = await withChangesAdded(checkout, await changesIn(checkout), HIDDEN_SNAPSHOT, args);
    const [commit = '', beside = ''] = said.split(' ');
    this.stands(checkout.projectId, commit, beside);
    return commit;
  }

  private async learnt(checkout: Checkout, commit: string, head: string): Promise<string> {
    this.stands(checkout.projectId, commit, head);
    this.known.set(checkout.projectId, { commit, stamp: await stampOf(checkout) });
    return commit;
  }

  /** What HEAD is beside this commit, where that is known without git: a commit never comes to stand beside another. */
  headBeside(projectId: string, commit: string): string | undefined {
    const newest = this.heads.get(projectId);
    return newest?.commit === commit ? newest.head : undefined;
  }

  stands(projectId: string, commit: string, head: string): void {
    this.heads.set(projectId, { commit, head });
  }

  /** The files may have changed since. */
  forget(projectId: string): void {
    this.known.delete(projectId);
  }

  forgetAll(projectId: string): void {
    this.forget(projectId);
    this.heads.delete(projectId);
  }
}

const messageOf = ({ projectId }: Checkout): string => `Snapshot\n\n${TRAILERS.snapshot}: ${projectId}`;

interface LooseHead {
  readonly head: string;
  readonly branch: string | null;
  readonly commit: string | null;
}

/** What HEAD names and where that is; null: a branch without a file of its own was packed, and git alone knows. */
export async function looseHead({ entry, view }: Checkout): Promise<LooseHead> {
  const head = await readFile(join(entry, 'HEAD'), 'utf8').catch(() => '');
  const branch = await readFile(join(view, head.slice('ref: '.length).trim()), 'utf8').catch(() => null);
  const commit = branch?.trim() ?? '';
  return { head, branch, commit: isCommitId(commit) ? commit : null };
}

/** Changes with the index and with the branch, whoever changes them. */
async function stampOf(checkout: Checkout): Promise<string> {
  const [index, { head, branch }] = await Promise.all([
    stat(join(checkout.entry, 'index'), { bigint: true }).catch(() => null),
    looseHead(checkout),
  ]);
  if (index === null || branch === null) return `unknown ${String(performance.now())}`;
  return `${String(index.ino)} ${String(index.mtimeNs)} ${String(index.size)} ${head} ${branch}`;
}

/** The commit of the branch that a snapshot stands beside; any other commit stands for itself. */
export async function headOf(checkout: Checkout, commit: string): Promise<string> {
  const format = `--format=%H%n%P%n%(trailers:key=${TRAILERS.snapshot},valueonly)`;
  const { stdout } = await checkout.inRepo(['show', '-s', '--no-show-signature', format, commit]);
  const [id = '', parents = '', owner = ''] = stdout.toString('utf8').split('\n');
  return owner === '' ? id : (parents.split(' ')[0] ?? id);
}

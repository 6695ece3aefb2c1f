import type { ActivityContext, EffectRun } from '#engine';
import { UserError } from '#kernel';
import { changesIn, withChangesAdded } from './changes.js';
import type { Checkout } from './checkout.js';
import { TRAILERS } from './names.js';
import type { ForeignFile } from './worktree.port.js';

type Checkpoint = ActivityContext['checkpoint'];

/** It is handed over as one argument of a program, and those have a limit. */
const LONGEST_MESSAGE = 20_000;

const COMMIT = `tree=$(git write-tree) head=$(git rev-parse HEAD)
commit=$(git commit-tree "$tree" -p "$head" -m "$1")
git update-ref -m commit HEAD "$commit" "$head"
echo "$commit"
`;

export async function commitAll(
  checkout: Checkout,
  message: string,
  checkpoint: Checkpoint,
  run: EffectRun,
): Promise<string> {
  const text = messageOf(message, checkpoint, run);
  return withChangesAdded(checkout, await changesIn(checkout), COMMIT, [text]);
}

/** $1 is the message, then for each file its path and where it lies. */
const COMMIT_FILES = `message=$1
shift
while [ $# -gt 1 ]; do
  blob=$(git hash-object -w --no-filters -- "$2")
  git update-index --add --cacheinfo "100644,$blob,$1"
  shift 2
done
set -- "$message"
${COMMIT}`;

export async function commitFiles(
  checkout: Checkout,
  files: readonly ForeignFile[],
  message: string,
  checkpoint: Checkpoint,
  run: EffectRun,
): Promise<string> {
  const args = [messageOf(message, checkpoint, run), ...files.flatMap(({ path, source }) => [path, source])];
  const { stdout } = await checkout.script('commit files', COMMIT_FILES, args);
  return stdout.toString('utf8').trim();
}

/**
 * Git takes the last paragraph for the trailers: what a message says before it cannot pass for one. From a line with
 * scissors on it reads nothing at all, so there are none of those.
 */
export function messageOf(message: string, { seq, checksum }: Checkpoint, run: EffectRun): string {
  mustBeOneLine(run.key);
  const plain = message.replaceAll('\0', '').replaceAll(/-(\s*)>8/g, '-$1> 8');
  const words = plain.trim().slice(0, LONGEST_MESSAGE) || 'Work';
  const anchor = `${run.lease.projectId} ${String(seq)} ${checksum}`;
  return `${words}\n\n${TRAILERS.effect}: ${run.key}\n${TRAILERS.checkpoint}: ${anchor}`;
}

/** The commit of the branch that was made by this effect, if there is one. */
export async function findByEffect(checkout: Checkout, base: string, run: EffectRun): Promise<string | null> {
  mustBeOneLine(run.key);
  const line = `${TRAILERS.effect}: ${run.key}`;
  const format = `--format=%H %(trailers:key=${TRAILERS.effect},valueonly,separator=%x00)`;
  const { stdout } = await checkout.git(['log', '--fixed-strings', `--grep=${line}`, format, `${base}..HEAD`]);
  for (const found of stdout.toString('utf8').split('\n')) {
    const [commit = '', ...keys] = found.split(/[ \0]/);
    if (keys.includes(run.key)) return commit;
  }
  return null;
}

function mustBeOneLine(key: string): void {
  if (/[\s\p{Cc}]/u.test(key))
    throw new UserError('EFFECT_KEY_INVALID', 'an effect key holds no spaces and no line breaks', {});
}

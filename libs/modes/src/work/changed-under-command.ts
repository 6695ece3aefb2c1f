import type { ActivityContext } from '#engine';
import { isTestFile, verifiedBy, type Worktree } from '#workspace';
import { repeatable } from '../shared/repeatable.js';
import { isDocument } from './documents.js';
import type { WorkModeParts } from './work-context.js';

interface Wish {
  readonly command: string;
  readonly from: string;
  readonly commit: string;
  /** Whether a test runner spoke, which finds its files itself. */
  readonly hasRunTests: boolean;
}

/** Scripts that call scripts are followed so far. */
const DEEPEST = 3;
const MOST_PACKAGES = 20;
const MOST_NAMES = 20;
const PACKAGE = /(?:^|\/)package\.json$/;
/** New files that a command reads and does not run, unless they say how something is run. */
const DATA = /\.(?:json|jsonl|ya?ml|toml|xml)$/i;
const SETTINGS = /config|settings|rc\.|^\.|package\.json$/i;

/**
 * What a command runs, by name, by a script of package.json or as tests, that the step has changed or made. Documents are
 * read and never run, and data that is new is what the step was to leave. It finds what is named, not what that calls.
 */
export const changedUnderCommand = (
  parts: WorkModeParts,
  activity: ActivityContext,
  worktree: Worktree,
  { command, from, commit, hasRunTests }: Wish,
): Promise<readonly string[]> =>
  repeatable(activity, 'changed-under-command', async () => {
    // However many were changed: among them none is to be hidden.
    const { files: changed } = await parts.worktrees.diff(worktree, from, commit);
    const touched = [
      ...new Set(changed.flatMap(({ path, from: before }) => (before === null ? [path] : [before, path]))),
    ];
    const added = new Set(changed.flatMap(({ path, status }) => (status === 'added' ? path : [])));
    const packages = [...new Set(['package.json', ...touched.filter((path) => PACKAGE.test(path))])];
    const scripts = await Promise.all(
      packages.slice(0, MOST_PACKAGES).map(async (path) => ({
        path,
        before: await scriptsAt(parts, worktree, from, path),
        now: await scriptsAt(parts, worktree, commit, path),
      })),
    );
    const { commands, called } = followed(command, scripts.map(({ now }) => now)); // prettier-ignore
    const others = scripts.flatMap(({ path, before, now }) =>
      [...called].filter((name) => before[name] !== now[name]).map((name) => `${path}: ${name}`),
    );
    const { files } = verifiedBy(commands);
    const isData = (path: string): boolean =>
      isDocument(path) || (added.has(path) && DATA.test(path) && !SETTINGS.test(path.split('/').at(-1) ?? ''));
    const isRun = (path: string): boolean =>
      [...files].some((name) => isNamed(path, name)) || (hasRunTests && isTestFile(path));
    const named = touched.filter((path) => !isData(path) && isRun(path));
    return [...others, ...named].slice(0, MOST_NAMES);
  });

type Scripts = Readonly<Record<string, string>>;

async function scriptsAt(
  { worktrees }: WorkModeParts,
  worktree: Worktree,
  commit: string,
  path: string,
): Promise<Scripts> {
  const text = (await worktrees.fileAt(worktree, commit, path))?.content.toString('utf8') ?? '{}';
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    const all = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
    return Object.fromEntries(all.filter((one): one is [string, string] => typeof one[1] === 'string'));
  } catch {
    return {};
  }
}

/** A command with the scripts that it calls, and those that they call. */
function followed(command: string, packages: readonly Scripts[]) {
  const commands = [command];
  const called = new Set<string>();
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const fresh = [...verifiedBy(commands).scripts].filter((name) => !called.has(name));
    for (const name of fresh) {
      called.add(name);
      commands.push(...packages.flatMap((scripts) => (Object.hasOwn(scripts, name) ? (scripts[name] ?? []) : [])));
    }
  }
  return { commands, called };
}

/** Beyond these a pattern may take for ever, and counts as naming everything. */
const MOST_STARS = 4;

/** A word of a command, as a path from any folder, a folder or a pattern. */
function isNamed(path: string, name: string): boolean {
  if (!name.includes('*')) {
    return path === name || path.endsWith(`/${name}`) || path.startsWith(name.endsWith('/') ? name : `${name}/`);
  }
  if (name.split('*').length - 1 > MOST_STARS) return true;
  const pattern = name.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*'); // prettier-ignore
  return new RegExp(`(?:^|/)${pattern}$`).test(path);
}

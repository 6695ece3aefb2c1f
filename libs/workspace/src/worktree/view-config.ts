import { UserError } from '#kernel';
import { HARMLESS_SETTINGS } from '../harmless-settings.js';

/** Extensions that change nothing for a worktree with a view of its own. */
const IGNORED_EXTENSIONS: ReadonlySet<string> = new Set([
  'noop',
  'noop-v1',
  'partialclone',
  'worktreeconfig',
  'preciousobjects',
  'relativeworktrees',
]);

const PLAIN = /^[a-z0-9-]{1,40}$/i;

const OWN = `[core]
	bare = false
	hooksPath = /dev/null
	fsmonitor = false
	logAllRefUpdates = true
	quotePath = false
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol]
	allow = never
[submodule]
	recurse = false
[diff]
	ignoreSubmodules = all
[commit]
	gpgSign = false
[advice]
	detachedHead = false
	addEmbeddedRepo = false
`;

/**
 * The configuration under which git works here, made from what `git config --list -z` says of the repository's own:
 * a list of what is let through, because nobody can list everything in it that starts programs.
 */
export function viewConfig(listed: string): string {
  const carried = new Map<string, string>();
  for (const entry of listed.split('\0')) {
    const [key = '', value = 'true'] = entry.split(/\n(.*)/s);
    refuseUnknownExtension(key.toLowerCase());
    if (HARMLESS_SETTINGS.has(key.toLowerCase()) && PLAIN.test(value)) carried.set(key.toLowerCase(), value);
  }
  const hasExtension = [...carried.keys()].some((key) => key.startsWith('extensions.'));
  const lines = [...carried].map(([key, value]) => {
    const [section = '', name = ''] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  return `[core]\n\trepositoryformatversion = ${hasExtension ? '1' : '0'}\n${lines.join('')}${OWN}`;
}

function refuseUnknownExtension(key: string): void {
  const name = /^extensions\.(.+)$/.exec(key)?.[1];
  if (name === undefined || HARMLESS_SETTINGS.has(key) || IGNORED_EXTENSIONS.has(name)) return;
  throw new UserError(
    'REPO_FORMAT_UNKNOWN',
    `the repository uses the extension ${name.slice(0, 60)}, which this service does not know. Give a plain clone of it.`,
    { extension: name.slice(0, 60) },
  );
}

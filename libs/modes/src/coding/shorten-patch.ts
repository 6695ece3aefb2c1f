import type { WorktreeDiff } from '#workspace';

/** Written by tools: long, and hardly worth reading. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock)$|\.min\.(?:js|css)$|\.(?:map|snap)$/;
const HEADER = /^diff --git .* b\/(.*)$/m;
const MOST_PATHS = 20;
const LONGEST_MARK = 2_000;

type ShownDiff = Pick<WorktreeDiff, 'patch' | 'isCut'> & { readonly files: readonly { readonly path: string }[] };

/**
 * The beginning of a patch, with the files last that tools write: a long lock file would leave no room for the code. A
 * mark at the end says what is missing, and how the agent reads it.
 */
export function shortenDiff({ patch, files, isCut }: ShownDiff, longest: number): string {
  if (patch.length <= longest && !isCut) return patch;
  const sections = patch.split(/^(?=diff --git )/m);
  const isGenerated = (section: string): boolean => GENERATED.test(pathOf(section));
  const ordered = [...sections.filter((section) => !isGenerated(section)), ...sections.filter(isGenerated)];
  const whole = ordered.join('');
  const room = Math.max(0, Math.min(whole.length, longest - Math.min(LONGEST_MARK, longest / 2)));
  const shown = whole.slice(0, room);
  const missing = whole.length - room;
  const amount = missing > 0 ? `: ${String(missing)} of ${String(whole.length)} characters are missing` : '';
  const unread = findUnread(ordered, files, { room, isCut });
  return `${shown}\n[…] The diff is cut${amount}. ${listFiles(unread)}`.slice(0, longest);
}

const pathOf = (section: string): string => HEADER.exec(section)?.[1]?.replace(/"$/, '') ?? '';

/** Files whose section does not fit. The last section of a patch that was cut before may have lost its end. */
function findUnread(
  sections: readonly string[],
  files: ShownDiff['files'],
  { room, isCut }: { readonly room: number; readonly isCut: boolean },
): readonly string[] {
  let end = 0;
  const shown = new Set<string>();
  for (const section of isCut ? sections.slice(0, -1) : sections) {
    end += section.length;
    if (end <= room) shown.add(pathOf(section));
  }
  return files.map(({ path }) => path).filter((path) => !shown.has(path));
}

function listFiles(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_PATHS).map((path) => path.slice(0, 80));
  const more = paths.length > MOST_PATHS ? ` and ${String(paths.length - MOST_PATHS)} more` : '';
  return `Files that are not shown whole: ${named.join(', ')}${more}. Read them in the worktree.`;
}

/** A file that is replaced in one place. */
export interface Edit {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

/** What an agent does to a repository for one request. Commands run last, in a shell at the root. */
export interface Change {
  readonly edits?: readonly Edit[];
  readonly files?: Readonly<Record<string, string>>;
  readonly removes?: readonly string[];
  readonly commands?: readonly string[];
}

/** What is left to do for a change, given the current files. */
export type Action =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly kind: 'run'; readonly command: string };

/** Content of a file, or null if it does not exist. */
export type ReadFile = (path: string) => string | null;

export const NO_CHANGE: Change = {};

export const isEmptyChange = ({ edits = [], files = {}, removes = [], commands = [] }: Change): boolean =>
  edits.length + Object.keys(files).length + removes.length + commands.length === 0;

/** Files that must be read before the change can be made. */
export const pathsOf = ({ edits = [], files = {}, removes = [] }: Change): readonly string[] => [
  ...new Set([...edits.map(({ path }) => path), ...Object.keys(files), ...removes]),
];

export const mergeChanges = (...changes: readonly Change[]): Change => ({
  edits: changes.flatMap(({ edits = [] }) => edits),
  files: Object.assign({}, ...changes.map(({ files = {} }) => files)) as Record<string, string>,
  removes: changes.flatMap(({ removes = [] }) => removes),
  commands: changes.flatMap(({ commands = [] }) => commands),
});

/**
 * The actions that bring the current files to a change. `others` are the changes that may be in the files instead:
 * each of their edits of the same place is a variant that the wanted text replaces.
 */
export function planActions(change: Change, read: ReadFile, others: readonly Change[] = []): readonly Action[] {
  const { edits = [], files = {}, removes = [], commands = [] } = change;
  const known = others.flatMap(({ edits: more = [] }) => more);
  return [
    ...edits.flatMap((edit) => planEdit(edit, read, known)),
    ...Object.entries(files).flatMap(([path, content]): Action[] =>
      read(path) === content ? [] : [{ kind: 'write', path, content }],
    ),
    ...removes.flatMap((path): Action[] => (read(path) === null ? [] : [{ kind: 'run', command: `rm -f ${path}` }])),
    ...commands.map((command): Action => ({ kind: 'run', command })),
  ];
}

/** The longest variant wins: a wrong change often contains the original text. */
function planEdit(edit: Edit, read: ReadFile, known: readonly Edit[]): Action[] {
  const content = read(edit.path);
  if (content === null) return [];
  const samePlace = known.filter(({ path, old }) => path === edit.path && old === edit.old);
  const variants = [edit.old, edit.new, ...samePlace.map((one) => one.new)];
  const current = variants.toSorted((a, b) => b.length - a.length).find((variant) => content.includes(variant));
  if (current === undefined || current === edit.new) return [];
  return [{ kind: 'edit', path: edit.path, old: current, new: edit.new }];
}

/** The content after an edit; null if the old text is not there. */
export const replaceOnce = (content: string, from: string, to: string): string | null =>
  content.includes(from) ? content.replace(from, () => to) : null;

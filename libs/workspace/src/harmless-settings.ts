/**
 * Keys of a repository's configuration that say how its files and objects are stored: without them they are misread.
 * None names a place, starts a program or holds a key. Whatever else is configured is a stranger's.
 */
export const HARMLESS_SETTINGS: ReadonlySet<string> = new Set([
  'core.filemode',
  'core.ignorecase',
  'core.symlinks',
  'core.autocrlf',
  'core.eol',
  'core.precomposeunicode',
  'extensions.objectformat',
  'extensions.compatobjectformat',
  'extensions.refstorage',
]);

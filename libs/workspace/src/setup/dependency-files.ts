import { ROOT_FOLDERS } from './bring-in/parts.js';

/** Those of the ignored paths where dependencies lie. */
export const dependencyPaths = (ignored: readonly string[]): readonly string[] =>
  ignored.filter((path) => {
    const parts = path.split('/');
    return ROOT_FOLDERS.includes(parts[0] ?? '') || parts.includes('node_modules');
  });

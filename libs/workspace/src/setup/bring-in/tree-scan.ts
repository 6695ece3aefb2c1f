import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What lies in a folder; paths from its root. */
export interface TreeScan {
  readonly folders: ReadonlySet<string>;
  readonly files: number;
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Neither files nor folders nor links: pipes, sockets, devices. */
  readonly others: readonly string[];
}

/** Looks at everything below a folder and follows no link. `names` are those in its root that count. */
export async function scanTree(root: string, names: readonly string[]): Promise<TreeScan> {
  const scan = {
    folders: new Set<string>(),
    files: 0,
    links: [] as { path: string; target: string }[],
    others: [] as string[],
  };
  const wanted = new Set(names);
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    const within: Promise<void>[] = [];
    for (const entry of entries) {
      if (folder === '' && !wanted.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        scan.folders.add(path);
        within.push(visit(path));
      } else if (entry.isFile()) scan.files += 1;
      else if (entry.isSymbolicLink()) within.push(readLink(path));
      else scan.others.push(path);
    }
    await Promise.all(within);
  };
  const readLink = async (path: string): Promise<void> => {
    scan.links.push({ path, target: await readlink(join(root, path)) });
  };
  await visit('');
  return scan;
}

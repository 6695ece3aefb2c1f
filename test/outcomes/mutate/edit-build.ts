import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A text of one built module that is replaced. The text is on one line, so that source and build agree on it. */
export interface ModuleEdit {
  /** Of the built file, below `dist`. */
  readonly file: string;
  readonly old: string;
  readonly new: string;
}

const LEFT_OUT = /^\.compile-cache$|\.tsbuildinfo$|\.js\.map$/;

/** The content with all edits. Fails if a text is not there exactly once: the mutation would not be made. */
export function applyEdits(content: string, edits: readonly ModuleEdit[]): string {
  return edits.reduce((text, { file, old, new: wanted }) => {
    const count = text.split(old).length - 1;
    if (count === 1) return text.replace(old, () => wanted);
    throw new Error(
      `The file ${file} contains this text ${String(count)} times, not once: ${old}\n` +
        'Adapt the mutation in test/outcomes/mutate/mutations.ts to the new code.',
    );
  }, content);
}

/** A copy of the build in a folder of its own, whose modules can be replaced for a while. */
export class EditableBuild {
  private constructor(private readonly folder: string) {}

  /** `root` has the build; all else in the copy is a link to it. */
  static async copy(root: string, to: string): Promise<EditableBuild> {
    const folder = await realpath(to);
    await mkdir(join(folder, 'dist'));
    for (const name of await readdir(root)) {
      if (name !== 'dist' && name !== '.git') await symlink(join(root, name), join(folder, name));
    }
    await cp(join(root, 'dist'), join(folder, 'dist'), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(basename(path)),
    });
    return new EditableBuild(folder);
  }

  pathOf(file: string): string {
    return join(this.folder, 'dist', file);
  }

  /** Runs something with edited modules. They are as before afterwards. */
  async withEdits<Result>(edits: readonly ModuleEdit[], run: () => Promise<Result>): Promise<Result> {
    const byFile = Map.groupBy(edits, ({ file }) => file);
    const originals = new Map<string, string>();
    for (const file of byFile.keys()) originals.set(file, await readFile(this.pathOf(file), 'utf8'));
    const edited = [...byFile].map(([file, some]) => [file, applyEdits(originals.get(file) ?? '', some)] as const);
    try {
      for (const [file, content] of edited) await writeFile(this.pathOf(file), content);
      return await run();
    } finally {
      for (const [file, content] of originals) await writeFile(this.pathOf(file), content);
    }
  }
}

import { type FileHandle, lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode, type Redactor, secrets, UserError } from '#kernel';
import { KnownPlaces } from '../worktree/known-places.js';
import { Turns } from '../worktree/turns.js';
import type { ForeignFile } from '../worktree/worktree.port.js';
import { ARTEFACT_FOLDERS, isArtefactName, mustBeArtefactName } from './artefact-name.js';
import { ARTEFACT_ROOT, excludeArtefacts } from './exclude-line.js';
import { redactArtefact } from './redact-artefact.js';
import { leadsElsewhere, openPlain, ownFolder, removeLeftovers, replaceFiles } from './safe-file.js';

export interface ArtefactFolderParts {
  /** Root of the user's checkout. */
  readonly repo: string;
  /** `NNN-slug` of the project. */
  readonly name: string;
  readonly redactor?: Redactor;
}

export interface Artefact {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

export interface ArtefactText extends Artefact {
  readonly text: string;
}

export interface ArtefactBytes {
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly content: Buffer | null;
}

export type ArtefactPage = readonly [name: string, text: string];

export const LONGEST_ARTEFACT = 10 * 1_024 * 1_024;

const PROJECT_NAME = /^[0-9]{1,9}-[0-9a-z]+(?:-[0-9a-z]+)*$/;
const turns = new Turns();
const places = new KnownPlaces();

/**
 * What a project leaves for people to read, in `.qralph/projects/NNN-slug` of the user's checkout. The database is the
 * truth; these files can be written again at any time. Nothing in them is a secret, and nothing is written through a
 * link that a repository may have in their place.
 */
export class ArtefactFolder {
  private readonly redactor: Redactor;

  private constructor(
    private readonly root: string,
    readonly folder: string,
    redactor: Redactor | undefined,
  ) {
    this.redactor = redactor ?? secrets;
  }

  /** For writing: makes the folder, removes what a crash left half-written, and has the user's git overlook it. */
  static async open(parts: ArtefactFolderParts): Promise<ArtefactFolder> {
    const { repo, commonDir } = await places.of(parts.repo);
    const artefacts = ArtefactFolder.at(repo, parts);
    await Promise.all([excludeArtefacts(commonDir), ownFolder(repo, artefacts.folder)]);
    await Promise.all(
      ARTEFACT_FOLDERS.map(async (folder) => {
        await ownFolder(artefacts.folder, join(artefacts.folder, folder));
        await removeLeftovers(join(artefacts.folder, folder));
      }),
    );
    return artefacts;
  }

  /** For reading: makes nothing. */
  static async find(parts: ArtefactFolderParts): Promise<ArtefactFolder> {
    return ArtefactFolder.at(await realpath(parts.repo).catch(() => parts.repo), parts);
  }

  private static at(repo: string, { name, redactor }: ArtefactFolderParts): ArtefactFolder {
    if (!PROJECT_NAME.test(name) || name.length > 60) {
      throw new UserError('PROJECT_NAME_INVALID', 'the name of a project is NNN-slug', { name: name.slice(0, 100) });
    }
    return new ArtefactFolder(repo, join(repo, ARTEFACT_ROOT, 'projects', name), redactor);
  }

  write(name: string, text: string): Promise<void> {
    return this.writeAll([[name, text]]);
  }

  /** In this order; one that may not be written keeps all of them from it. */
  async writeAll(pages: readonly ArtefactPage[]): Promise<void> {
    const files = pages.map(([name, text]) => {
      mustBeArtefactName(name);
      const clean = redactArtefact(name, text, this.redactor);
      if (Buffer.byteLength(clean) > LONGEST_ARTEFACT) throw tooLarge(name);
      return { file: join(this.folder, name), text: clean };
    });
    // Checked again each time: what was a folder when the project began may be a link by now.
    const folders = new Set(files.map(({ file }) => dirname(file)));
    await Promise.all([...folders].map((folder) => ownFolder(this.root, folder)));
    await turns.take(this.folder, () => replaceFiles(files));
  }

  async list(): Promise<readonly Artefact[]> {
    const found = await Promise.all(ARTEFACT_FOLDERS.map((folder) => this.listIn(folder)));
    return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async files(): Promise<readonly ForeignFile[]> {
    const all = await this.list();
    return all.map(({ name }) => {
      const source = join(this.folder, name);
      return { path: relative(this.root, source), source };
    });
  }

  /** Null where there is none of this name yet. */
  read(name: string): Promise<ArtefactText | null> {
    return this.opened(name, async (handle) => {
      const { size, mtime } = await handle.stat();
      if (size > LONGEST_ARTEFACT) throw tooLarge(name);
      return { name, bytes: size, modifiedAt: mtime, text: this.redactor.redact(await handle.readFile('utf8')) };
    });
  }

  /** As it lies there, whoever wrote it: of one that is longer than `most`, its size alone. */
  peek(name: string, most: number): Promise<ArtefactBytes | null> {
    return this.opened(name, async (handle) => {
      const { size, mtime } = await handle.stat();
      const content = Buffer.alloc(Math.min(size, most) + 1);
      // It may have grown since it was measured.
      const { bytesRead } = await handle.read(content, 0, content.length, 0);
      const bytes = Math.max(size, bytesRead);
      return { bytes, modifiedAt: mtime, content: bytes > most ? null : content.subarray(0, bytesRead) };
    });
  }

  private async opened<T>(name: string, use: (handle: FileHandle) => Promise<T>): Promise<T | null> {
    mustBeArtefactName(name);
    const file = join(this.folder, name);
    if (!(await this.isOwn(dirname(file)))) return null;
    const handle = await openPlain(file).catch(nullIfAbsent);
    if (handle === null) return null;
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  }

  private async listIn(folder: string): Promise<readonly Artefact[]> {
    const path = join(this.folder, folder);
    if (!(await this.isOwn(path))) return [];
    const names = (await readdir(path))
      .map((name) => (folder === '' ? name : `${folder}/${name}`))
      .filter(isArtefactName);
    const found = await Promise.all(
      names.map(async (name) => ({ name, at: await lstat(join(this.folder, name)).catch(() => null) })),
    );
    return found.flatMap(({ name, at }) => (at?.isFile() ? [{ name, bytes: at.size, modifiedAt: at.mtime }] : []));
  }

  /** False where it is not there; one that leads elsewhere is refused. */
  private async isOwn(folder: string): Promise<boolean> {
    const real = await realpath(folder).catch(() => null);
    if (real !== null && real !== folder) throw leadsElsewhere(folder);
    return real !== null;
  }
}

function nullIfAbsent(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
  throw error;
}

const tooLarge = (name: string): UserError =>
  new UserError(
    'ARTEFACT_TOO_LARGE',
    `${name} is longer than ${String(LONGEST_ARTEFACT)} bytes; look at it on the machine itself`,
    { name },
  );

import { type Redactor, secrets } from '#kernel';
import {
  type Artefact,
  type ArtefactBytes,
  ArtefactFolder,
  type ArtefactPage,
  type ArtefactText,
} from './artefact-folder.js';
import type { ForeignFile } from '../worktree/worktree.port.js';
import { isArtefactName } from './artefact-name.js';
import { keepCurrent } from './current-project.js';

/** Whose artefacts. */
export interface ArtefactPlace {
  /** Root of the user's checkout. */
  readonly repo: string;
  /** `NNN-slug` of the project. */
  readonly name: string;
}

/** For activities, which write. */
export interface ArtefactDesk {
  write(place: ArtefactPlace, name: string, text: string): Promise<void>;
  /** Several at once, in this order. */
  writeAll(place: ArtefactPlace, pages: readonly ArtefactPage[]): Promise<void>;
  /** `.qralph/current-project.json` of a repository, as `derive` says it; asked again until it is written as it is. */
  keepCurrent(repo: string, derive: () => Promise<string>): Promise<void>;
  /** Null where there is none. */
  read(place: ArtefactPlace, name: string): Promise<ArtefactText | null>;
  /** All of them, as files that can be committed under the same paths. */
  files(place: ArtefactPlace): Promise<readonly ForeignFile[]>;
}

/** The artefacts of all projects. */
export class Artefacts implements ArtefactDesk {
  constructor(private readonly parts: { readonly redactor?: Redactor } = {}) {}

  write(place: ArtefactPlace, name: string, text: string): Promise<void> {
    return this.writeAll(place, [[name, text]]);
  }

  async writeAll(place: ArtefactPlace, pages: readonly ArtefactPage[]): Promise<void> {
    await (await ArtefactFolder.open({ ...place, ...this.parts })).writeAll(pages);
  }

  keepCurrent(repo: string, derive: () => Promise<string>): Promise<void> {
    return keepCurrent(repo, derive, this.parts.redactor ?? secrets);
  }

  async files(place: ArtefactPlace): Promise<readonly ForeignFile[]> {
    return (await ArtefactFolder.find({ ...place, ...this.parts })).files();
  }

  async list(place: ArtefactPlace): Promise<readonly Artefact[]> {
    return (await ArtefactFolder.find({ ...place, ...this.parts })).list();
  }

  /** Null where there is none: of a name that no artefact has there is never one. */
  async read(place: ArtefactPlace, name: string): Promise<ArtefactText | null> {
    return isArtefactName(name) ? (await ArtefactFolder.find({ ...place, ...this.parts })).read(name) : null;
  }

  async peek(place: ArtefactPlace, name: string, most: number): Promise<ArtefactBytes | null> {
    return (await ArtefactFolder.find({ ...place, ...this.parts })).peek(name, most);
  }

  async folderOf(place: ArtefactPlace): Promise<string> {
    return (await ArtefactFolder.find({ ...place, ...this.parts })).folder;
  }
}

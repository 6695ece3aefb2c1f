import { allowedRepository } from '#workspace';
import type { MemoryDesk, PatternReads } from '../http/index.js';

/** What a path stands for: the one under which projects of that repository are kept. */
export type PathOf = (given: string) => Promise<string>;

/** By whatever path a person knows it, with a link or a slash in it; as it is where no repository can be seen there. */
export const repositoryPaths =
  (roots: readonly string[]): PathOf =>
  (given) =>
    allowedRepository(given, roots).catch(() => given);

/** An entry under another path than that of the projects would be found by none of them. */
export const memoryByRepository = (memory: MemoryDesk, pathOf: PathOf): MemoryDesk => ({
  list: async (query) => memory.list(await byPath(query, pathOf)),
  add: async (entry, id) => memory.add(await byPath(entry, pathOf), id),
  forget: (id) => memory.forget(id),
});

export const patternsByRepository = (patterns: PatternReads, pathOf: PathOf): PatternReads => ({
  list: async (query) => patterns.list(await byPath(query, pathOf)),
});

const byPath = async <T extends { readonly repo?: string | null | undefined }>(asked: T, pathOf: PathOf): Promise<T> =>
  asked.repo == null ? asked : { ...asked, repo: await pathOf(asked.repo) };

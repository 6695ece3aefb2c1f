import type { MemoryEntry, MemoryKind, MemoryQuery, NewMemory, Page } from '#contracts';

/** What a project wants to know before it tries. */
export interface Question {
  readonly text: string;
  readonly repo: string;
  readonly domains: readonly string[];
  /** All of them where unset. */
  readonly kinds?: readonly MemoryKind[];
  readonly most: number;
}

/** What a project learnt. */
export interface Lesson {
  readonly kind: MemoryKind;
  /** Null: it holds for every repository. */
  readonly repo: string | null;
  readonly domains: readonly string[];
  readonly title: string;
  readonly body: string;
  /** Name of the project that learnt it. */
  readonly project: string | null;
  /** Key of the effect that learnt it: repeated after a crash, it makes no second entry. */
  readonly effect?: string;
}

/** What outlives projects. No secret gets in, and nothing that has expired comes out. */
export interface Memory {
  /** Entries of that repository and those of none, best first, with their scores. */
  recall(question: Question): Promise<readonly MemoryEntry[]>;
  /** The same kind, repository, title and body again is the same entry, made young again. */
  remember(lesson: Lesson): Promise<void>;
  list(query: MemoryQuery): Promise<Page<MemoryEntry>>;
  /** What a person adds. The same id again, or the same words, is the entry that is there. */
  add(entry: NewMemory, id: string): Promise<MemoryEntry>;
  /** MEMORY_NOT_FOUND where there is no such entry. */
  forget(id: string): Promise<void>;
}

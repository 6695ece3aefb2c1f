import type { JsonObject } from '#kernel';
import type { ToldEvent } from '../history.js';

/** One row of the session log: when, the state that was entered then if one was, and why. */
export interface SessionRow {
  readonly at: Date;
  readonly state: string;
  readonly because: string;
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : 'none';

const keptWords = ({ kept, keptSince }: JsonObject): string =>
  [
    ...(typeof kept === 'string' ? [`; what was in the worktree is kept as commit ${kept}`] : []),
    ...(typeof keptSince === 'string'
      ? [`; what changed after an interrupted restore is kept as commit ${keptSince}`]
      : []),
  ].join('');

const LOGGED: Readonly<Record<string, ((data: JsonObject) => Omit<SessionRow, 'at'>) | undefined>> = {
  'state.entered': ({ to, cause }) => ({ state: wordOf(to), because: wordOf(cause) }),
  'project.forked': ({ seq, project, name }) => ({
    state: '',
    because: `forked from checkpoint ${wordOf(seq)} of ${wordOf(name ?? project)}`,
  }),
  // Whoever takes a project over ends that first.
  'project.taken-over': () => ({
    state: '',
    because: 'the worker stopped; its processes were ended, and another worker continued',
  }),
  'project.paused': () => ({ state: '', because: 'paused' }),
  'project.resumed': () => ({ state: '', because: 'continued after a pause' }),
  'checkpoint.restored': (data) => ({
    state: '',
    because: `restored checkpoint ${wordOf(data['to'])}${keptWords(data)}`,
  }),
  'restore.undone': (data) => ({
    state: '',
    because: `a restore was interrupted, and its files were taken back${keptWords(data)}`,
  }),
  'project.held': ({ seq }) => ({ state: '', because: `held: checkpoint ${wordOf(seq)} cannot be used` }),
  'project.completed': () => ({ state: '', because: 'completed' }),
  'project.aborted': () => ({ state: '', because: 'aborted' }),
  'project.failed': () => ({ state: '', because: 'failed' }),
};

/** What the session log is made of. */
export const LOGGED_EVENTS: readonly string[] = Object.keys(LOGGED);

export const sessionRows = (told: readonly ToldEvent[]): readonly SessionRow[] =>
  told.flatMap(({ at, type, data }) => {
    const row = Object.hasOwn(LOGGED, type) ? LOGGED[type]?.(data) : undefined;
    return row ? [{ at, ...row }] : [];
  });

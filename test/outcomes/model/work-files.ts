import { type Change, planActions } from '../targets/change.js';
import type { MadeCall } from './conversation.js';

/** What a model knows about files from its own calls. */
export class WorkFiles {
  private readonly contents = new Map<string, string | null>();

  constructor(calls: readonly MadeCall[]) {
    for (const { name, input, result } of calls) {
      const path = input['path'];
      if (name !== 'read_file' || typeof path !== 'string' || result === null) continue;
      this.contents.set(path, readNumbered(result));
    }
  }

  readonly read = (path: string): string | null => this.contents.get(path) ?? null;

  /** Files that exist and were read. */
  get known(): readonly string[] {
    return [...this.contents].flatMap(([path, content]) => (content === null ? [] : [path]));
  }

  hasRead(path: string): boolean {
    return this.contents.has(path);
  }

  /** Whether the files hold a change. A change that only runs commands cannot be seen. */
  shows(change: Change): boolean {
    const places = [...(change.edits ?? []).map(({ path }) => path), ...Object.keys(change.files ?? {})];
    const areThere = places.every((path) => this.read(path) !== null);
    return areThere && planActions({ ...change, commands: [] }, this.read).length === 0 && this.hasEdits(change);
  }

  /** An edit whose old and new text are both missing has not been made. */
  private hasEdits({ edits = [] }: Change): boolean {
    return edits.every((edit) => edit.new === '' || this.read(edit.path)?.includes(edit.new) === true);
  }
}

const NUMBERED = /^\d+\t(.*)$/;

/** The content behind the line numbers of a tool; null if this is a refusal and no content. */
function readNumbered(result: string): string | null {
  if (result.startsWith('(the file is empty)')) return '';
  const lines = result.split('\n').flatMap((line) => {
    const found = NUMBERED.exec(line);
    return found ? [found[1] ?? ''] : [];
  });
  return lines.length === 0 ? null : `${lines.join('\n')}\n`;
}

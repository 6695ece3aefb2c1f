import { z } from 'zod';
import { cleanText } from '../bounded-text.js';
import { namesOf } from '../guard/path-names.js';
import { ToolRefusal } from '../tools/refusal.js';
import { shownName } from '../tools/skipped.js';
import { defineTool, type ToolScene } from '../tools/tool.js';
import { globTest } from './glob.js';
import type { Match } from './match.worker.js';
import { type SearchedFile, SearchWalk } from './searched-files.js';

const LONGEST_PATTERN = 1_000;
const LONGEST_SHOWN = 300;
/** So much around a hit is redacted, so that half a key is not shown. */
const WINDOW = 4_096;
const PORTION_CHARS = 1_024 * 1_024;
const MAY_HOLD_LONG_KEY = /PRIVATE KEY(?: BLOCK)?-----/;

const input = z.object({
  pattern: z.string().min(1).max(LONGEST_PATTERN).describe('A JavaScript regular expression, tried on each line'),
  path: z
    .string()
    .optional()
    .describe('File or folder to search, relative to the root of the repository; all files if unset'),
  glob: z.string().min(1).optional().describe('Only files whose path matches, such as *.ts or src/**/*.spec.ts'),
  ignoreCase: z.boolean().optional().describe('Match upper and lower case alike'),
});

export const search = defineTool({
  name: 'search',
  description:
    'Finds lines that match a regular expression, in all files or below a path, and shows them as path:line:text. ' +
    'Folders of dependencies are left out.',
  input,
  kind: 'reads',
  about: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  use: async ({ pattern, path = '', glob, ignoreCase = false }, scene) => {
    const run = new SearchRun(patternOf(pattern, ignoreCase), scene);
    const { root, limits, signal, now } = scene;
    const until = now() + limits.searchMs;
    const walk = new SearchWalk({
      root,
      names: namesOf(path),
      wants: glob === undefined ? () => true : globTest(glob),
      limits,
      signal,
      isOver: () => now() > until,
      take: (file) => run.take(file),
    });
    await walk.run();
    await run.flush();
    const note = walk.cut === null && !run.isFull ? [] : [`(not all: ${walk.cut ?? 'there are more'}; narrow it down)`];
    return { text: [...run.lines, ...note].join('\n') || 'no line matches' };
  },
});

function patternOf(source: string, ignoreCase: boolean): { source: string; flags: string } {
  const flags = ignoreCase ? 'iu' : 'u';
  for (const tried of [flags, flags.replace('u', '')]) {
    try {
      return { source: new RegExp(source, tried).source, flags: tried };
    } catch {
      continue;
    }
  }
  const escaped = source.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  throw new ToolRefusal(`the pattern is no regular expression; as plain text it would be ${escaped}`);
}

/** Gathers files into portions for the threads that try the pattern, and lines that matched. */
class SearchRun {
  readonly lines: string[] = [];
  isFull = false;
  private portion: SearchedFile[] = [];
  private size = 0;
  private chars = 0;

  constructor(
    private readonly pattern: { source: string; flags: string },
    private readonly scene: ToolScene,
  ) {}

  async take({ path, text }: SearchedFile): Promise<boolean> {
    // A key over several lines can only be recognised as a whole.
    const safe = MAY_HOLD_LONG_KEY.test(text) ? this.scene.redactor.redact(text) : text;
    this.portion.push({ path, text: safe });
    this.size += safe.length;
    if (this.size >= PORTION_CHARS) await this.flush();
    return !this.isFull;
  }

  async flush(): Promise<void> {
    const { portion } = this;
    if (portion.length === 0 || this.isFull) return;
    this.portion = [];
    this.size = 0;
    const { limits, matcher, signal } = this.scene;
    signal.throwIfAborted();
    const most = limits.searchHits + 1 - this.lines.length;
    const texts = portion.map(({ text }) => text);
    for (const match of await matcher.match({ ...this.pattern, texts, most }, limits.patternMs)) {
      const file = portion[match.text];
      if (file) this.show(file, match);
      if (this.isFull) return;
    }
  }

  private show({ path, text }: SearchedFile, { line: at, column }: Match): void {
    const { limits, redactor } = this.scene;
    const line = text.split('\n', at + 1)[at] ?? '';
    const around = cleanText(line.slice(Math.max(0, column - WINDOW), column + WINDOW), redactor);
    const from = around.length <= LONGEST_SHOWN ? 0 : Math.max(0, Math.min(column, WINDOW) - LONGEST_SHOWN / 3);
    const shown = `${shownName(path)}:${String(at + 1)}:${around.slice(from, from + LONGEST_SHOWN).trimEnd()}`;
    this.chars += shown.length + 1;
    if (this.lines.length >= limits.searchHits || this.chars > limits.resultChars - 200) this.isFull = true;
    else this.lines.push(shown);
  }
}

import { dim, widthOf } from './style.js';

/** Columns side by side, each as wide as its widest cell; the last one as long as it is. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ')));
  const wide = head.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => (at === head.length - 1 ? cell : cell + ' '.repeat((wide[at] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  );
  return [dim(lines[0] ?? ''), ...lines.slice(1)];
}

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { type Markers, replaceBetweenMarkers } from './table.js';

const pageOf = (name: string): string => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
const OUTCOMES_PAGE = pageOf('outcomes.md');
export const EXAMPLES_PAGE = pageOf('examples.md');

/** Puts text between its markers in a page of docs, formatted as the checks of the repository want it. */
export async function writePage(content: string, markers: Markers, path = OUTCOMES_PAGE): Promise<void> {
  const page = replaceBetweenMarkers(await readFile(path, 'utf8'), content, markers);
  await writeFile(path, await format(page, { ...(await resolveConfig(path)), parser: 'markdown' }));
}

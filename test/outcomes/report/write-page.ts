import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { type Markers, replaceBetweenMarkers } from './table.js';

const PAGE = fileURLToPath(new URL('../../../../docs/outcomes.md', import.meta.url));

/** Puts results between their markers in docs/outcomes.md, formatted as the checks of the repository want it. */
export async function writePage(content: string, markers: Markers): Promise<void> {
  const page = replaceBetweenMarkers(await readFile(PAGE, 'utf8'), content, markers);
  await writeFile(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
}

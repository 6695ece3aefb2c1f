import { constants } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../worktree/turns.js';

/** Below the root of the user's checkout. */
export const ARTEFACT_ROOT = '.qralph';

const turns = new Turns();
/** More than anybody wrote by hand; a file that is longer is left alone. */
const LONGEST = 1_024 * 1_024;

/**
 * Has the user's git overlook the artefacts, by one line that is added once. False where the list of excluded files is
 * none that may be added to (a link, a huge file): then the artefacts are seen, and that is all.
 */
export function excludeArtefacts(commonDir: string): Promise<boolean> {
  return turns.take(commonDir, async () => {
    const file = join(commonDir, 'info', 'exclude');
    await mkdir(join(commonDir, 'info'), { recursive: true });
    const found = await lstat(file).catch(() => null);
    if (found !== null && (!found.isFile() || found.size > LONGEST)) return false;
    const handle = await open(
      file,
      constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
      0o644,
    );
    try {
      const text = await handle.readFile('utf8');
      if (text.split('\n').some((line) => LINES.has(line.trim()))) return true;
      await handle.appendFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${ARTEFACT_ROOT}/\n`);
      return true;
    } finally {
      await handle.close();
    }
  });
}

const LINES: ReadonlySet<string> = new Set([
  `${ARTEFACT_ROOT}/`,
  `/${ARTEFACT_ROOT}/`,
  ARTEFACT_ROOT,
  `/${ARTEFACT_ROOT}`,
]);

import { join } from 'node:path';
import type { Redactor } from '#kernel';
import { KnownPlaces } from '../worktree/known-places.js';
import { Turns } from '../worktree/turns.js';
import { ARTEFACT_ROOT, excludeArtefacts } from './exclude-line.js';
import { redactArtefact } from './redact-artefact.js';
import { isWritten, ownFolder, replaceFiles } from './safe-file.js';

const NAME = 'current-project.json';
/**
 * Somebody else may have changed what it says while it was written: so often it is looked again. Where it changes all
 * the time, those who change it write it as well.
 */
const MOST_ROUNDS = 20;

const turns = new Turns();
const places = new KnownPlaces();

/**
 * `.qralph/current-project.json`, derived whole each time. Several processes may write it at once: whoever wrote it
 * looks again afterwards, so the last one to write leaves it as it is true.
 */
export async function keepCurrent(repo: string, derive: () => Promise<string>, redactor: Redactor): Promise<void> {
  const place = await places.of(repo);
  const folder = join(place.repo, ARTEFACT_ROOT);
  const file = join(folder, NAME);
  await turns.take(file, async () => {
    await Promise.all([excludeArtefacts(place.commonDir), ownFolder(place.repo, folder)]);
    const derived = async (): Promise<string> => redactArtefact(NAME, await derive(), redactor);
    let text = await derived();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (!(await isWritten({ file, text }))) await replaceFiles([{ file, text }]);
      const now = await derived();
      if (now === text) return;
      text = now;
    }
    // The last to write leaves what it knew last, not what it knew before.
    await replaceFiles([{ file, text }]);
  });
}

import { UserError } from '#kernel';
import type { Witness } from '../scratch-keeper.js';
import type { ArtefactPlace, Artefacts } from './artefacts.js';

/** A project keeps its newest checkpoint outside of the database too: a tail that was cut off there can be told by it. */
const LATEST = 'checkpoints/latest.json';

/** The checkpoint that was kept last; null where none was, or what is there is not ours. */
export async function readAnchor(
  artefacts: Pick<Artefacts, 'read'>,
  place: ArtefactPlace,
  projectId: string,
): Promise<Witness | null> {
  const text = await artefacts.read(place, LATEST).then(
    (found) => found?.text ?? null,
    (error: unknown) => {
      // A link, or something far too large, in its place.
      if (error instanceof UserError) return null;
      throw error;
    },
  );
  return text === null ? null : witnessIn(text, projectId);
}

function witnessIn(text: string, projectId: string): Witness | null {
  try {
    const { project, seq, checksum } = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
    const isOurs = project === projectId && Number.isSafeInteger(seq) && typeof checksum === 'string';
    return isOurs ? { seq: seq as number, checksum } : null;
  } catch {
    return null;
  }
}

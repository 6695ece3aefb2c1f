import { errorCode } from '#kernel';
import type { ToldNotes } from '../notes/told-notes.js';
import type { Call } from './call.js';
import { Refusal } from './refusal.js';
import type { Body } from './wire.js';

/**
 * Puts what people said since the run began into a call. The CLI knows nothing of it: each call from then on is told the
 * same anew. Throws Refusal.
 */
export async function addNotes(body: Body, { admitted, route }: Call): Promise<ToldNotes | null> {
  const { run, wire } = admitted;
  if (route.kind === 'free' || !run.notes) return null;
  const told = await run.notes().catch((error: unknown) => {
    throw new Refusal(503, errorCode(error), 'what people said to the agent cannot be read');
  });
  if (told) wire.instruct(body, route, told.text);
  return told;
}

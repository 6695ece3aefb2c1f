import { type ProjectEvent, routes } from '#contracts';
import type { Client } from '../api/client.js';
import { word } from '../show/event-line.js';

/** Whether the project waits for a person from this event on. */
export const isAsking = (event: ProjectEvent): boolean =>
  event.type === 'gate.opened' ||
  (event.type === 'project.waits' && ['step-failed', 'effect', 'checkpoint'].includes(word(event, 'kind')));

/** A decision counts from when it is stored, though the project may hear of it a moment later. */
const ANSWERED = ['state.entered', 'gate.decided'];

/** Whether that is so now: an old question that was answered since is none. */
export async function isAskedStill(api: Client, id: string, { seq }: ProjectEvent): Promise<boolean> {
  const params = { id };
  const { data } = await api.call(routes.projectEvents, { params, query: { after: seq, limit: 1_000 } });
  if (data.some((event) => ANSWERED.includes(event.type) || isAsking(event))) return false;
  return (await api.call(routes.projectGates, { params })).data.length > 0;
}

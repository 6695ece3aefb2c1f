import { type ProjectEvent, routes } from '#contracts';
import type { Client } from './client.js';

/** All that has happened to a project so far, oldest first. */
export async function allEvents(api: Client, id: string): Promise<readonly ProjectEvent[]> {
  const all: ProjectEvent[] = [];
  for (let after = 0; ;) {
    const page = await api.call(routes.projectEvents, { params: { id }, query: { after, limit: 1_000 } });
    all.push(...page.data);
    if (page.nextCursor === null) return all;
    after = page.data.at(-1)?.seq ?? after;
  }
}

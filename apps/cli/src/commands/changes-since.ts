import { type ProjectEvent, routes } from '#contracts';
import type { Client } from '../api/client.js';
import { clean } from '../show/clean.js';
import { eventLine, stateLine } from '../show/event-line.js';

const MOST = 20;

/** What happened to a project since somebody looked at it, for whoever decided on what is no more. */
export async function changesSince(api: Client, id: string, checkpoint: number): Promise<string[]> {
  const later: ProjectEvent[] = [];
  for (let after = 0; ;) {
    const page = await api.call(routes.projectEvents, { params: { id }, query: { after, limit: 1_000 } });
    later.push(...page.data.filter(({ version }) => version > checkpoint));
    if (page.nextCursor === null) break;
    after = page.data.at(-1)?.seq ?? after;
  }
  const lines = later.flatMap((event) => linesOf(clean(event)));
  const hidden = lines.length - MOST;
  return [
    `since checkpoint ${String(checkpoint)}:`,
    ...(hidden > 0 ? [`  … ${String(hidden)} lines before: qralph watch ${id}`] : []),
    ...lines.slice(-MOST).map((line) => `  ${line}`),
  ];
}

function linesOf(event: ProjectEvent): string[] {
  if (event.type === 'state.entered') return stateLine(event, '');
  const line = eventLine(event);
  return line === null ? [] : [line];
}

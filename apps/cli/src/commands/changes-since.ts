import type { ProjectEvent } from '#contracts';
import { allEvents } from '../api/all-events.js';
import type { Client } from '../api/client.js';
import { clean } from '../show/clean.js';
import { eventLine, stateLine } from '../show/event-line.js';

const MOST = 20;

/** What happened to a project since somebody looked at it, for whoever decided on what is no more. */
export async function changesSince(api: Client, id: string, checkpoint: number): Promise<string[]> {
  const later = (await allEvents(api, id)).filter(({ version }) => version > checkpoint);
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

import type { Finding, Project, ProjectEvent } from '#contracts';
import type { ApiClient } from './api-client.js';
import { dim, eventLine, findingLine } from './event-line.js';

/** An event as it comes; with a new state what was spent so far, and after the reviews what they found. */
export async function showEvent(api: ApiClient, id: string, event: ProjectEvent): Promise<void> {
  const line = eventLine(event);
  if (line === null) return;
  const isState = event.type === 'state.entered';
  console.log(isState ? `${line} ${dim(await spentBy(api, id))}` : line);
  if (!isState || event.data['cause'] !== 'reviews:synthesised') return;
  const { data } = await api.get<{ data: Finding[] }>(`/v1/projects/${id}/findings`);
  for (const finding of data) console.log(`            ${dim('finding')} ${findingLine(finding)}`);
}

async function spentBy(api: ApiClient, id: string): Promise<string> {
  const { budget } = await api.get<Project>(`/v1/projects/${id}`);
  return budget ? `${budget.usd.used} of ${budget.usd.cap ?? 'any'} USD` : '';
}

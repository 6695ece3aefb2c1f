import type { Finding, Project, ProjectEvent, ProjectTask, Team } from '#contracts';
import type { ApiClient } from './api-client.js';
import { amount, detail, eventLine, findingLine, seatLine, stateLine, word } from './event-line.js';

/** An event as it comes; with a new state what was spent so far, and what the report before it was about. */
export async function showEvent(api: ApiClient, id: string, event: ProjectEvent): Promise<void> {
  if (event.type === 'state.entered') return console.log(stateLine(event, await spentBy(api, id)));
  if (event.type === 'activity.reported') await showReport(api, id, event);
  const line = eventLine(event);
  if (line !== null) console.log(line);
}

/** Whoever was seated, what was found, what was done: read over the API, as the event has its name only. */
async function showReport(api: ApiClient, id: string, event: ProjectEvent): Promise<void> {
  const path = `/v1/projects/${id}`;
  const kind = word(event, 'event');
  if (kind === 'team:composed') {
    const { domains, members } = await api.get<Team>(`${path}/team`);
    console.log(detail('about', domains.join(', ')));
    for (const member of members) console.log(seatLine(member));
  } else if (kind === 'reviews:synthesised') {
    const { data } = await api.get<{ data: Finding[] }>(`${path}/findings`);
    for (const finding of data) console.log(detail('finding', findingLine(finding)));
  } else if (kind === 'task:finished') {
    const { data } = await api.get<{ data: ProjectTask[] }>(`${path}/tasks`);
    const task = data.find((one) => one.id === word(event, 'task'));
    console.log(detail('task', `${word(event, 'task')} ${word(event, 'outcome')}: ${task?.title ?? ''}`));
  }
}

/** Tokens always move; of money only what somebody has to pay is told. */
async function spentBy(api: ApiClient, id: string): Promise<string> {
  const { budget, simulated } = await api.get<Project>(`/v1/projects/${id}`);
  if (!budget) return '';
  const { usd, tokens } = budget;
  const paid = simulated ? 'simulated: nothing is paid' : `${usd.used} of ${usd.cap ?? 'any'} USD`;
  return `${amount(tokens.used)} tokens so far${tokens.used === 0 ? '' : `, ${paid}`}`;
}

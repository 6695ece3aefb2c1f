import type { ProjectEvent } from '#contracts';

/**
 * Shows the events of a project up to its end. Where it waits for a person instead, gives what it asks and why: in a
 * demo nobody is there to answer, and it would wait for ever.
 */
export async function untilStandstill(
  events: AsyncIterable<ProjectEvent>,
  show: (event: ProjectEvent) => void | Promise<void>,
): Promise<string | null> {
  let reason = '';
  for await (const event of events) {
    await show(event);
    const data = event.data as Readonly<Record<string, unknown>>;
    if (event.type === 'activity.reported') reason = text(data['message']) || text(data['doubt']);
    if (event.type === 'gate.opened') return [reason, text(data['ask'])].filter(Boolean).join('\n');
    if (event.type !== 'project.waits') continue;
    if (data['kind'] === 'step-failed') return `${text(data['code'])}: ${text(data['message'])}`;
    if (data['kind'] === 'effect') return text(data['question']);
  }
  return null;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

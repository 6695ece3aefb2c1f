import type { ProjectEvent } from '#contracts';

const isTerminal = process.stdout.isTTY;
const paint = (code: number, text: string): string => (isTerminal ? `\u001b[${String(code)}m${text}\u001b[0m` : text);
export const bold = (text: string): string => paint(1, text);
export const dim = (text: string): string => paint(2, text);
const green = (text: string): string => paint(32, text);
const yellow = (text: string): string => paint(33, text);

const word = (event: ProjectEvent, key: string): string => {
  const value = (event.data as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** One event as a person reads it; null for those that only matter to machines. */
export function eventLine(event: ProjectEvent): string | null {
  switch (event.type) {
    case 'state.entered':
      return `${bold(word(event, 'to').padEnd(11))} ${dim(word(event, 'cause'))}`;
    case 'child.started':
      return `            ${dim('task')} ${word(event, 'key')} ${dim('handed to any worker')}`;
    case 'signal.applied':
      return word(event, 'kind') === 'child'
        ? `            ${dim('task')} ${word(event, 'cause').slice('child:'.length)} ${green('ended')}`
        : null;
    case 'effect.finished':
      return `            ${dim('effect')} ${word(event, 'key')} ${green('done')}`;
    case 'effect.repeated':
    case 'effect.found':
      return `            ${dim('effect')} ${word(event, 'key')} ${yellow(event.type.slice('effect.'.length))}`;
    case 'gate.opened':
      return `            ${yellow('waits for a person:')} ${word(event, 'ask')}`;
    case 'gate.decided':
      return `            ${green(word(event, 'decision'))} ${dim(`by a ${word(event, 'by')} principal`)}`;
    case 'project.completed':
    case 'project.aborted':
    case 'project.failed':
      return green(bold(event.type));
    default:
      return null;
  }
}

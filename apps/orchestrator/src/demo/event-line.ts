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

const flag = (event: ProjectEvent, key: string): boolean =>
  (event.data as Readonly<Record<string, unknown>>)[key] === true;
const simulated = (event: ProjectEvent): string => (flag(event, 'simulated') ? 'simulated model' : '');
const verdict = (event: ProjectEvent): string => (flag(event, 'ok') ? green('ok') : yellow('failed'));

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
    case 'model.called':
      return `            ${dim('model')} ${word(event, 'model')} ${dim(simulated(event))}`;
    case 'model.failed':
      return `            ${dim('model')} ${word(event, 'model')} ${yellow(word(event, 'code'))}`;
    case 'model.answering':
      return `            ${dim(`model answers, ${word(event, 'bytes')} bytes so far`)}`;
    case 'tool.called':
      return `            ${dim('tool')} ${word(event, 'tool')} ${word(event, 'about').slice(0, 80)} ${verdict(event)}`;
    case 'workspace.set-up':
      return `            ${dim('set-up')} ${word(event, 'how')}`;
    case 'workspace.verified':
      return `            ${dim('tests')} ${word(event, 'verdict')}, ${word(event, 'passed')} passed, ${word(event, 'failed')} failed ${dim(`in ${word(event, 'sandbox')}`)}`;
    case 'effect.repeated':
    case 'effect.found':
      return `            ${dim('effect')} ${word(event, 'key')} ${yellow(event.type.slice('effect.'.length))}`;
    case 'gate.opened':
      return `            ${yellow('waits for a person:')} ${word(event, 'ask')}`;
    case 'gate.decided':
      return `            ${green(word(event, 'decision'))} ${dim(`by a ${word(event, 'by')} principal`)}`;
    case 'project.completed':
    case 'project.ended':
    case 'project.aborted':
    case 'project.failed':
      return green(bold(event.type));
    default:
      return null;
  }
}

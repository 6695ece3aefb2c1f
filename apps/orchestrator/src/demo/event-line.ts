import type { Finding, ProjectEvent } from '#contracts';

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

export const findingLine = ({ priority, id, title, agents }: Finding): string =>
  `${priority} ${id} ${title} ${dim(`[${agents.join(', ')}]`)}`;

/** What an activity said at its end, where that is more than the name of the next state. */
function reportLine(event: ProjectEvent): string | null {
  const line = (what: string, words: string): string => `            ${dim(what)} ${words}`;
  switch (word(event, 'event')) {
    case 'problem:found':
      return line('problem', `${word(event, 'problem')} ${yellow(word(event, 'title'))}`);
    case 'attempt:failed':
      return line(`attempt ${word(event, 'attempt')}, ${word(event, 'tier')} model`, yellow(word(event, 'why')));
    case 'problem:fixed':
      return line(`attempt ${word(event, 'attempt')}, ${word(event, 'tier')} model`, green('fixed'));
    case 'task:finished':
      return line('task', `${word(event, 'task')} ${green(word(event, 'outcome'))}`);
    case 'uat:continues': {
      const [title, found] = [word(event, 'title'), word(event, 'verdict')];
      return title === '' ? null : line('scenario', `${title} ${found === 'passed' ? green(found) : yellow(found)}`);
    }
    default:
      return null;
  }
}

/** One event as a person reads it; null for those that only matter to machines. */
export function eventLine(event: ProjectEvent): string | null {
  switch (event.type) {
    case 'state.entered':
      return `${bold(word(event, 'to').padEnd(13))} ${dim(word(event, 'cause'))}`;
    case 'activity.reported':
      return reportLine(event);
    case 'heal.rolled-back':
      return `            ${yellow('rolled back')} ${dim('to the last good tree')}`;
    case 'heal.pattern-found':
      return `            ${dim('pattern')} ${word(event, 'problem')} ${dim('was healed before')}`;
    case 'child.started':
      return `            ${dim('agent')} ${word(event, 'key')} ${dim('reads the code, on any worker')}`;
    case 'signal.applied':
      return word(event, 'kind') === 'child'
        ? `            ${dim('agent')} ${word(event, 'cause').slice('child:'.length)} ${green('handed in')}`
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

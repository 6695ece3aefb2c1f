import type { Finding, ProjectEvent, Team, TeamMessage } from '#contracts';
import { bold, dim, green, red, yellow } from './style.js';

/** A command that counts no tests is a check, or something else that people want to see by its command. */
function verifiedLine(event: ProjectEvent): string {
  const { command, passed, failed } = event.data;
  const where = dim(`in ${word(event, 'sandbox')}`);
  if (typeof command === 'string' && passed === 0 && failed === 0) {
    return detail('ran', `${command.slice(0, 80)}: exit code ${word(event, 'exitCode')} ${where}`);
  }
  return detail(
    'tests',
    `${word(event, 'verdict')} (${word(event, 'passed')} passed, ${word(event, 'failed')} failed) ${where}`,
  );
}

/** Thousands apart, as in 12,345. */
export const amount = (count: number): string => count.toLocaleString('en-US');

export const word = (event: ProjectEvent, key: string): string => textOf(event.data[key]);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const verdict = (event: ProjectEvent): string => (event.data['ok'] === true ? green('ok') : yellow('failed'));

/** What belongs to a state, below it: what it is, and what is said of it. */
export const detail = (what: string, words: string): string => `              ${dim(what.padEnd(8))} ${words}`;

export const findingLine = ({ priority, id, title, relation, agents }: Finding): string =>
  `${priority} ${id} ${title} ${dim(`(${relation}) [${agents.join(', ')}]`)}`;

/** Who came back with this event; null: nobody did. */
export const childOf = (event: ProjectEvent): string | null =>
  event.type === 'signal.applied' && word(event, 'kind') === 'child'
    ? word(event, 'cause').slice('child:'.length)
    : null;

/** A reviewer that came back, with what it said or why it has nothing to say. */
export const handedInLine = (agent: string, { kind, text }: TeamMessage): string =>
  detail('review', `${agent}: ${kind === 'summary' ? text : yellow(text)}`);

/** Who has a seat, and why: the reason, and what the score is made of. */
export function seatLine({ agent, tier, score, reasons }: Team['members'][number]): string {
  const why = reasons.slice(0, 3).join('; ');
  return detail('seat', `${agent}${dim(`, ${tier} tier, score ${String(score)}: ${why}`)}`);
}

/** What happens in a state, for somebody who sees it for the first time. */
const MEANINGS: Readonly<Record<string, string>> = {
  INIT: 'a worktree on a branch of its own; your checkout stays as it is',
  DISCOVERING: 'who could help with this request?',
  CLARIFYING: 'what the request leaves open is asked; where nobody answers, safe defaults hold',
  PLANNING: 'the plan is written: steps, how each is checked, what it may cost',
  USER_REVIEW: 'a person reads the plan: approve, revise or reject',
  REVIEWING: 'the team reads the code, side by side; nobody changes anything',
  ESCALATE: 'it outgrew a small team: a full one takes over, with all that is done so far',
  BEFORE_EXECUTING: 'a person is asked before anything is changed',
  EXECUTING: 'one task after the other is carried out; the service runs the tests itself',
  SELF_HEAL: 'a test fails that did not before: small models try to mend it, then larger ones',
  UAT: 'agents that did not write the code accept it, by commands that the service runs',
  BLOCKED: 'it cannot go on by itself: a person decides',
  FUTURE_REQ: 'what was deferred is written down',
  BEFORE_DELIVERY: 'a person is asked before the plan is delivered',
  BEFORE_COMPLETE: 'a person is asked before it is called complete',
  COMPLETE: 'all is settled: the summary is written',
  TEAM_SHUTDOWN: 'teammates end, processes and worktree go, the branch stays',
};

/** A state with what was spent so far; where it is another one than before, with what happens in it. */
export function stateLine(event: ProjectEvent, spent: string): string[] {
  const [from, to] = [word(event, 'from'), word(event, 'to')];
  const meaning = from === to ? undefined : MEANINGS[to];
  const head = (words: string): string => `${bold(to.padEnd(13))} ${dim(words)}`.trimEnd();
  if (meaning === undefined) return [head(spent)];
  return spent === '' ? [head(meaning)] : [head(meaning), `${' '.repeat(13)} ${dim(spent)}`];
}

/** What an activity said at its end, where that is more than the name of the next state. */
function reportLine(event: ProjectEvent): string | null {
  const attempt = `attempt ${word(event, 'attempt')}, ${word(event, 'tier')} model:`;
  switch (word(event, 'event')) {
    case 'problem:found':
      return detail('problem', `${word(event, 'problem')} ${yellow(word(event, 'title'))}`);
    case 'attempt:failed':
      return detail('heal', `${attempt} ${yellow(word(event, 'why'))}`);
    case 'problem:fixed':
      return detail('heal', `${attempt} ${green('fixed')}`);
    case 'uat:continues': {
      const [title, found] = [word(event, 'title'), word(event, 'verdict')];
      return title === '' ? null : detail('scenario', `${title}: ${found === 'passed' ? green(found) : yellow(found)}`);
    }
    default:
      return null;
  }
}

function capWords(event: ProjectEvent): string {
  const { usd, tokens } = (event.data['to'] ?? {}) as { usd?: unknown; tokens?: unknown };
  const caps = [
    ...(textOf(usd) === '' ? [] : [`${textOf(usd)} USD`]),
    ...(typeof tokens === 'number' ? [`${amount(tokens)} tokens`] : []),
  ];
  return caps.join(' and ') || 'lifted';
}

function callLine(event: ProjectEvent): string {
  const { simulated, tokens } = event.data as { simulated?: boolean; tokens?: { input?: number; output?: number } };
  const { input = 0, output = 0 } = tokens ?? {};
  const asked = simulated === true ? 'the simulated model' : word(event, 'model');
  const paid = simulated === true ? '' : `, ${word(event, 'costUsd')} USD`;
  const figures = `${amount(input)} tokens in, ${amount(output)} out${paid}`;
  return detail('model', `${word(event, 'role')} asks ${asked}${dim(`: ${figures}`)}`);
}

/** Whoever had work of their own in the worktree is told where it is. */
export function keptSentences(event: ProjectEvent): string[] {
  const [kept, since] = [word(event, 'kept'), word(event, 'keptSince')];
  return [
    ...(kept === '' ? [] : [`what was in the worktree is kept as commit ${kept}`]),
    ...(since === '' ? [] : [`what was changed after a restore that was cut off, as ${since}`]),
  ];
}

const keptWords = (event: ProjectEvent): string =>
  keptSentences(event).map((words) => yellow(`; ${words}`)).join(''); // prettier-ignore

/** One event as a person reads it; null for those that only matter to machines. */
export function eventLine(event: ProjectEvent): string | null {
  switch (event.type) {
    case 'activity.reported':
      return reportLine(event);
    case 'heal.rolled-back':
      return detail('heal', yellow('rolled back to the last good tree'));
    case 'heal.pattern-found':
      return detail('heal', `${word(event, 'problem')} was healed before: that fix is tried first`);
    case 'proof.judged':
      return detail('proof', `the result is judged, proven: ${word(event, 'proven')}`);
    case 'child.started':
      return detail('agent', `${word(event, 'key')} ${dim('reads the code')}`);
    case 'signal.applied': {
      const child = childOf(event);
      return child === null ? null : detail('agent', `${child} ${dim('is back')}`);
    }
    case 'agent.started':
      return detail('agent', `${word(event, 'role')}${dim(`, ${word(event, 'tier')} tier`)}`);
    case 'agent.continued':
      return detail(
        'agent',
        `${word(event, 'role')} continues in a fresh conversation${dim(`, ${word(event, 'tier')} tier`)}`,
      );
    case 'model.called':
      return callLine(event);
    case 'model.failed':
      return detail('model', `${word(event, 'model')} ${yellow(word(event, 'code'))}`);
    case 'model.answering':
      return detail('model', dim(`answers, ${word(event, 'bytes')} bytes so far`));
    case 'tool.called':
      return detail('tool', `${word(event, 'tool')} ${word(event, 'about').slice(0, 80)} ${verdict(event)}`);
    case 'workspace.set-up':
      return detail('set-up', word(event, 'how'));
    case 'workspace.verified':
      return verifiedLine(event);
    case 'note.given':
      return detail(
        'note',
        `${word(event, 'number')} to ${word(event, 'agent') || 'all agents'}: ${word(event, 'text')}`,
      );
    case 'note.delivered':
      return detail('note', `${word(event, 'number')} reached ${word(event, 'role')}`);
    case 'budget.exceeded':
      return detail('budget', yellow('a call was not made: it would have gone past the cap'));
    case 'budget.changed':
      return detail('budget', `the cap is ${capWords(event)} now`);
    case 'checkpoint.restored':
      return detail('restored', `went back to checkpoint ${word(event, 'to')}${keptWords(event)}`);
    case 'restore.undone':
      return detail('restored', `a restore was cut off, and its files were taken back${keptWords(event)}`);
    case 'project.taken-over':
      return detail('worker', dim('another worker took it over, and it goes on'));
    case 'command.received':
      return detail('command', `${word(event, 'command')} ${dim(`by a ${word(event, 'by')} principal`)}`);
    case 'command.refused':
      return detail('command', yellow(`${word(event, 'command')} was refused: ${word(event, 'why')}`));
    case 'signal.noted':
      // Timers and children that come late matter to nobody.
      if (!['command', 'decision'].includes(word(event, 'kind'))) return null;
      return detail('command', yellow(`changed nothing: ${word(event, 'note')}`));
    case 'project.paused':
      return detail('paused', yellow('nothing new starts until RESUME'));
    case 'project.resumed':
      return detail('resumed', 'it goes on');
    case 'effect.repeated':
    case 'effect.found':
      return detail('effect', `${word(event, 'key')} ${yellow(event.type.slice('effect.'.length))}`);
    case 'gate.opened':
      return detail('waits', yellow(`for a person: ${word(event, 'ask')}`));
    case 'gate.decided':
      return detail('decided', `${green(word(event, 'decision'))} ${dim(`by a ${word(event, 'by')} principal`)}`);
    case 'project.completed':
    case 'project.ended':
      return green(bold(event.type));
    case 'project.aborted':
    case 'project.failed':
      return red(bold(event.type));
    default:
      return null;
  }
}

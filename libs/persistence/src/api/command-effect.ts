import type { GivenCommand } from '#contracts';
import type { JsonObject } from '#kernel';

export type CommandEffect = Pick<GivenCommand, 'outcome' | 'effect'>;

type Told = { readonly type: string; readonly data: JsonObject };

const WAITS: CommandEffect = { outcome: 'pending', effect: 'waits for the next safe point' };

/** What is known of a command whose signal has yet to be applied. STATUS is answered by whoever takes it. */
export const unheard = (command: GivenCommand['command']): CommandEffect =>
  command === 'STATUS' ? { outcome: 'applied', effect: 'status was asked for' } : WAITS;

/** By command, what became of those that the events of one write tell of. */
export function effectOf(events: readonly Told[]): [id: string, effect: CommandEffect][] {
  return events.flatMap(({ type, data }, nth): [string, CommandEffect][] => {
    const { id, kind, note, cause } = data;
    if (typeof id !== 'string' || kind !== 'command') return [];
    if (type === 'signal.noted')
      return [[id, { outcome: cause === 'STATUS' ? 'applied' : 'noted', effect: text(note) }]];
    if (type !== 'signal.applied') return [];
    return [[id, { outcome: 'applied', effect: wordsOf(events.slice(nth + 1)) }]];
  });
}

/** What the write that applied it tells beside. */
function wordsOf(events: readonly Told[]): string {
  const words = events.flatMap(({ type, data }) => {
    switch (type) {
      case 'project.paused':
        return 'paused';
      case 'project.resumed':
        return 'resumed';
      case 'state.entered':
        return movedWords(text(data['from']), text(data['to']));
      case 'project.aborted':
        return 'aborted';
      default:
        return [];
    }
  });
  return words.length > 0 ? words.join(', ') : 'the step is tried again';
}

/** A state that leads to itself, as from one task to the next. */
const movedWords = (from: string, to: string): string => (from === to ? `goes on in ${to}` : `${from} to ${to}`);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

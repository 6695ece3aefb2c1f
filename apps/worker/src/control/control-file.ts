import {
  admitCommand, admitUndriven, allowedNow, type Admission, commandEvent, commandsOf, type ControlEntry, controlPage,
  entriesOf, type Given, isExact, reconciled, refusedMark, type Standing, type TakenEntry, takenMark, withMarks,
} from '#control'; // prettier-ignore
import type { Command, Machine, Signal, SignalBody } from '#engine';
import { errorCode, errorMessage, newId, UserError } from '#kernel';
import type { ControlledProject, ControlWord, KeptControl, PgControlFiles } from '#persistence';
import type { Artefacts, ArtefactPlace } from '#workspace';
import type { CountsCommands } from './command-refused.js';
import { isUndrivable, type ProjectStanding } from './standings.js';

const PAGE = 'CONTROL.md';
const MOST_BYTES = 64 * 1_024;
const MOST_ENTRIES = 20;
/** An editor may be writing it still: half a sentence can be a whole word. */
const SETTLES_MS = 100;

export interface ControlFileParts {
  readonly store: Pick<PgControlFiles<Entry>, 'load' | 'save'>;
  readonly artefacts: Pick<Artefacts, 'peek' | 'write'>;
  readonly standing: (projectId: string) => Promise<ProjectStanding>;
  /** As its row has it, for a project whose standing cannot be told. */
  readonly stateOf: (projectId: string) => Promise<string>;
  /** Writes STATUS.md. */
  readonly status: (projectId: string) => Promise<void>;
  readonly counts: CountsCommands;
  /** How many commands may wait in a project's inbox. */
  readonly mostWaiting: number;
  readonly now: () => Date;
  /** Something was left for a worker. */
  readonly onLeft: () => void;
}

export type Entry = { command: TakenEntry['command']; word: string; mark: string };
type Kept = KeptControl<Entry>;
type Page =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' | 'unsettled' }
  | { readonly kind: 'unusable'; readonly code: string; readonly why: string };

interface Judged {
  readonly entry: ControlEntry;
  readonly mark: string;
  readonly word: ControlWord;
  readonly isTaken: boolean;
}

/**
 * One look at a project's CONTROL.md. What is new in it is put into the inbox together with the record of it, then the
 * lines are marked: whoever looks in between, or after a crash there, finds the record and marks them.
 */
export class ControlFile {
  constructor(private readonly parts: ControlFileParts) {}

  /** `again`: somebody was writing meanwhile, and it is to be looked at soon. */
  async look(project: ControlledProject, isLive: boolean): Promise<'done' | 'again'> {
    const kept = await this.parts.store.load(project.id);
    const page = await this.read(project);
    switch (page.kind) {
      case 'unsettled':
        return 'again';
      case 'absent':
        return isLive ? this.begin(project, kept) : 'done';
      case 'unusable':
        return this.complain(project, kept, page.code, page.why);
      case 'text':
        return this.obey(project, kept, page.text);
    }
  }

  private async read(project: ControlledProject): Promise<Page> {
    try {
      const found = await this.parts.artefacts.peek(placeOf(project), PAGE, MOST_BYTES);
      if (!found) return { kind: 'absent' };
      const ageMs = this.parts.now().getTime() - found.modifiedAt.getTime();
      if (ageMs >= 0 && ageMs < SETTLES_MS) return { kind: 'unsettled' };
      if (!found.content) return unusable('CONTROL_TOO_LARGE', `it is longer than ${String(MOST_BYTES)} bytes`);
      return textIn(found.content);
    } catch (error) {
      return unusable(errorCode(error), errorMessage(error));
    }
  }

  /** It was deleted, or never there. A repository that this host does not have is another host's to look at. */
  private async begin(project: ControlledProject, kept: Kept): Promise<'done'> {
    const commands = commandsOf(await this.machineOf(project.id));
    const error = await this.parts.artefacts.write(placeOf(project), PAGE, controlPage(project.name, commands)).then(
      () => null,
      (cause: unknown) => ({ cause }),
    );
    // Nor is what was taken there for this host to forget: the lines may stand there still, unmarked.
    if (error?.cause instanceof UserError && error.cause.code.startsWith('REPO_')) return 'done';
    if (kept.taken.length > 0) await this.parts.store.save(project.id, { ...kept, taken: [] }, []);
    if (!error) return 'done';
    return this.complain(project, await this.parts.store.load(project.id), ...unwritten(error.cause));
  }

  /** Undefined where nobody could drive the project now: the page then names every command. */
  private async machineOf(projectId: string): Promise<Machine | undefined> {
    try {
      return (await this.parts.standing(projectId)).runnable.machine;
    } catch (error) {
      if (isUndrivable(error)) return undefined;
      throw error;
    }
  }

  /** Told once, until it is another problem or none. */
  private async complain(project: ControlledProject, kept: Kept, code: string, why: string): Promise<'done'> {
    if (kept.problem === code) return 'done';
    const event = { type: 'control.unusable', data: { file: PAGE, code, why: why.slice(0, 500) } };
    await this.parts.store.save(project.id, { ...kept, problem: code }, [{ event }]);
    return 'done';
  }

  private async obey(project: ControlledProject, kept: Kept, text: string): Promise<'done' | 'again'> {
    const count = entriesOf(text).length;
    if (count > MOST_ENTRIES) {
      const why = `it has ${String(count)} commands, and no more than ${String(MOST_ENTRIES)} are taken at once`;
      return this.complain(project, kept, 'CONTROL_TOO_MANY', why);
    }
    const { unmarked, fresh } = reconciled(text, kept.taken);
    const judged = fresh.length === 0 ? [] : await this.judge(project, fresh);
    const marks = new Map<number, Entry>(
      unmarked.map(({ line, command, word, mark }) => [line, { command, word, mark }]),
    );
    for (const { entry, mark } of judged) marks.set(entry.line, { command: entry.command, word: entry.word, mark });
    const taken = [...marks].toSorted(([a], [b]) => a - b).map(([, entry]) => entry);
    const next = { ...kept, taken, problem: taken.length > 0 ? kept.problem : null };
    const isNews = judged.length > 0 || taken.length !== kept.taken.length || next.problem !== kept.problem;
    if (isNews) {
      // Somebody else has looked since: what is still to do is done at the next look.
      if (!(await this.parts.store.save(project.id, next, judged.map(({ word }) => word)))) return 'again'; // prettier-ignore
      for (const { isTaken } of judged) this.parts.counts('file', isTaken ? 'accepted' : 'refused');
      if (judged.some(({ word }) => word.body)) this.parts.onLeft();
    }
    if (marks.size === 0) return 'done';
    return this.mark(project, { ...next, version: kept.version + (isNews ? 1 : 0) }, text, marks);
  }

  private async mark(
    project: ControlledProject,
    kept: Kept,
    text: string,
    marks: ReadonlyMap<number, Entry>,
  ): Promise<'done' | 'again'> {
    // Before the mark: whoever dies here writes it again.
    if (kept.taken.some(({ command, mark }) => command === 'STATUS' && isTakenMark(mark))) {
      await this.parts.status(project.id);
    }
    const now = await this.read(project);
    if (now.kind !== 'text' || now.text !== text) return 'again';
    const texts = new Map([...marks].map(([line, { mark }]) => [line, mark]));
    try {
      await this.parts.artefacts.write(placeOf(project), PAGE, withMarks(text, texts));
    } catch (error) {
      return this.complain(project, kept, ...unwritten(error));
    }
    await this.parts.store.save(project.id, { ...kept, taken: [], problem: null }, []);
    return 'done';
  }

  /** In the order of the file: each is judged as if those before it were obeyed. */
  private async judge(project: ControlledProject, fresh: readonly ControlEntry[]): Promise<Judged[]> {
    const found = await this.found(project.id);
    const ahead: Signal[] = found.kind === 'standing' ? [...found.inbox] : [];
    const at = this.parts.now();
    return fresh.map((entry) => {
      const { command, word } = entry;
      const given: Given = { id: newId(), command, door: 'file', by: 'service', key: null };
      const admission = admitted(found.kind === 'standing' ? { ...found, inbox: ahead } : found, entry, this.parts.mostWaiting); // prettier-ignore
      const event = commandEvent(given, admission);
      if (admission.kind === 'refused') {
        return { entry, mark: refusedMark(word, at, admission.why), word: { event }, isTaken: false };
      }
      const mark = takenMark(word, at);
      // A question is for nobody's inbox, and of a held project nothing would be applied: it is told of, and answered.
      if (found.kind === 'held' || command === 'STATUS') return { entry, mark, word: { event }, isTaken: true };
      const body: SignalBody = { kind: 'command', id: given.id, command, visit: admission.visit };
      ahead.push({ seq: 0, by: 'service', body });
      return { entry, mark, word: { event, body }, isTaken: true };
    });
  }

  /** What waits for a version of the service that can run it keeps its lines until then: another worker may be that. */
  private async found(projectId: string): Promise<Found> {
    try {
      const { snapshot, inbox, runnable } = await this.parts.standing(projectId);
      return { kind: 'standing', machine: runnable.machine, guards: runnable.guards, snapshot, inbox };
    } catch (error) {
      if (!isUndrivable(error) || !(error instanceof UserError)) throw error;
      return { kind: 'held', state: await this.parts.stateOf(projectId), why: error.message };
    }
  }
}

type Found =
  | ({ readonly kind: 'standing' } & Standing)
  /** Until a person restores a good checkpoint. */
  | { readonly kind: 'held'; readonly state: string; readonly why: string };

const placeOf = ({ repo, name }: ControlledProject): ArtefactPlace => ({ repo, name });

const isTakenMark = (mark: string): boolean => mark.includes('<- taken');

function admitted(found: Found, entry: ControlEntry, mostWaiting: number): Admission {
  const { command } = entry;
  const isHeld = found.kind === 'held';
  const isFull = !isHeld && found.inbox.filter(({ by }) => by !== 'engine').length >= mostWaiting;
  if (isFull && command !== 'ABORT' && command !== 'STATUS') {
    const why = `${String(mostWaiting)} commands wait to be obeyed already`;
    return {
      kind: 'refused',
      code: 'COMMAND_NOT_ALLOWED',
      state: found.snapshot.state,
      why,
      allowed: ['ABORT', 'STATUS'],
    };
  }
  if (isExact(entry)) {
    return isHeld ? admitUndriven(command, found.state, found.why) : admitCommand(found, command, 'service');
  }
  const state = isHeld ? found.state : found.snapshot.state;
  const allowed: readonly Command[] = isHeld ? ['STATUS'] : allowedNow(found, 'service');
  return { kind: 'refused', code: 'COMMAND_NOT_ALLOWED', state, why: `a command is written in capitals: ${command}`, allowed }; // prettier-ignore
}

const unusable = (code: string, why: string): Page => ({ kind: 'unusable', code, why });

const unwritten = (error: unknown): [code: string, why: string] => [
  `UNWRITTEN_${errorCode(error)}`,
  `it cannot be written, so its lines are not marked; each is taken once all the same: ${errorMessage(error)}`,
];

function textIn(content: Buffer): Page {
  const why = 'it is no text';
  if (content.includes(0)) return unusable('CONTROL_BINARY', why);
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(content) };
  } catch {
    return unusable('CONTROL_BINARY', why);
  }
}

import type { Json, JsonObject } from '#kernel';
import { assertNever } from '#kernel';
import { type Command, commanded, isTableCommand } from './commands.js';
import type { Gate, Guards, Machine } from './machine.js';
import { type EffectVerdictName, hasEnded, type Snapshot, stateOf, statusOf } from './snapshot.js';
import { type MachineEvent, type PrincipalKind, transition } from './transition.js';

export { allowedCommands, type Command, COMMANDS } from './commands.js';

/** What reaches a project from outside its own activity: durable, numbered per project, applied in order at safe points. */
export interface Signal {
  readonly seq: number;
  readonly by: PrincipalKind;
  readonly body: SignalBody;
}

export type SignalBody =
  | {
      readonly kind: 'command';
      readonly id: string;
      readonly command: Command;
      /** The visit it was given in: SKIP means the step its sender saw, not whatever runs when it arrives. */
      readonly visit: number;
    }
  | {
      readonly kind: 'decision';
      /** The operation it was given in, where its sender may repeat himself. */
      readonly id?: string;
      readonly gate: string;
      readonly decision: string;
      readonly feedback?: string;
      readonly answers?: Json;
      /** The effect that was asked about, where it is one: a visit may ask about several. */
      readonly effect?: string;
      /** The visit the decision was based on: a decision about a question that is gone changes nothing. */
      readonly visit: number;
    }
  | {
      /** Something around the project changed that its table may have a branch for, such as a raised budget. */
      readonly kind: 'notice';
      readonly id: string;
      readonly event: string;
      readonly visit: number;
    }
  | { readonly kind: 'timer'; readonly visit: number; readonly event: string }
  | { readonly kind: 'wake'; readonly visit: number }
  | { readonly kind: 'child'; readonly visit: number; readonly key: string };

export interface EffectVerdict {
  readonly key: string;
  readonly verdict: EffectVerdictName;
  readonly outcome: Json;
}

export type SignalResult =
  /** The state changed by the table. */
  | { readonly kind: 'moved'; readonly from: string; readonly to: string; readonly next: Snapshot }
  /** The project changed without leaving its state. */
  | { readonly kind: 'changed'; readonly next: Snapshot; readonly verdict?: EffectVerdict }
  /** Nothing changed; `note` says why. */
  | { readonly kind: 'noted'; readonly note: string }
  /** Must wait until the project is resumed. */
  | { readonly kind: 'later' };

/** The gate that stands open when an effect's outcome is unknown and only a person can tell. */
export const EFFECT_GATE = 'settle-effect';
const BOTH: readonly EffectVerdictName[] = ['repeat', 'done'];

/** What the answers about such an effect lead to. */
export const EFFECT_CONSEQUENCES: Readonly<Record<EffectVerdictName, string>> = {
  repeat: 'It is carried out again: whatever had come of it may then be there twice.',
  done: 'It counts as done, with what you give as answers for its outcome, and is not carried out again.',
};

/** What becomes of a timer that fired as its project was being paused. */
export const STANDS_STILL = 'the project is paused: the time of its state begins anew with RESUME';

export function openGate(machine: Machine, snapshot: Snapshot): Gate | null {
  if (snapshot.wait?.kind === 'effect') {
    const { question, options = BOTH } = snapshot.wait;
    return {
      name: EFFECT_GATE,
      ask: question,
      options: Object.fromEntries(options.map((option) => [option, `effect:${option}`])),
      consequences: Object.fromEntries(options.map((option) => [option, EFFECT_CONSEQUENCES[option]])),
    };
  }
  return stateOf(machine, snapshot)?.gate ?? null;
}

export function applySignal(machine: Machine, snapshot: Snapshot, signal: Signal, guards: Guards): SignalResult {
  const { body } = signal;
  const isQuestion = body.kind === 'command' && body.command === 'STATUS';
  if (hasEnded(statusOf(machine, snapshot)) && !isQuestion) return { kind: 'noted', note: 'the project has ended' };
  switch (body.kind) {
    case 'command':
      return applyCommand(machine, snapshot, body, signal.by, guards);
    case 'decision':
      return applyDecision(machine, snapshot, signal.by, body, guards);
    case 'notice':
      if (body.visit !== snapshot.visit) return { kind: 'noted', note: 'the state it was meant for has been left' };
      // What the engine does in every state, such as ABORT, is not for notices.
      if (!Object.hasOwn(stateOf(machine, snapshot)?.on ?? {}, body.event)) {
        return { kind: 'noted', note: `${snapshot.state} has no use for ${body.event}` };
      }
      if (snapshot.paused) return { kind: 'later' };
      return byTable(machine, snapshot, { type: body.event, by: signal.by }, guards);
    case 'timer':
      if (body.visit !== snapshot.visit || body.event !== stateOf(machine, snapshot)?.timer?.event) {
        return { kind: 'noted', note: 'the state it was set in has been left' };
      }
      if (snapshot.paused) return { kind: 'noted', note: STANDS_STILL };
      return byTable(machine, snapshot, { type: body.event, by: 'engine' }, guards);
    case 'wake':
      // A parent that is woken looks at its children again.
      if (body.visit !== snapshot.visit || (snapshot.wait?.kind !== 'time' && snapshot.wait?.kind !== 'children')) {
        return { kind: 'noted', note: 'nothing waits for this time any more' };
      }
      return { kind: 'changed', next: { ...snapshot, wait: null } };
    case 'child':
      if (body.visit !== snapshot.visit || snapshot.wait?.kind !== 'children') {
        return { kind: 'noted', note: `nothing waits for ${body.key} any more` };
      }
      return childEnded(snapshot, snapshot.wait.keys, body.key);
    default:
      return assertNever(body);
  }
}

function childEnded(snapshot: Snapshot, keys: readonly string[], key: string): SignalResult {
  if (!keys.includes(key)) return { kind: 'noted', note: `${key} had ended already` };
  const rest = keys.filter((one) => one !== key);
  return {
    kind: 'changed',
    next: { ...snapshot, wait: rest.length > 0 ? { kind: 'children', keys: rest } : null },
  };
}

function applyCommand(
  machine: Machine,
  snapshot: Snapshot,
  { command, visit }: Extract<SignalBody, { kind: 'command' }>,
  by: PrincipalKind,
  guards: Guards,
): SignalResult {
  if (isTableCommand(command) && visit !== snapshot.visit) {
    return { kind: 'noted', note: `the step that ${command} was meant for has ended` };
  }
  const result = commanded(machine, snapshot, command, by, guards);
  return result.kind === 'refused' ? { kind: 'noted', note: result.note } : result;
}

function applyDecision(
  machine: Machine,
  snapshot: Snapshot,
  by: PrincipalKind,
  decision: Extract<SignalBody, { kind: 'decision' }>,
  guards: Guards,
): SignalResult {
  const gate = openGate(machine, snapshot);
  if (gate?.name !== decision.gate || decision.visit !== snapshot.visit) {
    return { kind: 'noted', note: `the gate ${decision.gate} is not open any more` };
  }
  if (by !== 'human') return { kind: 'noted', note: 'only a human principal decides a gate' };
  if (snapshot.paused) return { kind: 'later' };
  const event = Object.hasOwn(gate.options, decision.decision) ? gate.options[decision.decision] : undefined;
  if (event === undefined) return { kind: 'noted', note: `the gate ${gate.name} has no option ${decision.decision}` };
  if (snapshot.wait?.kind === 'effect') {
    if (decision.effect !== undefined && decision.effect !== snapshot.wait.key) {
      return { kind: 'noted', note: 'it was about another effect' };
    }
    const verdict = decision.decision === 'done' ? 'done' : 'repeat';
    const settled: EffectVerdict = { key: snapshot.wait.key, verdict, outcome: decision.answers ?? null };
    return { kind: 'changed', next: { ...snapshot, wait: null }, verdict: settled };
  }
  const data: JsonObject = { ...(decision.feedback && { feedback: decision.feedback }) };
  const patch: JsonObject = {
    decision: { gate: gate.name, decision: decision.decision, ...data, answers: decision.answers ?? null },
  };
  return byTable(machine, snapshot, { type: event, by, data, patch }, guards);
}

function byTable(machine: Machine, snapshot: Snapshot, event: MachineEvent, guards: Guards): SignalResult {
  const result = transition(machine, snapshot, event, guards);
  return result.kind === 'moved' ? result : { kind: 'noted', note: result.message };
}

import type { DecideGate } from '#contracts';
import { applySignal, hasLapsed, type NewEvent, openGate, type SignalBody } from '#engine';
import { secrets, UserError } from '#kernel';
import type { ModeRegistry } from '#modes';
import {
  appendEventOnce, inWorldlyTerms, sendDecisionOnce, toldDecision,
} from '#persistence'; // prettier-ignore
import { standingOf, type StandingParts } from '../../../worker/src/control/standings.js';
import type { Operation, ProjectReads } from '../http/index.js';
import { changedSince } from './changed-since.js';

interface GateParts extends StandingParts {
  readonly modes: Pick<ModeRegistry, 'runnableOf' | 'admitDecision'>;
  readonly reads: Pick<ProjectReads, 'gates'>;
}

interface Answer {
  readonly body: Extract<SignalBody, { kind: 'decision' }> & { readonly id: string };
  readonly event: NewEvent;
  readonly version: number;
}

/** Of what a person says with a decision, as its event has it; the project is given all of it. */
const LONGEST_TOLD = 500;
/** A project that waits moves seldom: whoever is overtaken this often is told to look again. */
const MOST_LOOKS = 5;

/** Takes decisions at gates: of a person, about the question as it stands, and one for each time that it is asked. */
export class GateDesk {
  constructor(private readonly parts: GateParts) {}

  async decide(projectId: string, gate: string, decision: DecideGate, operation: Operation): Promise<void> {
    if (operation.by.principal !== 'human') {
      throw new UserError('HUMAN_REQUIRED', 'deciding a gate needs the API key of a human principal');
    }
    for (let looks = 1; ; looks += 1) {
      const { body, event, version } = await this.answering(projectId, gate, decision, operation);
      const sent = await inWorldlyTerms(() =>
        sendDecisionOnce(this.parts.pool, projectId, operation.by.principal, body, event, version),
      );
      if (sent.kind === 'sent') return;
      if (sent.kind === 'decided') throw await this.decided(projectId, gate, sent);
      if (looks === MOST_LOOKS) throw new UserError('GATE_CHANGED', 'the project moves while you decide: look again');
    }
  }

  /** Leaves word of a decision that was refused, with who made it. */
  async refused(
    projectId: string,
    gate: string,
    { decision, checkpoint }: DecideGate,
    { id, by }: Operation,
    error: unknown,
  ): Promise<void> {
    if (!(error instanceof UserError)) return;
    const { code, message } = error;
    const seen = checkpoint === undefined ? {} : { checkpoint };
    const data = { gate, decision, id, by: by.principal, key: by.keyId, code, why: told(message), ...seen };
    await inWorldlyTerms(() => appendEventOnce(this.parts.pool, projectId, { type: 'gate.refused', data }));
  }

  private async answering(
    projectId: string,
    gate: string,
    { decision, checkpoint, feedback, answers }: DecideGate,
    { id, by }: Operation,
  ): Promise<Answer> {
    await this.mustBeDecidable(projectId, gate);
    const { snapshot, version, runnable, inbox } = await standingOf(this.parts, projectId);
    const open = openGate(runnable.machine, snapshot);
    if (checkpoint !== undefined && checkpoint !== version) {
      const { state } = snapshot;
      throw await changedSince(this.parts.pool, projectId, { from: checkpoint, to: version, state, gate: open?.name });
    }
    if (open?.name !== gate) throw await this.closed(projectId, gate, open?.name);
    if (!Object.hasOwn(open.options, decision)) {
      const options = Object.keys(open.options);
      throw new UserError('DECISION_UNKNOWN', `the gate ${gate} takes ${options.join(', ')}`, { options });
    }
    // What the timer does would come first, and the decision find its question gone: better told now than not heeded.
    if (hasLapsed(runnable.machine, snapshot, inbox, runnable.guards)) {
      throw new UserError('DECISION_NOT_NOW', `the time to decide at ${gate} is over: it goes on by itself at once`);
    }
    const said = { ...(feedback !== undefined && { feedback }), ...(answers !== undefined && { answers }) };
    this.parts.modes.admitDecision(runnable.machine.name, { gate, decision, ...said }, snapshot.context);
    const body = {
      kind: 'decision',
      id,
      gate,
      decision,
      visit: snapshot.visit,
      ...(snapshot.wait?.kind === 'effect' && { effect: snapshot.wait.key }),
      ...said,
    } as const;
    const result = applySignal(runnable.machine, snapshot, { seq: 0, by: by.principal, body }, runnable.guards);
    if (result.kind === 'noted') {
      const { why: reason } = snapshot.context;
      const why = typeof reason === 'string' ? ` (${secrets.redact(reason).slice(0, 1_000)})` : '';
      throw new UserError('DECISION_NOT_NOW', `${decision} would change nothing: ${result.note}${why}`);
    }
    const words = feedback ? { feedback: told(feedback) } : {};
    const data = { gate, decision, id, by: by.principal, key: by.keyId, checkpoint: version, ...words };
    return { body, version, event: { type: 'gate.decided', data } };
  }

  /** Not everything that waits for a person is a gate: a failed step takes a command, a bad checkpoint a restore. */
  private async mustBeDecidable(projectId: string, gate: string): Promise<void> {
    const asked = (await this.parts.reads.gates(projectId)).find(({ name }) => name === gate);
    if (!asked || asked.kind === 'gate' || asked.kind === 'effect') return;
    const { kind, answer } = asked;
    throw new UserError('GATE_NOT_OPEN', `${gate} is not decided here; answer it with ${answer}`, { kind, answer });
  }

  private async closed(projectId: string, gate: string, open: string | undefined): Promise<UserError> {
    const decided = await inWorldlyTerms(() => toldDecision(this.parts.pool, projectId, { gate }));
    const last = decided ? `; the last decision there was ${decided.decision}, at ${decided.at}` : '';
    const message = `the gate ${gate} is not open; ${open ? `open is ${open}` : 'none is'}${last}`;
    return new UserError('GATE_NOT_OPEN', message, { ...(decided && { decided: { ...decided } }) });
  }

  /** Somebody else was first, and the project has yet to hear of it. */
  private async decided(
    projectId: string,
    gate: string,
    { id, decision }: { readonly id: string | undefined; readonly decision: string },
  ): Promise<UserError> {
    const told = await inWorldlyTerms(() => toldDecision(this.parts.pool, projectId, { gate, id }));
    const when = told ? ` at ${told.at}, with the key ${told.key ?? 'of nobody'}` : '';
    const message = `the gate ${gate} has been decided already: ${decision}${when}; it takes effect at once, or with RESUME`;
    return new UserError('GATE_DECIDED', message, { decided: told ? { ...told } : { decision } });
  }
}

/** Cut after it was redacted: half a secret is known for none. */
const told = (text: string): string => secrets.redact(text).slice(0, LONGEST_TOLD);

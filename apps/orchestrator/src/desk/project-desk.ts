import type {
  CommandAccepted,
  Command,
  DecideGate,
  DecisionAccepted,
  MachineView,
  Project,
  StartedProject,
  StartProject,
  VerifyResult,
} from '#contracts';
import { admitCommand, admitUndriven, commandEvent, type Given } from '#control';
import { type NewEvent, openGate } from '#engine';
import { errorMessage, type JsonObject, UserError, WorldError } from '#kernel';
import {
  appendEventOnce,
  type GoodLink,
  inWorldlyTerms,
  nameOf,
  type PgPace,
  type PgRestore,
  sendSignalOnce,
  wasSent,
} from '#persistence';
import { CommandRefused, type CountsCommands, isLimited } from '../../../worker/src/control/command-refused.js';
import type { StatusDesk } from '../../../worker/src/control/status-desk.js';
import { isUndrivable, standingOf } from '../../../worker/src/control/standings.js';
import { machineView, type Operation, type ProjectDesk, type ProjectReads } from '../http/index.js';
import { changedSince, isChanged } from './changed-since.js';
import { forkProject, type ForkParts } from './fork-project.js';
import { GateDesk } from './gate-desk.js';
import { startProject } from './start-project.js';

export interface DeskParts extends ForkParts {
  readonly reads: ProjectReads;
  readonly restore: PgRestore;
  /** Hears of everything that was left for a worker: one in this process need not wait until it looks. */
  readonly onLeft?: () => void;
  readonly counts?: CountsCommands;
  readonly countsDecisions?: (outcome: 'accepted' | 'refused' | 'limited') => void;
  readonly pace?: Pick<PgPace, 'take'>;
  readonly status?: Pick<StatusDesk, 'report'>;
}

/** What the desk sends to a project, and the event that tells of it. */
interface Message {
  readonly body: Parameters<typeof sendSignalOnce>[3];
  readonly event: NewEvent;
}

/** Moves projects on behalf of API callers. It never touches a running project: it leaves a signal, a worker obeys. */
export class EngineProjectDesk implements ProjectDesk {
  constructor(private readonly parts: DeskParts) {}

  async start(order: StartProject, operation: Operation): Promise<StartedProject> {
    await this.once(
      () => startProject(this.parts, order, operation),
      () => this.isThere(operation.id),
    );
    const webhook = await this.parts.webhooks.started(order, operation.id);
    return { ...(await this.asDone(operation.id)), ...(webhook && { webhook }) };
  }

  async command(
    idOrName: string,
    command: Command,
    operation: Operation,
    checkpoint?: number,
  ): Promise<CommandAccepted> {
    const { reads, pool, counts } = this.parts;
    const projectId = await reads.idOf(idOrName);
    const { id, by } = operation;
    const given: Given = { id, command, door: 'api', by: by.principal, key: by.keyId };
    try {
      const tooFast = (await this.parts.pace?.take(projectId, by.keyId)) ?? null;
      // Nobody is kept from giving a project up; but one that cannot be any more is no way around the pace.
      if (tooFast && (command !== 'ABORT' || !(await this.isPermitted(projectId, given)))) throw tooFast;
      if (command === 'STATUS') await this.asked(projectId, given);
      else await this.send(projectId, operation, () => this.permitted(projectId, given, checkpoint));
    } catch (error) {
      const event = await this.untaken(projectId, given, error);
      if (event)
        await inWorldlyTerms(() => appendEventOnce(pool, projectId, { ...event, data: { ...event.data, id } }));
      if (event || isLimited(error)) counts?.('api', event ? 'refused' : 'limited');
      throw error;
    }
    counts?.('api', 'accepted');
    return { id, projectId, command, ...(command === 'STATUS' && (await this.answer(projectId))) };
  }

  async decide(idOrName: string, gate: string, decision: DecideGate, operation: Operation): Promise<DecisionAccepted> {
    const projectId = await this.parts.reads.idOf(idOrName);
    const { pool, pace, countsDecisions } = this.parts;
    const gates = new GateDesk(this.parts);
    try {
      const tooFast = await pace?.take(projectId, operation.by.keyId);
      if (tooFast) throw tooFast;
      await this.once(
        () => gates.decide(projectId, gate, decision, operation),
        () => wasSent(pool, projectId, operation.id),
      );
    } catch (error) {
      if (error instanceof UserError) countsDecisions?.(isLimited(error) ? 'limited' : 'refused');
      if (!isLimited(error)) await gates.refused(projectId, gate, decision, operation, error);
      throw error;
    }
    countsDecisions?.('accepted');
    return { projectId, gate, decision: decision.decision };
  }

  async verify(idOrName: string): Promise<VerifyResult> {
    const projectId = await this.parts.reads.idOf(idOrName);
    const witnesses = await this.parts.keeper.witnesses(projectId);
    const { checked, faults } = await this.parts.checkpoints.verify(projectId, witnesses);
    const [firstBad] = faults;
    return firstBad ? { valid: false, checked, firstBad: { ...firstBad } } : { valid: true, checked };
  }

  async restore(idOrName: string, seq: number, { id: operation, by }: Operation): Promise<Project> {
    const projectId = await this.parts.reads.idOf(idOrName);
    let begun: number | undefined;
    const whileHeld = ({ body }: GoodLink, incarnation: number): Promise<JsonObject> => {
      begun = incarnation;
      return this.parts.keeper.reset(projectId, body.commit, incarnation);
    };
    const wish = { rule: 'asked-by-a-person', pause: true, details: { key: by.keyId }, operation } as const;
    await this.parts.restore.restore({ projectId, seq, ...wish, whileHeld });
    if (begun !== undefined) await this.parts.keeper.settle(projectId, begun);
    this.parts.onLeft?.();
    return this.asDone(projectId);
  }

  async fork(idOrName: string, seq: number, operation: Operation): Promise<Project> {
    const projectId = await this.parts.reads.idOf(idOrName);
    await this.once(
      () => forkProject(this.parts, projectId, seq, operation),
      () => this.isThere(operation.id),
    );
    return this.asDone(operation.id);
  }

  async machines(): Promise<readonly MachineView[]> {
    return this.parts.modes.machines.map(({ machine, mode, isAvailable, needsRepo }) =>
      machineView(machine, { mode, available: isAvailable, needsRepo }),
    );
  }

  private async answer(projectId: string): Promise<Pick<CommandAccepted, 'status'>> {
    const status = await this.parts.status?.report(projectId);
    return status ? { status } : {};
  }

  private async permitted(projectId: string, given: Given, checkpoint?: number): Promise<Message> {
    const { snapshot, inbox, runnable, version } = await standingOf(this.parts, projectId);
    const { machine, guards } = runnable;
    if (checkpoint !== undefined && checkpoint !== version) {
      const gate = openGate(machine, snapshot)?.name;
      throw await changedSince(this.parts.pool, projectId, {
        from: checkpoint,
        to: version,
        state: snapshot.state,
        gate,
      });
    }
    const admission = admitCommand({ machine, guards, snapshot, inbox }, given.command, given.by);
    const event = commandEvent(given, admission);
    if (admission.kind === 'refused') throw new CommandRefused(given.command, admission, event);
    const { id, command } = given;
    return { body: { kind: 'command', id, command, visit: admission.visit }, event };
  }

  private async isPermitted(projectId: string, given: Given): Promise<boolean> {
    return this.permitted(projectId, given).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UserError) return false;
        throw error;
      },
    );
  }

  /** A question is told of and answered here, also where nobody could drive the project: it is for nobody's inbox. */
  private async asked(projectId: string, given: Given): Promise<void> {
    const { state } = await this.parts.reads.get(projectId);
    const { type, data } = commandEvent(given, { kind: 'permitted', state, visit: 0 });
    const event = { type, data: { ...data, id: given.id } };
    await inWorldlyTerms(() => appendEventOnce(this.parts.pool, projectId, event));
  }

  /** What is told of a command that is refused; null where it may be sent again. */
  private async untaken(projectId: string, given: Given, error: unknown): Promise<NewEvent | null> {
    if (error instanceof CommandRefused) return error.event;
    const isStale = isChanged(error);
    if (!isStale && (!isUndrivable(error) || !(error instanceof UserError))) return null;
    const { state } = await this.parts.reads.get(projectId);
    if (isStale) {
      const why = error.message;
      return commandEvent(given, { kind: 'refused', code: 'COMMAND_NOT_ALLOWED', state, why, allowed: [] });
    }
    return commandEvent(given, admitUndriven(given.command, state, errorMessage(error)));
  }

  /** Sends what `message` finds to be in order; once per operation. */
  private send(projectId: string, { id, by }: Operation, message: () => Promise<Message>): Promise<void> {
    const { pool, config } = this.parts;
    const { mostWaiting } = config.steering;
    const send = async (): Promise<void> => {
      const { body, event } = await message();
      await inWorldlyTerms(() => sendSignalOnce(pool, projectId, by.principal, body, event, mostWaiting));
    };
    return this.once(send, () => wasSent(pool, projectId, id));
  }

  /**
   * Whatever is done here does nothing where this operation has done it before. It may be refused by now, or its answer
   * be lost: what counts is that it was done.
   */
  private async once(work: () => Promise<void>, wasDone: () => Promise<boolean>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isDone = await inWorldlyTerms(wasDone).catch((unknown: unknown) => {
        // A refusal is final to whoever hears it: it must not be said of what may have been done.
        throw error instanceof UserError ? unknown : error;
      });
      if (!isDone) throw error;
    }
    this.parts.onLeft?.();
  }

  private async isThere(projectId: string): Promise<boolean> {
    return (await nameOf(this.parts.pool, projectId)) !== null;
  }

  /** The project after something was done to it. If it cannot be shown, that must not sound as if nothing was done. */
  private async asDone(projectId: string): Promise<Project> {
    try {
      return await this.parts.reads.get(projectId);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      throw new WorldError('ANSWER_LOST', `done, and cannot be shown: ${error.message}`, {}, { cause: error });
    }
  }
}

import type {
  CommandAccepted,
  Command,
  DecideGate,
  DecisionAccepted,
  MachineView,
  Project,
  StartProject,
  VerifyResult,
} from '#contracts';
import {
  allowedCommands,
  applySignal,
  initialSnapshot,
  type Machine,
  type NewEvent,
  openGate,
  type RunnableMachine,
  type Snapshot,
} from '#engine';
import { UserError, WorldError } from '#kernel';
import {
  type AnchoredProject,
  type GoodLink,
  inWorldlyTerms,
  isHeld,
  nameOf,
  type PgRestore,
  sendSignalOnce,
  wasSent,
} from '#persistence';
import { machineView, type Operation, type ProjectDesk, type ProjectReads } from '../http/index.js';
import { forkProject, type ForkParts } from './fork-project.js';
import { startProject } from './start-project.js';

export interface DeskParts extends ForkParts {
  readonly reads: ProjectReads;
  readonly restore: PgRestore;
  /** Hears of everything that was left for a worker: one in this process need not wait until it looks. */
  readonly onLeft?: () => void;
}

/** Of what a person says with a decision, as its event has it; the project is given all of it. */
const LONGEST_TOLD = 500;

interface Standing {
  readonly snapshot: Snapshot;
  readonly version: number;
  readonly runnable: RunnableMachine;
}

/** What the desk sends to a project, and the event that tells of it. */
interface Message {
  readonly body: Parameters<typeof sendSignalOnce>[3];
  readonly event: NewEvent;
}

/** Moves projects on behalf of API callers. It never touches a running project: it leaves a signal, a worker obeys. */
export class EngineProjectDesk implements ProjectDesk {
  constructor(private readonly parts: DeskParts) {}

  async start(order: StartProject, operation: Operation): Promise<Project> {
    await this.once(
      () => startProject(this.parts, order, operation),
      () => this.isThere(operation.id),
    );
    return this.asDone(operation.id);
  }

  async command(idOrName: string, command: Command, operation: Operation): Promise<CommandAccepted> {
    const projectId = await this.parts.reads.idOf(idOrName);
    await this.send(projectId, operation, () => this.permitted(projectId, command, operation));
    return { id: operation.id, projectId, command };
  }

  async decide(idOrName: string, gate: string, decision: DecideGate, operation: Operation): Promise<DecisionAccepted> {
    const projectId = await this.parts.reads.idOf(idOrName);
    await this.send(projectId, operation, () => this.answering(projectId, gate, decision, operation));
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
    const whileHeld = async ({ body }: GoodLink): Promise<void> => {
      if (body.commit !== null) await this.parts.keeper.reset(projectId, body.commit);
    };
    const wish = { rule: 'asked-by-a-person', pause: true, details: { key: by.keyId }, operation } as const;
    await this.parts.restore.restore({ projectId, seq, ...wish, whileHeld });
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

  private async permitted(projectId: string, command: Command, { id, by }: Operation): Promise<Message> {
    const { snapshot, runnable } = await this.standing(projectId);
    const allowedTo = (who: typeof by.principal): Command[] =>
      allowedCommands(runnable.machine, snapshot, who, runnable.guards);
    const allowed = allowedTo(by.principal);
    if (!allowed.includes(command)) {
      if (allowedTo('human').includes(command)) {
        const what = `${command} in ${snapshot.state}`;
        throw new UserError('HUMAN_REQUIRED', `${what} needs the API key of a human principal`, { allowed });
      }
      throw new UserError(
        'COMMAND_NOT_ALLOWED',
        `${command} is not allowed in ${snapshot.state} now; allowed: ${allowed.join(', ')}`,
        { allowed, state: snapshot.state },
      );
    }
    const body = { kind: 'command', id, command, visit: snapshot.visit } as const;
    return { body, event: { type: 'command.received', data: { command, id, by: by.principal } } };
  }

  private async answering(
    projectId: string,
    gate: string,
    { decision, checkpoint, feedback, answers }: DecideGate,
    { id, by }: Operation,
  ): Promise<Message> {
    await this.mustBeDecidable(projectId, gate);
    const { snapshot, version, runnable } = await this.standing(projectId);
    const open = openGate(runnable.machine, snapshot);
    if (open?.name !== gate) {
      throw new UserError(
        'GATE_NOT_OPEN',
        `the gate ${gate} is not open; ${open ? `open is ${open.name}` : 'none is'}`,
      );
    }
    if (checkpoint !== undefined && checkpoint !== version) {
      throw new UserError('GATE_CHANGED', `the project has moved on to checkpoint ${String(version)}: look again`, {
        version,
      });
    }
    if (!Object.hasOwn(open.options, decision)) {
      const options = Object.keys(open.options);
      throw new UserError('DECISION_UNKNOWN', `the gate ${gate} takes ${options.join(', ')}`, { options });
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
      const why = typeof snapshot.context['why'] === 'string' ? ` (${snapshot.context['why'].slice(0, 1_000)})` : '';
      throw new UserError('DECISION_NOT_NOW', `${decision} would change nothing: ${result.note}${why}`);
    }
    const words = feedback ? { feedback: feedback.slice(0, LONGEST_TOLD) } : {};
    const data = { gate, decision, id, by: by.principal, key: by.keyId, checkpoint: version, ...words };
    return { body, event: { type: 'gate.decided', data } };
  }

  private async standing(id: string): Promise<Standing> {
    const { pool, checkpoints, config, modes } = this.parts;
    const project = await inWorldlyTerms(() => checkpoints.anchored(pool, id));
    const runnable = await modes.runnableOf(project.machine, project.machine_version);
    try {
      const snapshot = await inWorldlyTerms(() => checkpoints.head(pool, project));
      return { version: project.version, runnable, snapshot };
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'CHECKPOINT_CORRUPT' || isHeld(project)) throw error;
      if (config.onCorrupt === 'hold') {
        const { reason } = error.details;
        const found = { seq: project.version, reason: typeof reason === 'string' ? reason : error.message };
        if (project.lease_worker === null) await this.parts.restore.hold(id, found);
        throw error;
      }
      // The worker that the command wakes applies the rule for bad checkpoints before anything else.
      return { version: project.version, runnable, snapshot: asTheRowSays(runnable.machine, project) };
    }
  }

  /** Not everything that waits for a person is a gate: a failed step takes a command, a bad checkpoint a restore. */
  private async mustBeDecidable(projectId: string, gate: string): Promise<void> {
    const asked = (await this.parts.reads.gates(projectId)).find(({ name }) => name === gate);
    if (!asked || asked.kind === 'gate' || asked.kind === 'effect') return;
    const { kind, answer } = asked;
    throw new UserError('GATE_NOT_OPEN', `${gate} is not decided here; answer it with ${answer}`, { kind, answer });
  }

  /** Sends what `message` finds to be in order; once per operation. */
  private send(projectId: string, { id, by }: Operation, message: () => Promise<Message>): Promise<void> {
    const { pool } = this.parts;
    const send = async (): Promise<void> => {
      const { body, event } = await message();
      await inWorldlyTerms(() => sendSignalOnce(pool, projectId, by.principal, body, event));
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

/** Enough to say what may be commanded when the newest checkpoint cannot be read. No visit is ever that of a step. */
function asTheRowSays(machine: Machine, { state, status, waiting }: AnchoredProject): Snapshot {
  const wait = waiting === null ? null : (JSON.parse(waiting) as Snapshot['wait']);
  return { ...initialSnapshot(machine, {}), state, wait, paused: status === 'paused', visit: 0 };
}

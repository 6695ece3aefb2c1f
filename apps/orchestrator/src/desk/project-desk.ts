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
  initialSnapshot,
  type Machine,
  type NewEvent,
  openGate,
  type RunnableMachine,
  type Snapshot,
} from '#engine';
import { type JsonObject, UserError } from '#kernel';
import {
  type AnchoredProject,
  type GoodLink,
  inWorldlyTerms,
  isHeld,
  type PgRestore,
  sendSignal,
  wasCommanded,
} from '#persistence';
import { machineView, type Operation, type ProjectDesk, type ProjectReads } from '../http/index.js';
import { forkProject, type ForkParts } from './fork-project.js';
import { startProject } from './start-project.js';

export interface DeskParts extends ForkParts {
  readonly reads: ProjectReads;
  readonly restore: PgRestore;
}

interface Standing {
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly version: number;
  readonly runnable: RunnableMachine;
}

/** Moves projects on behalf of API callers. It never touches a running project: it leaves a signal, a worker obeys. */
export class EngineProjectDesk implements ProjectDesk {
  constructor(private readonly parts: DeskParts) {}

  async start(order: StartProject, operation: Operation): Promise<Project> {
    await startProject(this.parts, order, operation);
    return this.parts.reads.get(operation.id);
  }

  async command(idOrName: string, command: Command, { id, by }: Operation): Promise<CommandAccepted> {
    const projectId = await this.parts.reads.idOf(idOrName);
    // Given before: what is allowed by now does not matter, it was allowed then.
    const wasGiven = await inWorldlyTerms(() => wasCommanded(this.parts.pool, projectId, { id, command }));
    if (wasGiven) return { id, projectId, command };
    const { snapshot, runnable } = await this.standing(projectId);
    const allowed = allowedCommands(runnable.machine, snapshot, by.principal, runnable.guards);
    if (!allowed.includes(command)) {
      throw new UserError(
        'COMMAND_NOT_ALLOWED',
        `${command} is not allowed in ${snapshot.state} now; allowed: ${allowed.join(', ')}`,
        { allowed, state: snapshot.state },
      );
    }
    const body = { kind: 'command', id, command, visit: snapshot.visit } as const;
    await this.send(projectId, by.principal, body, {
      type: 'command.received',
      data: { command, id, by: by.principal },
    });
    return { id, projectId, command };
  }

  async decide(idOrName: string, gate: string, decision: DecideGate, { by }: Operation): Promise<DecisionAccepted> {
    await this.mustBeDecidable(idOrName, gate);
    const { id: projectId, snapshot, version, runnable } = await this.standing(idOrName);
    const open = openGate(runnable.machine, snapshot);
    if (open?.name !== gate) {
      throw new UserError(
        'GATE_NOT_OPEN',
        `the gate ${gate} is not open; ${open ? `open is ${open.name}` : 'none is'}`,
      );
    }
    if (decision.checkpoint !== undefined && decision.checkpoint !== version) {
      throw new UserError('GATE_CHANGED', `the project has moved on to checkpoint ${String(version)}: look again`, {
        version,
      });
    }
    if (!Object.hasOwn(open.options, decision.decision)) {
      const options = Object.keys(open.options);
      throw new UserError('DECISION_UNKNOWN', `the gate ${gate} takes ${options.join(', ')}`, { options });
    }
    const body = {
      kind: 'decision',
      gate,
      decision: decision.decision,
      visit: snapshot.visit,
      ...(decision.feedback !== undefined && { feedback: decision.feedback }),
      ...(decision.answers !== undefined && { answers: decision.answers }),
    } as const;
    const data = { gate, decision: decision.decision, by: by.principal, key: by.keyId, checkpoint: version };
    await this.send(projectId, by.principal, body, { type: 'gate.decided', data });
    return { projectId, gate, decision: decision.decision };
  }

  async verify(idOrName: string): Promise<VerifyResult> {
    const projectId = await this.parts.reads.idOf(idOrName);
    const witnesses = await this.parts.keeper.witnesses(projectId);
    const { checked, faults } = await this.parts.checkpoints.verify(projectId, witnesses);
    const [firstBad] = faults;
    return firstBad ? { valid: false, checked, firstBad: { ...firstBad } } : { valid: true, checked };
  }

  async restore(idOrName: string, seq: number, { by }: Operation): Promise<Project> {
    const projectId = await this.parts.reads.idOf(idOrName);
    const details: JsonObject = { key: by.keyId };
    const whileHeld = async ({ body }: GoodLink): Promise<void> => {
      if (body.commit !== null) await this.parts.keeper.reset(projectId, body.commit);
    };
    await this.parts.restore.restore({ projectId, seq, rule: 'asked-by-a-person', pause: true, details, whileHeld });
    return this.parts.reads.get(projectId);
  }

  async fork(idOrName: string, seq: number, operation: Operation): Promise<Project> {
    const projectId = await this.parts.reads.idOf(idOrName);
    await forkProject(this.parts, projectId, seq, operation);
    return this.parts.reads.get(operation.id);
  }

  async machines(): Promise<readonly MachineView[]> {
    return this.parts.modes.machines.map(({ machine, mode, isAvailable, needsRepo }) =>
      machineView(machine, { mode, available: isAvailable, needsRepo }),
    );
  }

  private async standing(idOrName: string): Promise<Standing> {
    const id = await this.parts.reads.idOf(idOrName);
    const { pool, checkpoints, config, modes } = this.parts;
    const project = await inWorldlyTerms(() => checkpoints.anchored(pool, id));
    const runnable = await modes.runnableOf(project.machine, project.machine_version);
    try {
      const snapshot = await inWorldlyTerms(() => checkpoints.head(pool, project));
      return { id, version: project.version, runnable, snapshot };
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'CHECKPOINT_CORRUPT' || isHeld(project)) throw error;
      if (config.onCorrupt === 'hold') {
        const { reason } = error.details;
        const found = { seq: project.version, reason: typeof reason === 'string' ? reason : error.message };
        if (project.lease_worker === null) await this.parts.restore.hold(id, found);
        throw error;
      }
      // The worker that the command wakes applies the rule for bad checkpoints before anything else.
      return { id, version: project.version, runnable, snapshot: asTheRowSays(runnable.machine, project) };
    }
  }

  /** Not everything that waits for a person is a gate: a failed step takes a command, a bad checkpoint a restore. */
  private async mustBeDecidable(idOrName: string, gate: string): Promise<void> {
    const asked = (await this.parts.reads.gates(idOrName)).find(({ name }) => name === gate);
    if (!asked || asked.kind === 'gate' || asked.kind === 'effect') return;
    const { kind, answer } = asked;
    throw new UserError('GATE_NOT_OPEN', `${gate} is not decided here; answer it with ${answer}`, { kind, answer });
  }

  private async send(
    projectId: string,
    by: 'human' | 'service',
    body: Parameters<typeof sendSignal>[3],
    event: NewEvent,
  ): Promise<void> {
    await inWorldlyTerms(() => sendSignal(this.parts.pool, projectId, by, body, event));
  }
}

/** Enough to say what may be commanded when the newest checkpoint cannot be read. No visit is ever that of a step. */
function asTheRowSays(machine: Machine, { state, status, waiting }: AnchoredProject): Snapshot {
  const wait = waiting === null ? null : (JSON.parse(waiting) as Snapshot['wait']);
  return { ...initialSnapshot(machine, {}), state, wait, paused: status === 'paused', visit: 0 };
}

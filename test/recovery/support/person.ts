import { setTimeout as delay } from 'node:timers/promises';
import { EFFECT_GATE, type Machine, openGate, type Snapshot } from '#engine';
import { newId } from '#kernel';
import { PgCheckpoints, sendSignal } from '#persistence';
import type { Lab } from './lab.js';
import { type Move, nextMove } from './route.js';
import { hasHappened } from './witness.js';

export interface Target {
  readonly machine: string;
  readonly state: string;
}

interface Row {
  readonly id: string;
  readonly machine: string;
  readonly machine_version: number;
  readonly state: string;
  readonly status: string;
  readonly lease_worker: string | null;
}

const LOOKS_EVERY_MS = 40;

/**
 * A person who looks at every project, answers what is asked and tells the truth. Steers projects of the target's
 * machine to the target, and everything else, and these afterwards, to a good end.
 */
export class Person {
  private readonly said = new Set<string>();
  private readonly checkpoints: PgCheckpoints;

  constructor(
    private readonly lab: Pick<Lab, 'pool' | 'modes' | 'dataDir'>,
    private readonly target: Target | null = null,
  ) {
    this.checkpoints = new PgCheckpoints(lab.pool, null);
  }

  /**
   * Keeps answering until `isOver` says so. Whoever is `patient` answers only what was given back: an answer that comes
   * before keeps the project with its holder, who then hands nothing over.
   */
  async attend(
    what: string,
    deadlineMs: number,
    isOver: () => boolean | Promise<boolean>,
    { isPatient } = { isPatient: false },
  ): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while (!(await isOver())) {
      if (performance.now() > deadline) throw new Error(`did not happen in time: ${what}\n${await this.overview()}`);
      await this.lookAround(isPatient);
      await delay(LOOKS_EVERY_MS);
    }
  }

  async lookAround(isPatient = false): Promise<void> {
    const { rows } = await this.lab.pool.query<Row>(
      `SELECT id, machine, machine_version, state, status, lease_worker FROM project
       WHERE status NOT IN ('completed', 'aborted', 'failed')`,
    );
    for (const row of rows) {
      const isHeld = (row.status === 'waiting' || row.status === 'blocked') && row.lease_worker !== null;
      if (!isPatient || !isHeld) await this.lookAt(row);
    }
  }

  async hasEnded(): Promise<boolean> {
    const { rowCount } = await this.lab.pool.query(
      `SELECT 1 FROM project WHERE status NOT IN ('completed', 'aborted', 'failed') LIMIT 1`,
    );
    return rowCount === 0;
  }

  private async lookAt(row: Row): Promise<void> {
    const resolved = await this.lab.modes.resolve(row.machine, row.machine_version);
    if (resolved.kind !== 'runnable') throw new Error(resolved.reason);
    const { machine } = resolved.runnable;
    const isGoal = await this.goalOf(machine, row);
    const move = nextMove(machine, row.state, isGoal);
    const isAsked = row.status === 'waiting' || row.status === 'blocked';
    if (!isAsked && move?.kind !== 'command') return;
    const { version } = await this.checkpoints.anchored(this.lab.pool, row.id);
    const { snapshot } = await this.checkpoints.read(this.lab.pool, row.id, version);
    if (snapshot.state === row.state) await this.act(row, machine, snapshot, version, move);
  }

  private async goalOf(machine: Machine, row: Row): Promise<(state: string) => boolean> {
    const { target } = this;
    const isGoodEnd = (state: string): boolean => machine.states[state]?.end === 'completed';
    if (target?.machine !== row.machine || row.state === target.state) return isGoodEnd;
    const { rowCount } = await this.lab.pool.query(
      `SELECT 1 FROM event WHERE project_id = $1 AND type = 'state.entered' AND data::json->>'to' = $2 LIMIT 1`,
      [row.id, target.state],
    );
    return rowCount === 0 ? (state) => state === target.state : isGoodEnd;
  }

  private async act(row: Row, machine: Machine, snapshot: Snapshot, version: number, move: Move | null): Promise<void> {
    const gate = openGate(machine, snapshot);
    const key = `${row.id}/${String(version)}`;
    if (this.said.has(key)) return;
    const { visit } = snapshot;
    if (gate?.name === EFFECT_GATE && snapshot.wait?.kind === 'effect') {
      const isDone = await hasHappened(this.lab, row, snapshot.wait.key);
      await this.decide(row.id, gate.name, isDone ? 'done' : 'repeat', visit);
    } else if (gate && move?.kind === 'decide') {
      await this.decide(row.id, gate.name, move.decision, visit);
    } else if (move?.kind === 'command') {
      const body = { kind: 'command', id: newId(), command: move.command, visit } as const;
      await sendSignal(this.lab.pool, row.id, 'human', body);
    } else return;
    this.said.add(key);
  }

  private async decide(id: string, gate: string, decision: string, visit: number): Promise<void> {
    const data = { gate, decision, by: 'human' };
    const body = { kind: 'decision', gate, decision, visit } as const;
    await sendSignal(this.lab.pool, id, 'human', body, { type: 'gate.decided', data });
  }

  private async overview(): Promise<string> {
    const { rows } = await this.lab.pool.query<Row>(
      `SELECT name, machine, state, status, version, runnable, waiting, lease_worker FROM project`,
    );
    return rows.map((row) => JSON.stringify(row)).join('\n');
  }
}

import {
  type Command,
  COMMANDS,
  hasEnded,
  initialSnapshot,
  isRunnable,
  type Machine,
  openGate,
  type RunnerPolicy,
  silentProbe,
  statusOf,
  Worker,
} from '#engine';
import { readBody, snapshotOf } from '#checkpoints';
import { codingMachine, drillMachine, drillMode, ModeRegistry } from '#modes';
import { idFromName, type JsonObject } from '#kernel';
import type { MemoryStore } from '../memory/index.js';
import { ENGINE_SABOTAGES, withFaultyRunners } from './engine-sabotage.js';
import { type Faults, overBadLine, SimQueue } from './faulty-ports.js';
import { type Acknowledged, brokenInvariants } from './invariants.js';
import { OutsideWorld } from './outside-world.js';
import { Random } from './random.js';
import { beginRehearsal, rehearsedCoding } from './rehearsed-coding.js';
import { type Sabotage, sabotaged, sabotagedLeftBehind, sabotagedStore } from './sabotage.js';
import { Scheduler, type SimProcess } from './scheduler.js';
import { SimScratch } from './sim-scratch.js';

export interface History {
  readonly seed: number;
  readonly steps: number;
  readonly crashes: number;
  readonly takeovers: number;
  readonly stale: number;
  readonly completed: number;
  /** Coding projects among them. */
  readonly completedCoding: number;
  readonly broken: readonly string[];
}

const POLICY: RunnerPolicy = { abortDeadlineMs: 50, stepRetries: 3, stepBackoffMs: 10, checkpointEveryMs: 400 };
/** Far beyond what any history needs: one that gets here does not end. */
const MAX_STEPS = 30_000;
/** How many of the projects are of coding mode; the others are drills. */
const CODING = 0.3;
const MACHINES = new Map([drillMachine, codingMachine].map((machine): [string, Machine] => [machine.name, machine]));

interface Beginning {
  readonly machine: Machine;
  readonly context: JsonObject;
}

/**
 * One history of the engine in a simulated world: several workers, one person, and everything going wrong that can.
 * The engine's own code runs unchanged; only its ports are simulated. The same seed replays exactly.
 */
export async function simulate(seed: number, sabotage?: Sabotage): Promise<History> {
  const world = new SimulatedWorld(seed, sabotage);
  const fault = ENGINE_SABOTAGES.find((one) => one === sabotage);
  return fault === undefined ? world.live() : withFaultyRunners(fault, () => world.live());
}

class SimulatedWorld {
  private readonly random: Random;
  private readonly scheduler: Scheduler;
  private readonly store: MemoryStore;
  private readonly outside: OutsideWorld;
  private readonly queue: SimQueue;
  private readonly faults: Faults;
  private readonly acknowledged: Acknowledged[] = [];
  private readonly workers = new Map<SimProcess, Worker>();
  private databaseOffset = 0;
  private crashesLeft: number;
  private stallsLeft: number;
  private jumpsLeft: number;
  private commandsLeft: number;
  private crashes = 0;
  private nextWorker = 1;

  constructor(
    private readonly seed: number,
    private readonly sabotage?: Sabotage,
  ) {
    this.random = new Random(seed);
    this.scheduler = new Scheduler(this.random);
    this.store = sabotagedStore(() => this.scheduler.now + this.databaseOffset, sabotage);
    this.outside = new OutsideWorld(this.store, this.scheduler, this.random);
    const wild = this.random.next();
    this.faults = { away: 0.02 * wild, answerLost: 0.03 * wild, wakeUpLost: 0.3 * wild, wakeUpDoubled: 0.3 * wild };
    this.queue = new SimQueue(this.random, this.faults);
    this.crashesLeft = this.random.below(6);
    this.stallsLeft = this.random.below(4);
    this.jumpsLeft = this.random.below(3);
    this.commandsLeft = this.random.below(4);
  }

  async live(): Promise<History> {
    const projects = this.random.between(1, 2);
    for (let n = 1; n <= projects; n += 1) this.begin(n);
    for (let n = this.random.between(1, 3); n > 0; n -= 1) this.startWorker();
    while (!this.isOver() && this.scheduler.steps < MAX_STEPS) {
      this.disturb();
      this.deliver();
      this.personActs();
      if (!(await this.scheduler.turn())) break;
    }
    for (const process of this.workers.keys()) this.scheduler.kill(process);
    const all = [...this.store.projects.values()];
    const completed = all.filter(({ facts, status }) => facts.parent === null && status === 'completed');
    return {
      seed: this.seed,
      steps: this.scheduler.steps,
      crashes: this.crashes,
      takeovers: all.flatMap((project) => project.events).filter((event) => event.type === 'project.taken-over').length,
      stale: this.store.staleWrites.length,
      completed: completed.length,
      completedCoding: completed.filter(({ facts }) => facts.machine === codingMachine.name).length,
      broken: brokenInvariants(this.store, this.outside, this.acknowledged),
    };
  }

  private isOver(): boolean {
    return [...this.store.projects.values()].every((project) => hasEnded(project.status));
  }

  private begin(number: number): void {
    const { machine: table, context } = this.random.chance(CODING) ? this.codingProject() : this.drill();
    const snapshot = initialSnapshot(table, context);
    const { name: machine, version: machineVersion } = table;
    this.store.create({
      facts: {
        id: idFromName(`${String(this.seed)}/${String(number)}`), name: `sim-${String(number)}`, machine, machineVersion,
        request: 'simulated', parameters: { coolMs: 50 }, repo: null, parent: null, startedBy: 'human', traceparent: null,
      },
      snapshot,
      status: statusOf(table, snapshot),
      runnable: isRunnable(table, snapshot),
    }); // prettier-ignore
  }

  private codingProject(): Beginning {
    return { machine: codingMachine, context: beginRehearsal(this.random) };
  }

  private drill(): Beginning {
    const mode = drillMode(new SimScratch(this.outside, this.scheduler, this.scheduler.process('nobody')));
    const parameters = { rounds: this.random.between(1, 2), width: this.random.between(1, 3) };
    return { machine: mode.machine, context: mode.begin(parameters, { approval: this.random.chance(0.5) }, {}) };
  }

  private startWorker(): void {
    const { scheduler, random, faults } = this;
    const owner = scheduler.process(`w${String(this.nextWorker++)}`);
    const line = sabotaged(overBadLine(this.store, { scheduler, owner, random, faults }), this.sabotage);
    const scratch = new SimScratch(this.outside, scheduler, owner);
    const machines = new ModeRegistry([drillMode(scratch), rehearsedCoding(scratch)], [], {
      keep: async (_machine, hash) => hash,
      find: async () => ({ kind: 'unknown' }),
    });
    const worker = new Worker(
      {
        store: this.acknowledging(line),
        workers: line,
        queue: this.queue.seenBy(scheduler, owner),
        machines,
        leftBehind: sabotagedLeftBehind(this.outside, this.sabotage),
        corruption: { apply: async () => false },
        clock: scheduler.clock(owner),
        probe: silentProbe,
      },
      {
        id: owner.id, maxActive: 100, leaseMs: 120, heartbeatMs: 30, timerMs: 15, relayMs: 10, reconcileMs: 40,
        runner: POLICY,
      },
    ); // prettier-ignore
    this.workers.set(owner, worker);
    const starting = async (): Promise<void> => {
      for (;;) {
        try {
          return await worker.start();
        } catch {
          await scheduler.after(owner, 10);
        }
      }
    };
    void starting();
  }

  /** Writes down what a worker was told is done. */
  private acknowledging(store: MemoryStore): MemoryStore {
    const write: MemoryStore['write'] = async (lease, one) => {
      const result = await store.write(lease, one);
      if (result.kind === 'written' && one.next) {
        const { version, cause } = one.next;
        this.acknowledged.push({ projectId: lease.projectId, version, cause, epoch: lease.epoch });
      }
      return result;
    };
    return new Proxy(store, {
      get: (target, name) => (name === 'write' ? write : (Reflect.get(target, name) as unknown)),
    });
  }

  private disturb(): void {
    const alive = [...this.workers.keys()].filter((process) => process.isAlive);
    if (this.crashesLeft > 0 && this.random.chance(0.01) && alive.length > 0) {
      this.crashesLeft -= 1;
      this.crashes += 1;
      const victim = this.random.pick(alive);
      this.scheduler.kill(victim);
      this.workers.delete(victim);
      this.startWorker();
    }
    if (this.stallsLeft > 0 && this.random.chance(0.01) && alive.length > 0) {
      this.stallsLeft -= 1;
      this.random.pick(alive).stalledUntil = this.scheduler.now + this.random.between(20, 400);
    }
    if (this.jumpsLeft > 0 && this.random.chance(0.01) && alive.length > 0) {
      this.jumpsLeft -= 1;
      const jump = this.random.pick([3_600_000, -60, 86_400_000, 150]);
      if (this.random.chance(0.5)) this.databaseOffset += jump;
      else this.random.pick(alive).clockOffset += jump;
    }
  }

  private deliver(): void {
    if (this.queue.waiting.length === 0 || !this.random.chance(0.5)) return;
    const projectId = this.queue.take();
    const alive = [...this.workers].filter(([process]) => process.isAlive);
    if (projectId === undefined || alive.length === 0) return;
    const [, worker] = this.random.pick(alive);
    worker.wake(projectId).catch(() => undefined);
  }

  /** A person answers open gates truthfully, resumes what is paused, retries what failed, and now and then interferes. */
  private personActs(): void {
    if (!this.random.chance(0.05)) return;
    const projects = [...this.store.projects.values()].filter((project) => !hasEnded(project.status));
    if (projects.length === 0) return;
    const project = this.random.pick(projects);
    const link = project.links.at(-1);
    const body = link && readBody(link);
    const isAnswered = project.signals.some((signal) => !signal.consumed) && project.status !== 'paused';
    if (!body || isAnswered) return;
    const snapshot = snapshotOf(body, {});
    const { id } = project.facts;
    const command = (name: Command): void =>
      this.store.signal(id, 'human', {
        kind: 'command',
        id: `c${String(this.scheduler.steps)}`,
        command: name,
        visit: snapshot.visit,
      });
    const machine = MACHINES.get(project.facts.machine);
    if (snapshot.paused && project.facts.parent === null) return command('RESUME');
    if (snapshot.wait?.kind === 'step-failed') return command('RETRY');
    const gate = machine ? openGate(machine, snapshot) : null;
    if (gate) {
      const key = snapshot.wait?.kind === 'effect' ? `${id}/${snapshot.wait.key}` : null;
      const truth = key !== null && this.outside.announcements.has(key) ? 'done' : 'repeat';
      const [likely = '', ...others] = Object.keys(gate.options);
      const decision = key === null ? this.random.pick([likely, likely, likely, ...others]) : truth;
      this.store.signal(id, 'human', { kind: 'decision', gate: gate.name, decision, visit: snapshot.visit });
    } else if (this.commandsLeft > 0 && project.facts.parent === null && this.random.chance(0.2)) {
      this.commandsLeft -= 1;
      command(this.random.pick(COMMANDS));
    }
  }
}

import {
  assertNever, canonicalJson, EngineBug, type Json, type JsonObject, sha256Hex, UserError, WorldError,
} from '#kernel'; // prettier-ignore
import {
  type Machine, machineFaults, machineId, type MachineRegistry, type ResolvedMachine, type RunnableMachine,
  wordFaults,
} from '#engine'; // prettier-ignore
import type { Mode, PlannedMode, SaidDecision } from './mode.js';

/** Keeps every table that a project ever began with. */
export interface MachineArchive {
  /** Stores the table if it is new; answers with the hash that is stored for this name and version. */
  keep(machine: Machine, hash: string): Promise<string>;
  find(name: string, version: number): Promise<ArchivedMachine>;
}

export type ArchivedMachine =
  | { readonly kind: 'found'; readonly machine: Machine }
  | { readonly kind: 'unknown' }
  /** What is stored is not what was kept. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** The modes this service offers and the machines behind them; refuses to boot on a machine that could not run. */
export class ModeRegistry implements MachineRegistry {
  private readonly runnable = new Map<string, RunnableMachine>();
  private readonly old = new Map<string, ResolvedMachine>();

  constructor(
    private readonly modes: readonly Mode[],
    readonly planned: readonly PlannedMode[],
    private readonly archive: MachineArchive,
  ) {
    for (const one of modes.flatMap((mode): RunnableMachine[] => [mode, ...mode.childMachines])) {
      if (this.runnable.has(one.machine.name)) throw refusal([`two machines are named ${one.machine.name}`]);
      this.runnable.set(one.machine.name, one);
    }
    const faults = [
      ...[...this.runnable.values()].flatMap((one) => [
        ...machineFaults(one.machine, providedBy(one)),
        ...wordFaults(one.machine),
      ]),
      ...planned.flatMap(({ machine }) => (machine ? [...machineFaults(machine), ...wordFaults(machine)] : [])),
    ];
    if (faults.length > 0) throw refusal(faults);
  }

  /** Puts today's tables into the archive. A table that changed without a new version would re-route what runs: refused. */
  async open(): Promise<void> {
    for (const { machine } of this.runnable.values()) {
      const hash = sha256Hex(canonicalJson(machine as unknown as Json));
      const kept = await this.archive.keep(machine, hash);
      if (kept !== hash) throw refusal([`${machineId(machine)} was changed without a new version`]);
    }
  }

  get names(): readonly string[] {
    return this.modes.map((mode) => mode.name);
  }

  get machines(): readonly { machine: Machine; mode: string; isAvailable: boolean; needsRepo: boolean }[] {
    return [
      ...this.modes.map(({ machine, name, needsRepo }) => ({ machine, mode: name, isAvailable: true, needsRepo })),
      ...this.planned.flatMap(({ machine, name }) =>
        machine ? [{ machine, mode: name, isAvailable: false, needsRepo: true }] : [],
      ),
    ];
  }

  mode(name: string): Mode {
    const mode = this.modes.find((one) => one.name === name);
    if (mode) return mode;
    const known = { available: this.names };
    const there = `available: ${this.names.join(', ')}`;
    if (this.planned.some((one) => one.name === name)) {
      throw new UserError('MODE_NOT_AVAILABLE', `the mode ${name} is not available in this version; ${there}`, known);
    }
    throw new UserError('MODE_UNKNOWN', `there is no mode ${name}; ${there}`, known);
  }

  /** Whether the mode of this machine can do something with what a person says. */
  admitDecision(machine: string, said: SaidDecision, context: JsonObject): void {
    this.modes.find((mode) => mode.machine.name === machine)?.admitDecision?.(said, context);
  }

  /** The states in which something is done, for a plan of those who have no tasks. A machine that nobody here knows has none. */
  async stepsOf(name: string, version: number): Promise<readonly string[]> {
    if (this.modes.some(({ machine, hasTasks }) => machine.name === name && hasTasks === true)) return [];
    const resolved = await this.resolve(name, version);
    if (resolved.kind !== 'runnable') return [];
    const { states } = resolved.runnable.machine;
    return Object.entries(states).flatMap(([step, state]) => (state.do !== undefined && !state.end ? [step] : []));
  }

  newest(name: string): RunnableMachine | undefined {
    return this.runnable.get(name);
  }

  async resolve(name: string, version: number): Promise<ResolvedMachine> {
    const today = this.runnable.get(name);
    if (today?.machine.version === version) return { kind: 'runnable', runnable: today };
    const id = machineId({ name, version });
    const known = this.old.get(id);
    if (known) return known;
    const archived = await this.archive.find(name, version);
    switch (archived.kind) {
      case 'unknown':
        return { kind: 'unavailable', reason: `${id} was never seen by this service` };
      case 'damaged':
        return { kind: 'unavailable', reason: archived.reason };
      case 'found': {
        const resolved = this.adopt(archived.machine, today);
        this.old.set(id, resolved);
        return resolved;
      }
      default:
        return assertNever(archived);
    }
  }

  /** The machine, for those who can do nothing without it. */
  async runnableOf(name: string, version: number): Promise<RunnableMachine> {
    const resolved = await this.resolve(name, version);
    if (resolved.kind === 'runnable') return resolved.runnable;
    throw new WorldError(
      'MACHINE_UNAVAILABLE',
      `the project waits for a version of the service that can run it: ${resolved.reason}`,
    );
  }

  /** An old table runs on today's activities as long as these still have every name that it uses. */
  private adopt(machine: Machine, today: RunnableMachine | undefined): ResolvedMachine {
    if (!today) return { kind: 'unavailable', reason: `this version of the service has no machine ${machine.name}` };
    const faults = machineFaults(machine, providedBy(today));
    if (faults.length > 0) return { kind: 'unavailable', reason: faults.join('; ') };
    return { kind: 'runnable', runnable: { ...today, machine } };
  }
}

const providedBy = ({ activities, guards }: RunnableMachine): { activities: Set<string>; guards: Set<string> } => ({
  activities: new Set(Object.keys(activities)),
  guards: new Set(Object.keys(guards)),
});

const refusal = (faults: readonly string[]): EngineBug =>
  new EngineBug('MACHINE_REFUSED', `the service cannot start:\n  ${faults.join('\n  ')}`, { faults });

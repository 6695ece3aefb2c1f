import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '#kernel';
import type { Random } from '#testing';
import { Api } from '../../harness/api.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { Fire } from '../../harness/under-fire.main.js';
import type { Lab } from './lab.js';

const ROLES: readonly Fire['role'][] = ['orchestrator', 'worker', 'worker'];
const ENVIRONMENT = { QRALPH_WORKER: 'off' };

/**
 * Three processes of the service under a seeded storm. Each act is chosen by the seed alone; when it strikes is up to
 * the machine it runs on. Calls of the API that meet a dead orchestrator are expected to fail, and counted.
 */
export class Chaos {
  readonly tally: Record<string, number> = {};
  /** Every project that the API acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Verifications that found a sound chain unsound. */
  readonly slander: unknown[] = [];
  private services: ServiceProcess[] = [];
  private readonly continuing = new Set<Promise<void>>();

  constructor(
    private readonly lab: Lab,
    private readonly random: Random,
    private readonly key: string,
  ) {}

  async begin(projects: number): Promise<void> {
    this.services = await Promise.all(ROLES.map((role) => this.lab.process({ role }, ENVIRONMENT)));
    for (let n = 0; n < projects; n += 1) await this.startProject();
  }

  async strike(): Promise<void> {
    const acts = [
      () => this.killAndReplace('SIGKILL'),
      () => this.killAndReplace('SIGKILL'),
      () => this.killAndReplace('SIGTERM'),
      () => this.stopForAWhile(),
      () => this.stopForAWhile(),
      () => this.startProject(),
      () => this.command(),
      () => this.command(),
      () => this.verify(),
    ];
    await this.random.pick(acts)();
    await delay(this.random.between(50, 700));
  }

  /** Everything that was stopped goes on. */
  async calm(): Promise<void> {
    await Promise.all(this.continuing);
    const { rows } = await this.lab.pool.query<{ id: string }>(`SELECT id FROM project WHERE status = 'paused'`);
    for (const { id } of rows) await this.api().command(id, 'RESUME');
  }

  private api(): Api {
    return new Api(this.services[0]?.url ?? '', this.key);
  }

  private count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }

  private async killAndReplace(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const nth = this.random.below(ROLES.length);
    const role = ROLES[nth] ?? 'worker';
    this.count(`${signal} ${role}`);
    // Whoever is stopped cannot hear SIGTERM.
    this.services[nth]?.child.kill('SIGCONT');
    await this.services[nth]?.kill(signal);
    const replacement = await this.lab.process({ role }, ENVIRONMENT);
    this.services = this.services.with(nth, replacement);
  }

  private async stopForAWhile(): Promise<void> {
    const nth = this.random.between(1, ROLES.length - 1);
    const ms = this.random.between(100, 3_000);
    const child = this.services[nth]?.child;
    this.count('SIGSTOP worker');
    child?.kill('SIGSTOP');
    const continued = delay(ms).then(() => {
      child?.kill('SIGCONT');
      this.continuing.delete(continued);
    });
    this.continuing.add(continued);
  }

  /** Asks until it is acknowledged, always with the same key: it must be one project in the end. */
  private async startProject(): Promise<void> {
    const key = newId();
    const { random } = this;
    const parameters = {
      rounds: random.between(1, 3),
      width: random.between(1, 3),
      workMs: random.pick([0, 20, 200, 600]),
      coolMs: random.pick([0, 50, 500]),
    };
    const gates = { approval: random.chance(0.5) };
    await this.attempt('start', async () => {
      const { id } = await this.api().startDrill({ parameters, gates }, { 'idempotency-key': key });
      this.acknowledged.add(id);
    });
  }

  private async command(): Promise<void> {
    if (this.acknowledged.size === 0) return;
    const id = this.random.pick([...this.acknowledged]);
    const command = this.random.pick(['PAUSE', 'RESUME', 'RESUME', 'SKIP', 'STATUS', 'ABORT'] as const);
    await this.attempt(command, () => this.api().command(id, command));
  }

  private async verify(): Promise<void> {
    if (this.acknowledged.size === 0) return;
    const id = this.random.pick([...this.acknowledged]);
    await this.attempt('verify', async () => {
      const result = await this.api().verify(id);
      if (!result.valid) this.slander.push({ id, ...result });
    });
  }

  private async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    const isDone = await work().then(
      () => true,
      () => false,
    );
    this.count(isDone ? what : `${what} refused`);
  }
}

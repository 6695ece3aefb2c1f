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
 * the machine it runs on. Calls of the API that meet a dead orchestrator may fail: they are counted.
 */
export class Chaos {
  readonly tally: Record<string, number> = {};
  /** Every project that the API acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Verifications that found a sound chain unsound. */
  readonly slander: unknown[] = [];
  private services: ServiceProcess[] = [];
  private readonly beingReplaced = new Set<number>();
  private readonly underWay: Promise<void>[] = [];
  private lastRefusal = '';
  /** How many projects there must be in the end. */
  orders = 0;

  constructor(
    private readonly lab: Lab,
    private readonly random: Random,
    private readonly key: string,
  ) {}

  async begin(projects: number): Promise<void> {
    this.services = await Promise.all(ROLES.map((role) => this.lab.process({ role }, ENVIRONMENT)));
    for (let n = 0; n < projects; n += 1) this.startProject();
  }

  async strike(): Promise<void> {
    const acts: readonly (() => void | Promise<void>)[] = [
      () => this.killAndReplace('SIGKILL'),
      () => this.killAndReplace('SIGKILL'),
      () => this.killAndReplace('SIGTERM'),
      () => this.stopForAWhile(),
      () => this.stopForAWhile(),
      () => this.startProject(),
      () => this.command(),
      () => this.command(),
      () => this.command(),
      () => this.verify(),
    ];
    await this.random.pick(acts)();
    await delay(this.random.between(50, 700));
  }

  /** Whoever was killed is replaced, whoever was stopped or paused goes on. */
  async calm(): Promise<void> {
    await Promise.all(this.underWay);
    const { rows } = await this.lab.pool.query<{ id: string }>(`SELECT id FROM project WHERE status = 'paused'`);
    for (const { id } of rows) await this.api().command(id, 'RESUME');
  }

  private api(): Api {
    return new Api(this.services[0]?.url ?? '', this.key);
  }

  private count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }

  /** The storm goes on while the replacement starts. */
  private killAndReplace(signal: 'SIGKILL' | 'SIGTERM'): void {
    const nth = this.random.pick([0, 1, 1, 2, 2]);
    const victim = this.services[nth];
    const role = ROLES[nth] ?? 'worker';
    if (!victim || this.beingReplaced.has(nth)) return;
    this.count(`${signal} ${role}`);
    this.beingReplaced.add(nth);
    this.later(async () => {
      // Whoever is stopped cannot hear SIGTERM.
      victim.child.kill('SIGCONT');
      await victim.kill(signal);
      const next = await this.lab.process({ role }, ENVIRONMENT);
      this.services = this.services.with(nth, next);
      this.beingReplaced.delete(nth);
    });
  }

  private stopForAWhile(): void {
    const nth = this.random.between(1, ROLES.length - 1);
    const ms = this.random.between(100, 3_000);
    const child = this.services[nth]?.child;
    this.count('SIGSTOP worker');
    child?.kill('SIGSTOP');
    this.later(async () => {
      await delay(ms);
      child?.kill('SIGCONT');
    });
  }

  private later(work: () => Promise<void>): void {
    this.underWay.push(work());
  }

  /** Asks until it is acknowledged, always with the same key: it must be one project in the end. */
  private startProject(): void {
    const { random } = this;
    const headers = { 'idempotency-key': newId() };
    const parameters = {
      rounds: random.between(1, 4),
      width: random.between(1, 3),
      workMs: random.pick([0, 50, 300, 800]),
      coolMs: random.pick([0, 50, 500]),
    };
    const order = { parameters, gates: { approval: random.chance(0.5) } };
    this.orders += 1;
    this.later(async () => {
      // A request whose server was killed midway keeps its key for some seconds.
      for (let tries = 0; tries < 150; tries += 1) {
        const isDone = await this.attempt('start', async () => {
          this.acknowledged.add((await this.api().startDrill(order, headers)).id);
        });
        if (isDone) return;
        await delay(200);
      }
      throw new Error(`a start was never acknowledged; at last: ${this.lastRefusal}`);
    });
  }

  private async command(): Promise<void> {
    const id = await this.oneThatLives();
    const command = this.random.pick(['PAUSE', 'PAUSE', 'RESUME', 'SKIP', 'STATUS', 'ABORT'] as const);
    if (id === undefined) return;
    await this.attempt(command, () => this.api().command(id, command));
  }

  private async oneThatLives(): Promise<string | undefined> {
    const chosen = this.random.below(1_000);
    const { rows } = await this.lab.pool.query<{ id: string }>(
      `SELECT id FROM project WHERE parent_id IS NULL AND status NOT IN ('completed', 'aborted') ORDER BY id`,
    );
    return rows[chosen % rows.length]?.id;
  }

  private async verify(): Promise<void> {
    const id = await this.oneThatLives();
    if (id === undefined) return;
    await this.attempt('verify', async () => {
      const result = await this.api().verify(id);
      if (!result.valid) this.slander.push({ id, ...result });
    });
  }

  private async attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
    const isDone = await work().then(
      () => true,
      (error: unknown) => {
        this.lastRefusal = String(error);
        return false;
      },
    );
    this.count(isDone ? what : `${what} in vain`);
    return isDone;
  }
}

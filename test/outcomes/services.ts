import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelCall, type ModelServer, type Reply, startModelServer, tempFolder, type TempFolder } from '#testing';
import { Api } from '../harness/api.js';
import { type ServiceProcess, startProcess } from '../harness/service-process.js';
import type { CaseProtocol, OutcomeCase } from './cases/case.js';
import { ScriptedModel } from './model/scripted-model.js';
import type { Skill } from './model/skill.js';
import type { Tier } from './targets/target.js';

const KEY = 'sk-ant-outcomes-0123456789abcdefghijklmnop';
const TIERS: readonly Tier[] = ['small', 'medium', 'large'];
/** USD for a million tokens. */
const PRICES: Readonly<Record<Tier, { input: number; output: number }>> = {
  small: { input: 0.1, output: 0.5 },
  medium: { input: 2, output: 10 },
  large: { input: 5, output: 25 },
};

const PROVIDERS: Readonly<Record<CaseProtocol, (url: string) => Readonly<Record<string, string>>>> = {
  anthropic: (url) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }),
  openai: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
  none: () => ({}),
};

/** One service per protocol, started when the first case needs it, and one server for all models. */
export class OutcomeServices {
  private readonly models = new Map<string, ScriptedModel>();
  private readonly calls = new Map<string, number>();
  private readonly running = new Map<CaseProtocol, Promise<{ process: ServiceProcess; api: Api }>>();

  private constructor(
    private readonly folder: TempFolder,
    private readonly server: ModelServer,
  ) {}

  static async open(cases: readonly OutcomeCase[]): Promise<OutcomeServices> {
    const folder = tempFolder('outcomes');
    const server = await startModelServer([], { key: KEY });
    const services = new OutcomeServices(folder, server);
    server.use((call) => services.answer(call));
    await writeFile(join(folder.path, 'prices.json'), JSON.stringify(pricesOf(cases)));
    return services;
  }

  get path(): string {
    return this.folder.path;
  }

  async api(protocol: CaseProtocol): Promise<Api> {
    const known = this.running.get(protocol) ?? this.start(protocol);
    this.running.set(protocol, known);
    return (await known).api;
  }

  /** The models of a case: each tier has a name of its own, so that a call tells whose it is. */
  hire({
    name,
    protocol,
    job,
    does,
    believes,
    claims,
    isStepwise,
    mistakes,
  }: OutcomeCase): Readonly<Record<Tier, string>> {
    const { target } = job;
    const task = { ...job.task, ...believes };
    const { right } = task;
    const skill: Skill = {
      target,
      task,
      does: { small: right, medium: right, large: right, ...does },
      claims,
      isStepwise,
      mistakes,
    };
    this.models.set(name, new ScriptedModel(skill));
    const named = (tier: Tier): string => `${protocol}:${name}-${tier}`;
    return { small: named('small'), medium: named('medium'), large: named('large') };
  }

  callsOf(name: string): number {
    return this.calls.get(name) ?? 0;
  }

  async close(): Promise<void> {
    const started = await Promise.allSettled(this.running.values());
    for (const one of started) if (one.status === 'fulfilled') await one.value.process.kill('SIGTERM');
    await this.server.stop();
    await this.folder.remove();
  }

  private async start(protocol: CaseProtocol): Promise<{ process: ServiceProcess; api: Api }> {
    const dataDir = join(this.folder.path, `data-${protocol}`);
    const env = {
      QRALPH_REPO_ROOTS: this.folder.path,
      QRALPH_PRICES: join(this.folder.path, 'prices.json'),
      QRALPH_LEASE_MS: '10000',
      ...PROVIDERS[protocol](this.server.url),
    };
    const process = await startProcess({ role: 'orchestrator' }, { dataDir, env, readyWithinMs: 90_000 });
    return { process, api: await Api.ofDataDir(process.url, dataDir) };
  }

  private answer(call: ModelCall): Reply {
    const name = call.model.replace(/-(?:small|medium|large)$/, '');
    this.calls.set(name, this.callsOf(name) + 1);
    const model = this.models.get(name);
    if (model) return model.answer(call);
    return { fault: { kind: 'status', status: 404, words: `There is no model ${call.model}.` } };
  }
}

const pricesOf = (cases: readonly OutcomeCase[]): object => ({
  version: 'outcomes',
  prices: cases.flatMap(({ name, protocol }) =>
    protocol === 'none'
      ? []
      : TIERS.map((tier) => ({
          model: `${protocol}:${name}-${tier}`,
          from: '2025-01-01',
          context: 200_000,
          ...PRICES[tier],
        })),
  ),
});

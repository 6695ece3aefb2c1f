import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProjectEvent, StartedProject } from '#contracts';
import { type ModelServer, type Reply, startModelServer, tempFolder, type TempFolder } from '#testing';
import { DemoRepository } from '../../apps/orchestrator/src/demo/demo-repository.js';
import { Api } from '../harness/api.js';
import { ErrandServer } from './errand-helpers.js';
import { type ServiceProcess, startProcess } from '../harness/service-process.js';
import type { Fire } from '../harness/under-fire.main.js';

const run = promisify(execFile);

/** The key of the pretended provider: nobody but the service may ever see it. */
export const PROVIDER_KEY = 'sk-ant-e2e-0123456789abcdefghijklmnop';

/** How a service is told of the pretended provider. */
const PROVIDERS = {
  anthropic: (url: string) => ({ ANTHROPIC_API_KEY: PROVIDER_KEY, ANTHROPIC_BASE_URL: url }),
  openai: (url: string) => ({ OPENAI_API_KEY: PROVIDER_KEY, OPENAI_BASE_URL: `${url}/v1` }),
};

const module = (body: string): string => `export function toggle(theme) {\n  ${body}\n}\n`;

const DONE = 'toggle(theme) with its test';

/** An implementer that writes a module with its test, runs the tests and finishes: four chats. */
export const GOOD_WORK: readonly Reply[] = [
  { text: 'I look around.', toolCalls: [{ name: 'list_files', input: {} }] },
  {
    text: 'I write it.',
    toolCalls: [
      {
        name: 'write_file',
        input: { path: 'theme.mjs', content: module("return theme === 'light' ? 'dark' : 'light';") },
      },
      {
        name: 'write_file',
        input: {
          path: 'theme.test.mjs',
          content:
            "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { toggle } from './theme.mjs';\n\n" +
            "test('light becomes dark', () => assert.equal(toggle('light'), 'dark'));\n",
        },
      },
    ],
  },
  { text: 'Does it work?', toolCalls: [{ name: 'run', input: { command: 'node --test' } }] },
  {
    text: 'Done.',
    toolCalls: [{ name: 'finish', input: { summary: DONE, output: { outcome: 'done', summary: DONE } } }],
  },
];

/** A service with a pretended provider and repositories to work on. */
export class ErrandWorld {
  private repositories = 0;

  private constructor(
    readonly folder: TempFolder,
    readonly server: ModelServer,
    private readonly env: Readonly<Record<string, string>>,
    public service: ServiceProcess,
    public api: Api,
  ) {
    this.errands = new ErrandServer(server);
  }

  static async open(
    env: Readonly<Record<string, string>> = {},
    fire: Partial<Fire> = {},
    provider: keyof typeof PROVIDERS = 'anthropic',
  ): Promise<ErrandWorld> {
    const folder = tempFolder('errand');
    const server = await startModelServer([], { key: PROVIDER_KEY });
    const all = { QRALPH_REPO_ROOTS: folder.path, ...PROVIDERS[provider](server.url), ...env };
    const dataDir = join(folder.path, 'data');
    const service = await startProcess({ role: 'orchestrator', ...fire }, { dataDir, env: all });
    return new ErrandWorld(folder, server, all, service, await Api.ofDataDir(service.url, dataDir));
  }

  /** The implementer of errands; the other agents answer by themselves. */
  readonly errands: ErrandServer;

  get dataDir(): string {
    return join(this.folder.path, 'data');
  }

  /** Starts the service again, after it was killed or stopped. */
  async restart(fire: Partial<Fire> = {}, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = { dataDir: this.dataDir, env: { ...this.env, ...env } };
    this.service = await startProcess({ role: 'orchestrator', ...fire }, settings);
    this.api = await Api.ofDataDir(this.service.url, this.dataDir);
  }

  async repository(): Promise<string> {
    this.repositories += 1;
    const path = join(this.folder.path, `repository-${String(this.repositories)}`);
    await new DemoRepository(path, process.env['PATH'] ?? '').make();
    return path;
  }

  start(repo: string, more: Readonly<Record<string, unknown>> = {}): Promise<StartedProject> {
    const order = { request: 'Add dark mode toggle', mode: 'errand', repo: { path: repo }, ...more };
    return this.api.must('POST', '/v1/projects', order);
  }

  async typesOf(id: string): Promise<string[]> {
    return (await this.api.events(id)).map(({ type }: ProjectEvent) => type);
  }

  async close(): Promise<void> {
    await this.service.kill('SIGTERM');
    await this.server.stop();
    await this.folder.remove();
  }
}

export async function gitIn(repo: string, ...args: string[]): Promise<string> {
  return (await run('git', ['-C', repo, ...args])).stdout.trimEnd();
}

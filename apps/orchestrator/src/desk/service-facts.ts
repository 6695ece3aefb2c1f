import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Config } from '#config';
import type { ServiceFacts } from '#contracts';
import { ownVersion } from '../../../cli/src/own-version.js';

const run = promisify(execFile);

/** What this service is made of, as far as whoever sets one up should know. No key, no address of anything. */
export async function serviceFacts(config: Config, sandbox: ServiceFacts['sandbox']): Promise<ServiceFacts> {
  const { anthropic, openai, compatible } = config.models;
  const providers = Object.entries({ anthropic, openai, compatible }).flatMap(([name, { key, baseUrl }]) =>
    key === null && baseUrl === null ? [] : [name],
  );
  return {
    version: await ownVersion(),
    node: process.version,
    git: await gitVersion(config.commandPath),
    database: config.databaseUrl === null ? 'embedded' : 'external',
    queue: config.redisUrl === null ? 'postgres' : 'redis',
    worker: config.hostsWorker,
    sandbox,
    providers,
    simulated: providers.length === 0,
    repoRoots: [...config.repoRoots],
  };
}

async function gitVersion(path: string): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['--version'], { env: { PATH: path }, timeout: 5_000 });
    return stdout.trim().replace(/^git version /, '');
  } catch {
    // Whoever asks is told that there is none; a project that needs it says more.
    return null;
  }
}

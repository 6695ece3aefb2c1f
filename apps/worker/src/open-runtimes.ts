import { join } from 'node:path';
import { type AgentRuntime, apiRuntime, cliRuntime, CLIS, type Notes, openProxy } from '#agents';
import type { Config } from '#config';
import { secrets, systemClock, type Trace } from '#kernel';
import { placeEnvironment, type Worktree } from '#workspace';
import type { Models } from './open-models.js';
import type { Workspace } from './open-workspace.js';
import { upstreamsOf } from './upstreams.js';

export interface Runtimes {
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly config: Config;
  readonly models: Models;
  readonly workspace: Workspace;
  readonly notes: Notes;
  /** Agents run in this process, not only projects that want them are accepted. */
  readonly doesWork: boolean;
  readonly trace: Trace;
  readonly onError: (error: unknown) => void;
}

/** Everything an agent can run on: our own loop, and CLIs behind the metering proxy. */
export async function openRuntimes(parts: Parts): Promise<Runtimes> {
  const { config, models, workspace, notes, doesWork, trace, onError } = parts;
  const { desk, meter } = models;
  const { worktrees, workshop } = workspace;
  const proxy = await openProxy({
    host: '127.0.0.1',
    port: doesWork ? config.proxyPort : null,
    upstreams: upstreamsOf(config.models),
    meter,
    trace,
    secrets,
    clock: systemClock,
    onError,
  });
  const placeOf = async (worktree: Worktree) => {
    const place = await workshop.place(worktree);
    const { folder, home, readOnly, writable } = place;
    return { writable: [folder, home, ...writable], readOnly, env: placeEnvironment(place) };
  };
  const sandbox = workshop.sandbox({});
  const api = apiRuntime({ desk, worktrees, sandbox, placeOf, notes, redactor: secrets, trace });
  const { commandPath: path, dataDir } = config;
  const clis = CLIS.map((spec) =>
    cliRuntime(spec, {
      path, proxy, desk, worktrees, sandbox, placeOf, notes, trace, secrets,
      folder: join(dataDir, 'runs'), transcripts: join(dataDir, 'transcripts'),
    }),
  ); // prettier-ignore
  return { runtimes: new Map([api, ...clis].map((one) => [one.name, one])), close: () => proxy.close() };
}

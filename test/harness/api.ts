import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Checkpoint, CheckpointDetail, Command, Problem, Project, ProjectEvent, VerifyResult } from '#contracts';
import { newId, sha256Hex } from '#kernel';
import { eventually } from '#testing';
import { newApiKey } from '../../apps/orchestrator/src/http/auth/api-keys.js';
import { SseReader } from '../../apps/orchestrator/src/http/fixtures/sse-reader.js';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

type Headed = Readonly<Record<string, string>>;
export interface Drill {
  readonly parameters?: Readonly<Record<string, number>>;
  readonly gates?: Readonly<Record<string, boolean>>;
}

/** A client of the API as a user would write one. A call that does not succeed throws what it was answered. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  static async ofDataDir(url: string | null, dataDir: string): Promise<Api> {
    return new Api(url ?? '', (await readFile(join(dataDir, 'admin.key'), 'utf8')).trim());
  }

  with(key: string): Api {
    return new Api(this.url, key);
  }

  async call<T>(method: string, path: string, body?: unknown, headers: Headed = {}): Promise<Answer<T>> {
    const isText = typeof body === 'string';
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as T };
  }

  async text(path: string, headers: Headed = {}): Promise<string> {
    return (await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${this.key}`, ...headers } })).text();
  }

  /** The problem that a call is refused with. */
  async refusal(method: string, path: string, body?: unknown, headers: Headed = {}): Promise<Problem> {
    const answer = await this.call<Problem>(method, path, body, headers);
    if (answer.status < 400) throw new Error(`${method} ${path} succeeded with ${String(answer.status)}`);
    return answer.body;
  }

  async must<T>(method: string, path: string, body?: unknown, headers: Headed = {}): Promise<T> {
    const { status, body: answer } = await this.call<T>(method, path, body, headers);
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  startDrill(drill: Drill = {}, headers: Headed = {}): Promise<Project> {
    return this.must('POST', '/v1/projects', { request: 'drill the engine', mode: 'drill', ...drill }, headers);
  }

  project(id: string): Promise<Project> {
    return this.must('GET', `/v1/projects/${id}`);
  }

  command(id: string, command: Command): Promise<{ id: string }> {
    return this.must('POST', `/v1/projects/${id}/commands`, { command });
  }

  decide(id: string, decision: string, gate = 'approval'): Promise<unknown> {
    return this.must('POST', `/v1/projects/${id}/gates/${gate}`, { decision });
  }

  async events(id: string): Promise<ProjectEvent[]> {
    const { data } = await this.must<{ data: ProjectEvent[] }>('GET', `/v1/projects/${id}/events?limit=1000`);
    return data;
  }

  async checkpoints(id: string): Promise<Checkpoint[]> {
    return (await this.must<{ data: Checkpoint[] }>('GET', `/v1/projects/${id}/checkpoints?limit=100`)).data;
  }

  checkpoint(id: string, seq: number): Promise<CheckpointDetail> {
    return this.must('GET', `/v1/projects/${id}/checkpoints/${String(seq)}`);
  }

  verify(id: string): Promise<VerifyResult> {
    return this.must('POST', `/v1/projects/${id}/checkpoints/verify`);
  }

  stream(id: string, headers: Headed = {}): Promise<SseReader> {
    return SseReader.open(`${this.url}/v1/projects/${id}/events`, { authorization: `Bearer ${this.key}`, ...headers });
  }

  /** Waits until the project is as wanted. */
  until(id: string, what: string, isSo: (project: Project) => boolean, deadlineMs = 30_000): Promise<Project> {
    let last: Project | undefined;
    return eventually(
      `${what} (${id})`,
      async () => {
        last = await this.project(id);
        return isSo(last) ? last : null;
      },
      { deadlineMs, everyMs: 50 },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; it is ${JSON.stringify(last)}`);
    });
  }

  untilStatus(id: string, status: Project['status'], deadlineMs = 30_000): Promise<Project> {
    return this.until(id, `becomes ${status}`, (project) => project.status === status, deadlineMs);
  }
}

/** A key for a service whose database is not its own: there nobody is given an admin key. */
export async function grantKey(
  pool: pg.Pool,
  { principal = 'human', scopes = ['projects:read', 'projects:write', 'gates:decide', 'admin'] } = {},
): Promise<string> {
  const key = newApiKey();
  await pool.query('INSERT INTO api_key (id, name, hash, principal, scopes) VALUES ($1, $2, $3, $4, $5)', [
    newId(),
    'test',
    sha256Hex(key),
    principal,
    scopes,
  ]);
  return key;
}

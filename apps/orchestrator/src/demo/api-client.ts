import type { Project, ProjectEvent } from '#contracts';

/** The few calls of the API that the demo makes: over HTTP, with the admin key, as any client would. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly signal: AbortSignal,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.call<T>('POST', path, body);
  }

  start(body: Readonly<Record<string, unknown>>): Promise<Project> {
    return this.post('/v1/projects', body);
  }

  /** The events of a project as they happen, to its end. */
  async *events(projectId: string): AsyncGenerator<ProjectEvent> {
    const response = await fetch(`${this.url}/v1/projects/${projectId}/events`, {
      headers: { authorization: `Bearer ${this.key}`, accept: 'text/event-stream' },
      signal: this.signal,
    });
    if (!response.ok || !response.body) throw new Error(`the event stream answered ${String(response.status)}`);
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '));
        if (data) yield JSON.parse(data.slice('data: '.length)) as ProjectEvent;
      }
    }
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      signal: this.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T & { detail?: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${answer.detail ?? ''}`);
    return answer;
  }
}

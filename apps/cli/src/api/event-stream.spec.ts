import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contracts';
import { Client } from './client.js';
import { eventsOf } from './event-stream.js';

type Script = (response: ServerResponse, last: number) => void;

const told = (seq: number): string =>
  `id: ${String(seq)}\nevent: e\ndata: ${JSON.stringify({ seq, version: seq, type: 'e', data: {}, at: '' })}\n\n`;

describe('the events of a project', () => {
  let script: Script[];
  let asked: number[];
  const server = createServer((request, response) => {
    const last = Number(request.headers['last-event-id']);
    asked.push(last);
    const next = script.shift();
    if (next) next(response, last);
    else response.writeHead(204).end();
  });
  let client: Client;

  beforeEach(async () => {
    [script, asked] = [[], []];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    client = new Client({ url, key: async () => 'k', signal: new AbortController().signal });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function collect(after = 0): Promise<{ seqs: number[]; away: boolean[] }> {
    const [seqs, away]: [number[], boolean[]] = [[], []];
    const following = { after, waitMs: 5_000, onAway: (isAway: boolean) => void away.push(isAway) };
    for await (const { seq } of eventsOf(client, '001-x', following) as AsyncIterable<ProjectEvent>) seqs.push(seq);
    return { seqs, away };
  }

  it('come once each over a connection that breaks in the middle of one', async () => {
    script = [
      (response) => {
        response.write(`retry: 1000\n\n${told(1)}: still here\n\n${told(2)}${told(3).slice(0, 20)}`);
        setTimeout(() => response.destroy(), 20);
      },
      // Also where more is sent again than was asked for.
      (response) => response.end(told(2) + told(3)),
      (response) => response.writeHead(503).end(JSON.stringify(problem('SHUTTING_DOWN', 503))),
      // A proxy that stands before the service has words of its own.
      (response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'),
      (response) => response.end(told(4)),
    ];
    expect((await collect()).seqs).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([0, 2, 3, 3, 3, 4]);
  });

  it('come from behind the one that was named', async () => {
    script = [(response, last) => response.end(told(last + 1))];
    expect(await collect(7)).toEqual({ seqs: [8], away: [] });
  });

  it('tell when the service is away and when it is back', async () => {
    script = [(response) => response.destroy(), (response) => response.end(told(1))];
    expect(await collect()).toEqual({ seqs: [1], away: [true, false] });
  });

  it('end with what the service refuses them with', async () => {
    script = [(response) => response.writeHead(404).end(JSON.stringify(problem('PROJECT_NOT_FOUND', 404)))];
    await expect(collect()).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  });
});

const problem = (code: string, status: number) => ({ type: 'urn:x', title: code, status, code, detail: 'no' });

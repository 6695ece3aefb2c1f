import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectEvent, Team, TeamMember, TeamMessage } from '#contracts';
import { Client } from '../api/client.js';
import { Output } from '../show/output.js';
import { EventShow } from './show-event.js';

const member = (agent: string): TeamMember => ({
  agent, teammate: `${agent}-agent`, tier: 'small', source: 'built-in', isCritical: false, skills: [], score: 1,
  reasons: [], status: 'running',
}); // prettier-ignore
const TEAM: Team = { name: 't', domains: [], members: ['sde-iii', 'ux'].map(member), status: 'working' };

let server: Server;
let messages: TeamMessage[];
beforeEach(async () => {
  messages = [];
  server = createServer((request, response) => {
    const answer = request.url?.includes('/messages') ? { data: messages, nextCursor: null } : TEAM;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const backWith = (key: string, version = 5): ProjectEvent => ({
  seq: 9, version, type: 'signal.applied', data: { kind: 'child', cause: `child:${key}` },
  at: '2026-01-02T03:04:05.678Z',
}); // prettier-ignore

async function shown(event: ProjectEvent, historyTo = 0): Promise<string> {
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const lines: string[] = [];
  const streams = { out: (line: string) => void lines.push(line), err: () => undefined, isTerminal: false };
  const { signal } = new AbortController();
  const api = new Client({ url, key: () => Promise.resolve('qr_x'), signal });
  await new EventShow(api, new Output(streams, false, false), 'x', historyTo).show(event);
  return lines.map((line) => line.trim()).join('\n');
}

describe('a reviewer that comes back', () => {
  const said = (seq: number, from: string, kind: TeamMessage['kind'], text: string): TeamMessage => ({
    ...{ seq, from, to: 'lead', kind, text },
  });

  it('is shown with what it handed in, at once, while the others still read', async () => {
    messages = [
      said(1, 'sde-iii-agent', 'health', 'it said nothing'),
      said(2, 'ux-agent', 'summary', '0 findings. All is well.'),
      said(3, 'sde-iii-agent', 'summary', '2 findings. I read\u001b[31m greeting.mjs.'),
    ];
    expect(await shown(backWith('sde-iii'))).toBe('review   sde-iii: 2 findings. I read[31m greeting.mjs.');
    messages.pop();
    expect(await shown(backWith('sde-iii'))).toBe('review   sde-iii: it said nothing');
  });

  it('is only said to be back where nothing is known of it, or where that is history', async () => {
    expect(await shown(backWith('task-1'))).toBe('agent    task-1 is back');
    messages = [said(1, 'ux-agent', 'summary', '1 finding.')];
    expect(await shown(backWith('sde-iii'))).toBe('agent    sde-iii is back');
    expect(await shown(backWith('ux', 5), 6)).toBe('agent    ux is back');
  });
});

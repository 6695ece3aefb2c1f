import { afterEach, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { NotesInMemory } from '../notes/notes.fixture.js';
import { notesAfter } from '../notes/told-notes.js';
import { messages, MODEL, openProxyUnderTest, post } from './proxy-under-test.fixture.js';
import type { CallEnd, ProxyRun } from './proxy.port.js';

const closed: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closed.splice(0)) await one.close();
});

const SAID = 'use the existing theme tokens';

async function world(provider: string, model: string) {
  const under = await openProxyUnderTest();
  closed.push(under);
  under.server.use(() => ({ text: 'hi' }));
  const notes = new NotesInMemory();
  const ends: CallEnd[] = [];
  const given: Partial<ProxyRun> = {
    model: { provider, model },
    notes: () => notesAfter(notes, under.secrets, { projectId: 'p', role: 'builder', seen: 0 }),
    onCall: (end) => ends.push(end),
  };
  const run = await under.admit(given);
  const call = async (path: string, body: JsonObject): Promise<number> => {
    const answer = await post(`${run.url}${path}`, run.token, { ...body, model });
    await answer.text();
    return answer.status;
  };
  const last = (): string => JSON.stringify(under.server.calls.at(-1)?.body);
  return { ...under, notes, ends, run, call, last };
}

it.each<[string, string, string, JsonObject]>([
  ['anthropic', MODEL, '/v1/messages', messages()],
  ['openai', 'gpt-x', '/v1/responses', { input: [{ role: 'user', content: 'hello' }] }],
  ['compatible', 'own', '/v1/chat/completions', { messages: [{ role: 'user', content: 'hello' }] }],
])('what is said during a run of %s is told to all its calls from then on', async (provider, model, path, body) => {
  const { notes, ends, call, last, ledger } = await world(provider, model);
  expect([await call(path, body), last().includes(SAID)]).toEqual([200, false]);
  notes.give(SAID);
  expect([await call(path, body), last().includes(SAID)]).toEqual([200, true]);
  notes.give('and quick');
  expect([await call(path, body), last().includes(SAID), last().includes('and quick')]).toEqual([200, true, true]);
  expect(ends.map((end) => end.notes?.told.length ?? 0)).toEqual([0, 1, 2]);
  // Set aside for what is sent: each call has more than the one before.
  const [first = 0n, second = 0n, third = 0n] = ledger.calls.map(({ reserved }) => reserved.nanoUsd);
  expect([second > first, third > second]).toEqual([true, true]);
});

it('a call whose notes cannot be read is not sent, and one that costs nothing does not ask for them', async () => {
  const { server, admit } = await world('anthropic', MODEL);
  let asked = 0;
  const away = (): Promise<never> => {
    asked += 1;
    return Promise.reject(new Error('away'));
  };
  const blind = await admit({ notes: away });
  const free = await post(`${blind.url}/v1/messages/count_tokens`, blind.token, messages());
  expect([free.status === 503, asked]).toEqual([false, 0]);
  const answer = await post(`${blind.url}/v1/messages`, blind.token, messages());
  expect([answer.status, asked, server.calls]).toEqual([503, 1, []]);
});

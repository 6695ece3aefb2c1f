import { describe, expect, it } from 'vitest';
import { UserError } from '#kernel';
import type { ChatRequest, Message } from '../model.port.js';
import { chat, failure, NOW } from '../providers/under-test.fixture.js';
import { playbookProvider } from './playbook-provider.js';
import { readPlaybook } from './read-playbook.js';

const BOOK = `
version: 1
entries:
  - role: implementer
    purpose: errand
    attempt: 1
    turns:
      - text: I look.
        tools: [{ name: read_file, input: { path: a } }]
      - text: Done.
  - role: implementer
    purpose: errand
    attempt: [2, 3]
    tier: large
    always: { text: Another way. }
  - role: [reviewer, tester]
    turns:
      - findings: [{ title: a fault, severity: high }]
  - role: clerk
    always: { json: { ok: true }, usage: { input: 7, output: 3, cacheRead: 2 } }
`;
const provider = playbookProvider(readPlaybook(BOOK, 'book.yaml'), { now: () => NOW });
const asked = (about: Partial<ChatRequest['about']>, messages?: Message[]) =>
  chat(provider, {
    about: { role: 'implementer', purpose: 'errand', attempt: 1, tier: 'small', ...about },
    ...(messages ? { messages } : {}),
  });
const bookOf = (answer: string) =>
  playbookProvider(readPlaybook(`version: 1\nentries: [{ always: ${answer} }]`, 'x.yaml'), { now: () => NOW });

describe('a playbook', () => {
  it('answers by role, purpose, attempt and tier', async () => {
    expect((await asked({})).text).toBe('I look.');
    expect((await asked({ attempt: 3, tier: 'large' })).text).toBe('Another way.');
    expect((await asked({ role: 'tester', purpose: 'whatever', tier: null })).text).toBe(
      '{"findings":[{"title":"a fault","severity":"high"}]}',
    );
  });

  it('answers turn by turn', async () => {
    const first = await asked({});
    expect(first).toMatchObject({
      stop: 'tools',
      toolCalls: [{ id: 'call-0-0', name: 'read_file', input: { path: 'a' } }],
    });
    const { text, toolCalls, raw } = first;
    const second = await asked({}, [
      { role: 'user', text: 'Go.' },
      { role: 'assistant', text, toolCalls, raw },
      { role: 'tools', results: [{ callId: 'call-0-0', text: 'seen', isError: false }] },
    ]);
    expect(second).toMatchObject({ text: 'Done.', stop: 'end', toolCalls: [] });
  });

  it('says the same every time, and that it is no model', async () => {
    expect(await asked({})).toEqual(await asked({}));
    expect((await asked({})).model).toBe('playbook');
    expect(provider.isSimulated).toBe(true);
  });

  it('counts what it is told to, and makes up the rest', async () => {
    expect((await asked({ role: 'clerk' })).usage).toEqual({
      input: 7,
      output: 3,
      cacheRead: 2,
      cacheWrite: 0,
      reasoning: 0,
    });
    expect((await asked({})).usage).toMatchObject({ output: 6, cacheRead: 0 });
  });

  it('keeps to the bound of the request', async () => {
    const answer = await chat(bookOf('{ text: "0123456789", tools: [{ name: x }] }'), { maxOutputTokens: 2 });
    expect(answer).toMatchObject({ text: '01234567', stop: 'length', toolCalls: [], usage: { output: 2 } });
  });

  it.each([
    [{ attempt: 2 }, 'role implementer, purpose errand, attempt 2, tier small, turn 1: no entry is for it'],
    [{ role: 'cook' }, 'role cook'],
  ])('says what it has no answer to: %j', async (about, words) => {
    const error = await failure(asked(about));
    expect(error).toMatchObject({ code: 'MODEL_PLAYBOOK_SILENT', remedy: 'give-up', billed: 'nothing' });
    expect(error.message).toContain(words);
  });

  it('may refuse for a while, and fail, before it answers', async () => {
    const troubled = bookOf('{ text: ok, rateLimit: { seconds: 5 }, error: { times: 2, words: oops } }');
    expect(await failure(chat(troubled))).toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      remedy: 'wait',
      resetAt: NOW + 5_000,
    });
    expect(await failure(chat(troubled))).toMatchObject({ code: 'MODEL_SERVER_ERROR', remedy: 'retry' });
    expect(await failure(chat(troubled))).toMatchObject({
      code: 'MODEL_SERVER_ERROR',
      details: { words: expect.stringContaining('oops') as string },
    });
    expect((await chat(troubled)).text).toBe('ok');
  });

  it('may be slow: within the time-out, and until it is cancelled', async () => {
    const slow = bookOf('{ text: ok, msPerToken: 9999 }');
    expect(await failure(chat(slow, { timeoutMs: 20 }))).toMatchObject({ code: 'MODEL_TIMEOUT', billed: 'unknown' });
    const cancel = new AbortController();
    const asked = failure(chat(slow, {}, { signal: cancel.signal }));
    cancel.abort();
    expect(await asked).toMatchObject({ code: 'MODEL_CANCELLED', remedy: 'cancelled' });
  });
});

describe('the requests of a playbook', () => {
  const scopeOf = (requests: string) =>
    playbookProvider(readPlaybook(`version: 1\n${requests}\nentries: [{ always: { text: x } }]`, 'x.yaml')).scope;

  it('limit what the simulated model takes', () => {
    const scope = scopeOf('requests: [Add dark mode toggle]');
    expect(scope?.fits('add dark mode toggle.')).toBe(true);
    expect(scope?.fits('Fix the login')).toBe(false);
  });

  it('may be left out: then it takes every request', () => {
    expect(scopeOf('')).toBeUndefined();
  });

  it.each(['[]', '[""]', '["*"]', 'all'])('are refused if they name nothing: %s', (requests) => {
    expect(() => scopeOf(`requests: ${requests}`)).toThrow('requests');
  });
});

describe('a file that is no playbook', () => {
  it.each([
    ['no YAML', 'version: [1', 'book.yaml'],
    ['another version', 'version: 2\nentries: [{ always: { text: x } }]', 'version:'],
    [
      'an unknown key',
      'version: 1\nentries: [{ rolle: x, always: { text: x } }]',
      'entry 1: Unrecognized key: "rolle"',
    ],
    [
      'an answer that says nothing',
      'version: 1\nentries: [{ turns: [{ text: x }, {}] }]',
      'entry 1, turn 2: says nothing',
    ],
    ['two kinds of text', 'version: 1\nentries: [{ always: { text: x, json: 1 } }]', 'more than one of'],
    ['neither turns nor always', 'version: 1\nentries: [{ role: x }]', 'entry 1: needs either turns or always'],
    ['a tag', 'version: 1\nentries: [{ always: { text: !!js/function "x" } }]', 'tag'],
    ['a key twice', 'version: 1\nversion: 1\nentries: []', 'unique'],
    ['a list', '- 1', 'the playbook:'],
    ['nothing', '', 'the playbook:'],
    ['brackets without end', '['.repeat(20_000), 'book.yaml'],
  ])('is refused with file, place and fault: %s', (_what, text, words) => {
    expect(() => readPlaybook(text, 'book.yaml')).toThrow(UserError);
    expect(() => readPlaybook(text, 'book.yaml')).toThrow(words);
  });

  it('is refused where aliases multiply', () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(', ')}]`,
    );
    const bomb = ['l0: &l0 [x]', ...levels].join('\n');
    expect(() => readPlaybook(bomb, 'book.yaml')).toThrow(/alias/);
  });
});

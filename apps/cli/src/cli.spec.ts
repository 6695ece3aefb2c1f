import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import { runCli } from './cli.js';
import { COMMANDS } from './commands/index.js';
import { EXIT } from './exit-codes.js';

const KEY = 'qr_a-key-that-nobody-may-see';
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A service that answers as it is told; resolves to its address. */
async function service(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const refusing = (status: number, code: string, details?: object): RequestListener => {
  const problem = { type: `urn:qralph:problem:${code}`, title: code, status, code, detail: 'It will not.', details };
  return (_request, response) => response.writeHead(status).end(JSON.stringify(problem));
};

async function run(url: string, args: readonly string[], told = new AbortController().signal) {
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    isTerminal: false,
  };
  const settings = { url, key: KEY, dataDirs: ['/nowhere'], folder: '/here', mayColor: true, commandPath: '' };
  const code = await runCli(args, streams, told, () => settings);
  expect([...out, ...err].join('\n')).not.toContain(KEY);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const NOBODY = 'http://127.0.0.1:1';

describe('a command line', () => {
  it('shows help by itself and for each command, with its options and examples', async () => {
    const all = await run(NOBODY, []);
    expect(all.code).toBe(EXIT.ok);
    for (const { name, examples } of COMMANDS) {
      expect(all.out).toContain(`  ${name} `);
      const { code, out } = await run(NOBODY, [name, '--help']);
      expect([code, out.startsWith(`qralph ${name}`), out.includes(examples[0] ?? '?')]).toEqual([0, true, true]);
    }
  });

  it('says which version it is', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(NOBODY, ['--version'])).toEqual({ code: EXIT.ok, out: `qralph ${version}`, err: '' });
  });

  it('says in its own words what to do about a project that is not there', async () => {
    const detail = 'There is no project 001-x. GET /v1/projects lists them.';
    const problem = { type: 'about:blank', title: 'x', status: 404, code: 'PROJECT_NOT_FOUND', detail };
    const url = await service((_request, response) => response.writeHead(404).end(JSON.stringify(problem)));
    expect((await run(url, ['skip', '001-x'])).err).toBe(
      'PROJECT_NOT_FOUND: There is no project 001-x. qralph list shows them.',
    );
  });

  it('gives a command of a step on the checkpoint that was looked at', async () => {
    const bodies: string[] = [];
    const id = '01990000-0000-7000-8000-000000000000';
    const url = await service((request, response) => {
      request.on('data', (part: Buffer) => bodies.push(part.toString()));
      request.on('end', () => response.writeHead(202).end(JSON.stringify({ id, projectId: id, command: 'SKIP' })));
    });
    expect((await run(url, ['skip', '001-x', '--checkpoint', '7'])).code).toBe(EXIT.ok);
    expect(bodies.map((one) => JSON.parse(one) as unknown)).toEqual([{ command: 'SKIP', checkpoint: 7 }]);
    expect((await run(url, ['pause', '001-x', '--checkpoint', '7'])).code).toBe(EXIT.usage);
  });

  it('ends with 2 where it makes no sense', async () => {
    expect(await run(NOBODY, ['strat', 'x'])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('there is no command “strat”') as string,
    });
    expect((await run(NOBODY, ['start'])).code).toBe(EXIT.usage);
    expect((await run(NOBODY, ['--json', 'list'])).out).toContain('as in qralph list --json');
    expect((await run(NOBODY, ['--help', '--json'])).code).toBe(EXIT.ok);
    expect((await run(NOBODY, ['list', '--url', 'localhost'])).code).toBe(EXIT.usage);
    expect((await run(NOBODY, ['list', '--limit', 'x'])).code).toBe(EXIT.usage);
    expect((await run(NOBODY, ['events', '001-x', '--after', 'x'])).code).toBe(EXIT.usage);
    expect((await run(NOBODY, ['start', 'Do it', '--leave-at-gate'])).err).toContain('are for --watch');
    expect((await run(NOBODY, ['note', '001-x', '--agent', 'planner'])).err).toContain('TEXT is missing');
  });

  it.each([
    ['--url', 'http://['],
    ['--url', 'http://somebody:hush-hush@127.0.0.1:1'],
    ['--key', 'qr_hush-hush…'],
    ['--key', 'qr_hush-hush\nx: y'],
    ['--key', ''],
  ])('does not blame the service for %s %j, which cannot be sent, nor repeats it', async (option, value) => {
    for (const more of [[], ['--json']]) {
      const { code, out, err } = await run(NOBODY, ['list', option, value, ...more]);
      expect([code, `${out}${err}`.includes('hush-hush')]).toEqual([EXIT.usage, false]);
    }
  });

  it('ends with 5 where nobody listens, and says what to do', async () => {
    const { code, err } = await run(NOBODY, ['list']);
    expect([code, err]).toEqual([EXIT.unreachable, expect.stringContaining('npm start')]);
    expect((await run(NOBODY, ['watch', '001-x'])).code).toBe(EXIT.unreachable);
  });

  it('ends with 5 where something else answers, and where the service is at fault', async () => {
    const web = await service((_request, response) => response.writeHead(404).end('<h1>not here</h1>'));
    expect(await run(web, ['list'])).toMatchObject({
      code: EXIT.unreachable,
      err: expect.stringContaining('no QRALPH service') as string,
    });
    const page = await service((_request, response) => response.end('<h1>hello</h1>'));
    expect((await run(page, ['list'])).code).toBe(EXIT.unreachable);
    expect((await run(await service(refusing(500, 'INTERNAL')), ['list'])).code).toBe(EXIT.unreachable);
  });

  it.each([
    [401, 'UNAUTHENTICATED', EXIT.unauthorised],
    [403, 'HUMAN_REQUIRED', EXIT.unauthorised],
    [404, 'PROJECT_NOT_FOUND', EXIT.refused],
    [409, 'COMMAND_NOT_ALLOWED', EXIT.refused],
    [422, 'BODY_INVALID', EXIT.refused],
  ])('ends as the service’s %i %s asks for', async (status, code, exit) => {
    const url = await service(refusing(status, code, { allowed: ['PAUSE', 'ABORT'] }));
    expect(await run(url, ['skip', '001-x'])).toEqual({
      code: exit,
      out: '',
      err: `${code}: It will not.\n  allowed: PAUSE, ABORT`,
    });
    const { out } = await run(url, ['skip', '001-x', '--json']);
    expect(JSON.parse(out)).toMatchObject({ error: { code, status }, exitCode: exit });
    expect(out.split('\n')).toHaveLength(1);
  });

  it('says nothing twice that the service has said in its sentence', async () => {
    const problem = { type: 'about:blank', title: 'x', status: 422, code: 'BODY_INVALID' };
    const issues = [{ path: 'text', message: 'too big' }];
    const told = {
      ...problem,
      detail: 'text: too big; allowed now: PAUSE',
      issues,
      details: { allowed: ['PAUSE'], state: 'UAT' },
    };
    const url = await service((_request, response) => response.writeHead(422).end(JSON.stringify(told)));
    expect((await run(url, ['skip', '001-x'])).err).toBe(
      'BODY_INVALID: text: too big; allowed now: PAUSE\n  state: UAT',
    );
  });

  it('sends a request again whose answer got lost, under the same key, so that it acts once', async () => {
    const keys: unknown[] = [];
    const accepted = {
      id: '01990000-0000-7000-8000-000000000000',
      projectId: '01990000-0000-7000-8000-000000000000',
      command: 'PAUSE',
    };
    const url = await service((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) request.socket.destroy();
      else if (keys.length === 2) refusing(503, 'STORE_AWAY')(request, response);
      else response.writeHead(202).end(JSON.stringify(accepted));
    });
    expect(await run(url, ['pause', '001-x'])).toMatchObject({
      code: EXIT.ok,
      out: 'PAUSE is stored for 001-x and takes effect at the next safe point',
    });
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it('ends with 130 on Ctrl-C', async () => {
    const ctrlC = new AbortController();
    const url = await service(() => ctrlC.abort());
    expect((await run(url, ['list'], ctrlC.signal)).code).toBe(EXIT.interrupted);
  });

  it('takes the key of the service that npm started, where there is none in the folder', async () => {
    const data = tempFolder('cli-key');
    writeFileSync(join(data.path, 'admin.key'), `${KEY}\n`);
    const asked: unknown[] = [];
    const url = await service((request, response) => {
      asked.push(request.headers.authorization);
      response.end(JSON.stringify({ data: [], nextCursor: null }));
    });
    const settings = {
      url,
      key: null,
      dataDirs: ['/nowhere', data.path],
      folder: '/',
      mayColor: true,
      commandPath: '',
    };
    const streams = { out: () => undefined, err: () => undefined, isTerminal: false };
    expect(await runCli(['list'], streams, new AbortController().signal, () => settings)).toBe(EXIT.ok);
    expect(asked).toEqual([`Bearer ${KEY}`]);
    await data.remove();
  });

  it('has colours on a terminal, unless it is told that it may not', async () => {
    const colours = async (...args: string[]) => {
      let out = '';
      const streams = { out: (line: string) => void (out += line), err: () => undefined, isTerminal: true };
      const settings = { url: NOBODY, key: KEY, dataDirs: [], folder: '/', mayColor: true, commandPath: '' };
      await runCli(['doctor', ...args], streams, new AbortController().signal, () => settings);
      return out.includes('\u001b[31m');
    };
    expect([await colours(), await colours('--no-color'), await colours('--json')]).toEqual([true, false, false]);
  });

  it('ends with 6 where there is no key at all', async () => {
    const streams = { out: () => undefined, err: () => undefined, isTerminal: false };
    const settings = {
      url: NOBODY,
      key: null,
      dataDirs: ['/nowhere'],
      folder: '/here',
      mayColor: true,
      commandPath: '',
    };
    expect(await runCli(['list'], streams, new AbortController().signal, () => settings)).toBe(EXIT.unauthorised);
  });

  it('shows a text, says where it is cut, and what to do about a document that is no text', async () => {
    const deliverable = { path: "docs/a'b.pdf", commit: 'c0ffee', task: 'T-001' };
    const artifact = { name: 'deliverables/x', bytes: 9, modifiedAt: '2026-01-01T00:00:00.000Z', deliverable };
    const shown = async (more: object) => {
      const url = await service((_request, response) => response.end(JSON.stringify({ ...artifact, ...more })));
      return run(url, ['show', '001-x', 'deliverables/x']);
    };
    const git = String.raw`git show c0ffee:'docs/a'\''b.pdf' > FILE`;
    const text = { encoding: 'utf8', content: 'One.\n' };
    expect(await shown({ ...text, cut: false })).toEqual({ code: EXIT.ok, out: 'One.', err: '' });
    expect(await shown({ ...text, cut: true })).toMatchObject({ out: 'One.', err: expect.stringContaining(git) as string }); // prettier-ignore
    const bytes = await shown({ encoding: 'base64', content: 'AP8=', cut: false });
    expect(bytes).toMatchObject({ code: EXIT.refused, out: '', err: expect.stringContaining(git) as string });
  });
});

describe('going back to a checkpoint', () => {
  const answering = (events: RequestListener): RequestListener => {
    const project = { id: 'p', name: '001-x', status: 'paused' };
    return (request, response) =>
      request.method === 'POST' ? response.writeHead(202).end(JSON.stringify(project)) : events(request, response);
  };
  const restored = (data: object): RequestListener => {
    const event = {
      seq: 1,
      at: '2026-01-01T00:00:00Z',
      version: 9,
      type: 'checkpoint.restored',
      data: { to: 8, ...data },
    };
    return answering((_, response) => response.writeHead(200).end(JSON.stringify({ data: [event], nextCursor: null })));
  };
  const restore = async (answer: RequestListener) =>
    run(await service(answer), ['checkpoints', 'restore', '001-x', '8']);
  const again = '001-x is paused at checkpoint 8 again; go on with: qralph resume 001-x';

  it('says where what lay in the worktree is kept, where anything was', async () => {
    const { code, out } = await restore(restored({ kept: 'c0ffee', keptSince: 'beef' }));
    expect([code, out.split('\n')]).toEqual([
      EXIT.ok,
      [
        again,
        'what was in the worktree is kept as commit c0ffee',
        'what was changed after a restore that was cut off, as beef',
      ],
    ]);
    expect((await restore(restored({}))).out).toBe(again);
  });

  it('has gone back also where that cannot be read', async () => {
    const { code, out } = await restore(answering(refusing(403, 'SCOPE_MISSING')));
    expect([code, out]).toEqual([
      EXIT.ok,
      `${again}\nwhether something was kept of what lay in the worktree could not be read: qralph watch 001-x`,
    ]);
  });
});

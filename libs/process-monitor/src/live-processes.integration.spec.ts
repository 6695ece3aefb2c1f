import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Redactor } from '#kernel';
import { openCommands } from './commands.fixture.js';
import { type ListedProcess, LiveProcesses, type LiveProcessView } from './index.js';

let commands: ReturnType<typeof openCommands>;
let abort: AbortController;

beforeEach(() => {
  commands = openCommands();
  abort = new AbortController();
});
afterEach(() => commands.folder.remove());

const blots: Redactor = { redact: (text) => text.replaceAll('a-long-secret', '[secret]') };
const startedAt = new Date('2026-01-02T03:04:05.678Z');
const shown = (more: Partial<ListedProcess> = {}, host = 'here'): Promise<LiveProcessView[]> => {
  const listed = commands.registry.everRegistered.map((record) => ({ ...record, startedAt, ...more }));
  return new LiveProcesses({ list: () => Promise.resolve(listed) }, host, blots).list();
};

describe('a registered process is shown', () => {
  it('with all that it started and what they take, without secrets', async () => {
    const script = `(setsid sh -c 'echo $$ > part; mv part child; sleep 60; : a-long-secret' &); : ${'x'.repeat(600)}; sleep 60`;
    const running = commands.runner.run(commands.shell(script, { signal: abort.signal }));
    await commands.appears('child');
    const [view] = await shown();
    const [record] = commands.registry.records;
    expect(view).toMatchObject({
      projectId: commands.lease.projectId,
      purpose: 'a test',
      host: 'here',
      workerId: 'w',
      pid: record?.pid,
      group: record?.pid,
      startedAt: '2026-01-02T03:04:05.678Z',
      status: 'running',
    });
    expect(view?.tree[0]).toMatchObject({ pid: record?.pid, parent: process.pid });
    expect(view?.tree[0]?.command).toHaveLength(500);
    const child = view?.tree.find(({ pid }) => pid === commands.pidIn('child'));
    expect(child?.command).toMatch(/^sh -c echo .* : \[secret\]$/);
    expect(child?.rssBytes).toBeGreaterThan(0);
    expect(JSON.stringify(view)).not.toContain('a-long-secret');
    abort.abort();
    await running;
  });

  it('as gone when it has ended, also if its pid has gone to somebody else', async () => {
    await commands.runner.run(commands.shell('true'));
    expect(await shown()).toMatchObject([{ status: 'gone', tree: [] }]);
    expect(await shown({ pid: process.pid, group: process.pid })).toMatchObject([{ status: 'gone', tree: [] }]);
  });

  it('as elsewhere when it is on another host', async () => {
    await commands.runner.run(commands.shell('true'));
    expect(await shown({}, 'there')).toMatchObject([{ status: 'elsewhere', tree: [] }]);
  });
});

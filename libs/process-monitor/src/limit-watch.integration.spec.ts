import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openCommands } from './commands.fixture.js';

vi.mock('node:fs', { spy: true });

let commands: ReturnType<typeof openCommands>;
beforeEach(() => {
  commands = openCommands();
});
afterEach(async () => {
  vi.resetAllMocks();
  await commands.folder.remove();
});

it('holds the limits of a command also where the tasks of the host cannot be counted', async () => {
  const { readFileSync: read } = await vi.importActual<typeof import('node:fs')>('node:fs');
  vi.mocked(readFileSync).mockImplementation((path, options) => {
    if (path === '/proc/loadavg') throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    return read(path, options);
  });
  const many = 'n=0; while [ $n -lt 30 ]; do sleep 30 & n=$((n + 1)); done; wait';
  const running = commands.runner.run(commands.shell(many, { limits: { processes: 10 }, timeoutMs: 10_000 }));
  expect(await running).toMatchObject({ endedBy: 'processes' });
});

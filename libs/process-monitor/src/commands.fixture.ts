import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#kernel';
import { eventually, tempFolder } from '#testing';
import { type Command, CommandRunner, LeftBehindProcesses, type ProcessRecord } from './index.js';
import { MemoryRegistry } from './memory-registry.fixture.js';

export const COMMAND_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Leaves its session and parent, holds standard output, and writes its pid to the file `escaped`. */
export const ESCAPE = escape('');
export const STUBBORN_ESCAPE = escape('trap "" TERM;');

function escape(first: string): string {
  return `(setsid sh -c '${first} echo $$ > pid.part; mv pid.part escaped; while :; do sleep 0.2; done' &)
    while [ ! -e escaped ]; do sleep 0.02; done`;
}

/** A folder, a registry, a runner for real commands, and what sweeps up after it. */
export function openCommands() {
  const folder = tempFolder('commands');
  const lease = { projectId: newId(), workerId: 'w', epoch: 3 };
  const registry = new MemoryRegistry(lease);
  const runner = new CommandRunner(registry, { host: 'here', path: COMMAND_PATH });
  const stuck: ProcessRecord[] = [];
  const leftBehind = new LeftBehindProcesses(registry, 'here', {
    givenUp: runner.givenUp,
    onStuck: (record) => stuck.push(record),
  });
  const shell = (script: string, more: Partial<Command> = {}): Command => ({
    file: 'sh',
    args: ['-c', script],
    cwd: folder.path,
    lease,
    purpose: 'a test',
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  });
  const exists = (name: string): boolean => existsSync(join(folder.path, name));
  const appears = (name: string): Promise<boolean> => eventually(`there is ${name}`, () => exists(name));
  const pidIn = (name: string): number => Number(readFileSync(join(folder.path, name), 'utf8'));
  return { folder, lease, registry, runner, leftBehind, stuck, shell, exists, appears, pidIn };
}

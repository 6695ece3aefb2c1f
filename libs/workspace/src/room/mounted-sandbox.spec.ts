import { describe, expect, it } from 'vitest';
import type { CommandResult } from '#process-monitor';
import type { SandboxedCommand } from '../sandbox/sandbox.port.js';
import { MountedSandbox, movePath } from './mounted-sandbox.js';

const MOVES = [
  { outside: '/rooms/p/tree', inside: '/worktrees/p' },
  { outside: '/rooms/p/home', inside: '/places/p/home' },
];

describe('a sandbox that shows folders elsewhere', () => {
  it('moves paths below the folders, and no others', () => {
    expect(movePath('/rooms/p/tree', MOVES)).toBe('/worktrees/p');
    expect(movePath('/rooms/p/home/.m2', MOVES)).toBe('/places/p/home/.m2');
    expect(movePath('/rooms/p/tree2', MOVES)).toBe('/rooms/p/tree2');
  });

  it('mounts what the command asks for, and moves its folder and environment', async () => {
    const asked: SandboxedCommand[] = [];
    const result = {} as CommandResult;
    const inner = {
      kind: 'bubblewrap' as const,
      guarantees: { hidesFiles: true, cutsNetwork: true, ownsProcesses: true },
      run: async (command: SandboxedCommand) => (asked.push(command), result),
    };
    const store = { outside: '/rooms/p/stores/1/node_modules', inside: '/worktrees/p/node_modules', isWritable: false };
    const command = {
      file: 'sh',
      args: [],
      cwd: '/rooms/p/tree',
      env: { HOME: '/rooms/p/home', MAVEN_OPTS: '-Drepo=/rooms/p/home/.m2', CI: 'true' },
      lease: { projectId: 'p', workerId: 'w', epoch: 1 },
      purpose: 'test',
      timeoutMs: 1,
      signal: new AbortController().signal,
      writable: ['/rooms/p/tree'],
      readOnly: ['/rooms/p/tree/node_modules', '/rooms/p/tree/.venv'],
      network: 'none' as const,
    };
    await new MountedSandbox(inner, MOVES, [store]).run(command);
    expect(asked).toMatchObject([
      {
        cwd: '/worktrees/p',
        env: { HOME: '/places/p/home', MAVEN_OPTS: '-Drepo=/places/p/home/.m2', CI: 'true' },
        writable: [],
        readOnly: [],
        mounts: [
          { outside: '/rooms/p/tree/.venv', inside: '/worktrees/p/.venv', isWritable: false },
          { outside: '/rooms/p/tree', inside: '/worktrees/p', isWritable: true },
          store,
        ],
      },
    ]);
  });
});

import type { CommandResult } from '#process-monitor';
import { isWithin } from '../sandbox/sandbox-paths.js';
import type { Mount, Sandbox, SandboxedCommand } from '../sandbox/sandbox.port.js';

/** A folder, and the path under which commands find it. */
export type Move = Pick<Mount, 'outside' | 'inside'>;

/**
 * Shows folders of the host under other paths. Commands in the clean room find it where the worktree is: environments,
 * editable installs and build files name that path.
 */
export class MountedSandbox implements Sandbox {
  readonly canMount = true;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly moves: readonly Move[],
    private readonly mounts: readonly Mount[] = [],
  ) {}

  get kind(): Sandbox['kind'] {
    return this.sandbox.kind;
  }

  get guarantees(): Sandbox['guarantees'] {
    return this.sandbox.guarantees;
  }

  run(command: SandboxedCommand): Promise<CommandResult> {
    const { writable, readOnly = [], cwd, env = {}, mounts = [] } = command;
    const move = (path: string): string => movePath(path, this.moves);
    const taken = new Set(this.mounts.map(({ inside }) => inside));
    const asked = [
      ...readOnly.map((outside): Mount => ({ outside, inside: move(outside), isWritable: false })),
      ...writable.map((outside): Mount => ({ outside, inside: move(outside), isWritable: true })),
    ].filter(({ inside }) => !taken.has(inside));
    return this.sandbox.run({
      ...command,
      cwd: move(cwd),
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moveText(value, this.moves)])),
      writable: [],
      readOnly: [],
      mounts: [...mounts, ...asked, ...this.mounts],
    });
  }
}

export function movePath(path: string, moves: readonly Move[]): string {
  const found = moves.find(({ outside }) => isWithin(path, outside));
  return found ? `${found.inside}${path.slice(found.outside.length)}` : path;
}

/** Values of the environment may name a path in the middle. */
const moveText = (text: string, moves: readonly Move[]): string =>
  moves.reduce((moved, { outside, inside }) => moved.replaceAll(outside, inside), text);

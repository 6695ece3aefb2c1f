import { brief, cleanText, headAndTail } from '../api/bounded-text.js';
import type { CliParts } from './cli-parts.js';
import type { RunFacts } from './judge-run.js';
import type { CliRun } from './run-cli.js';

const VERSION_MS = 20_000;

/** It printed nothing about its work, called nobody and ended badly by itself: perhaps it never began. */
export const seemsNotStarted = ({ result, end, tally }: RunFacts): boolean =>
  end === null && tally.calls === 0 && result.endedBy === 'itself' && result.exitCode !== 0;

/**
 * Why a CLI that told its version outside does not tell it inside of the sandbox; null where it does. What a shim starts
 * may lie anywhere, so whether all of it can be seen inside only shows there. Asked only of one that seems not to have
 * started: the others have shown that they do.
 */
export async function problemInside(one: CliRun, parts: CliParts): Promise<string | null> {
  const { spec, found, scene, run, sandbox } = one;
  if (!sandbox.guarantees.hidesFiles) return null;
  const [file, ...args] = found.command;
  const place = await parts.placeOf(scene.worktree);
  let said = '';
  const { exitCode, endedBy } = await sandbox.run({
    file,
    args: [...args, '--version'],
    cwd: scene.worktree.folder,
    // A /tmp of its own.
    env: { ...place.env, HOME: '/tmp' },
    lease: run.lease,
    purpose: `${spec.name} --version`,
    timeoutMs: VERSION_MS,
    signal: run.signal,
    limits: parts.limits,
    writable: [],
    readable: [scene.worktree.folder, ...found.readable, process.execPath],
    network: 'none',
    onOutput: (_stream, chunk) => (said = `${said}${chunk.toString('utf8')}`.slice(-16_384)),
  });
  run.signal.throwIfAborted();
  if (exitCode === 0 || endedBy !== 'itself') return null;
  const program = found.command.at(-1) ?? spec.name;
  const words = brief(headAndTail(cleanText(said, parts.secrets), 900), 1_000);
  return (
    `${program} starts outside of the sandbox, but not inside: what it needs lies where the sandbox shows nothing, ` +
    `as with the shims of version managers. Have the program itself on the PATH, for instance by ${spec.install} ` +
    `with a Node that no version manager wraps. It said: ${words}`
  );
}

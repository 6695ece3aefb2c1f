import { type ChildProcess, spawn } from 'node:child_process';
import type { GroupEnd, GroupWish, HostAnswer, HostRequest } from './run-group.js';

// A process of its own, which imports nothing: so it is small, and stays small.

const LONGEST_STDERR = 16_384;
/** A git that is told to end takes its locks away, also those that the user's own gits would wait for. */
const GRACE_MS = 2_000;

/**
 * Runs a program to its end, with all that it starts: they are one process group, so none of them works on, or keeps
 * the pipes open, when the time is up or nobody wants the answer any more. Rejects where it cannot be started.
 */
async function runGroup(wish: GroupWish): Promise<GroupEnd> {
  const { file, args, cwd, env, input, signal, timeoutMs, outputBytes } = wish;
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
  let endedBy: GroupEnd['endedBy'] = null;
  let grace: NodeJS.Timeout | undefined;
  const end = (by: typeof endedBy): void => {
    endedBy ??= by;
    send(child, 'SIGTERM');
    grace ??= setTimeout(() => kill(child), GRACE_MS);
  };
  const timer = setTimeout(() => end('time-out'), timeoutMs);
  const interrupt = (): void => end('interruption');
  signal?.addEventListener('abort', interrupt, { once: true });
  const said: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    if (bytes <= outputBytes) said.push(chunk);
    bytes += chunk.length;
    if (bytes > outputBytes) kill(child);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < LONGEST_STDERR) stderr += chunk.toString('utf8');
  });
  // A git that fails early does not read its input to the end; how it ended says more than the broken pipe.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return {
      stdout: Buffer.concat(said).subarray(0, outputBytes),
      stderr,
      exitCode,
      isCut: bytes > outputBytes,
      endedBy,
    };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal?.removeEventListener('abort', interrupt);
  }
}

/** Also those that are left when their leader is gone. Nobody outside of the group can hold the pipes open after it. */
function kill(child: ChildProcess): void {
  send(child, 'SIGKILL');
  for (const pipe of child.stdio) pipe?.destroy();
}

function send({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    // Its pipes are still open: so the group has members, and its number is nobody else's.
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const running = new Map<number, AbortController>();

async function answerTo(id: number, wish: GroupWish): Promise<HostAnswer> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    return { id, end: await runGroup({ ...wish, signal: stop.signal }) };
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    return { id, error: { message, code, syscall } };
  } finally {
    running.delete(id);
  }
}

const parent = process.ppid;

process.on('message', (request: HostRequest) => {
  // Whoever takes over from a worker that is gone may work there by now.
  if (process.ppid !== parent) return;
  if (request.wish === null) running.get(request.id)?.abort();
  // Whoever asked may be gone by now.
  else void answerTo(request.id, request.wish).then((answer) => process.send?.(answer, () => undefined));
});
// It ends with the process that started it, once all that it runs has ended; not before, when both are told to stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

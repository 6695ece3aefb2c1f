import { runCli } from './cli.js';

/** A reader such as `head` that has seen enough is no fault. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

const ctrlC = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Asked twice, it leaves without a word.
  process.on(signal, () => (ctrlC.signal.aborted ? process.exit(130) : ctrlC.abort()));
}

const streams = {
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY,
};
process.exitCode = await runCli(process.argv.slice(2), streams, ctrlC.signal);

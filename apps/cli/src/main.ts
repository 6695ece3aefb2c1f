import { fileURLToPath } from 'node:url';
import { loadCliSettings } from '#config';
import { runCli } from './cli.js';
import { EXIT } from './exit-codes.js';

/** A reader such as `head` that has seen enough is no fault. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.unwritten));
}

const ctrlC = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Asked twice, it leaves without a word.
  process.on(signal, () => (ctrlC.signal.aborted ? process.exit(EXIT.interrupted) : ctrlC.abort()));
}

const streams = {
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY,
};
/** Seen from the build. */
const home = fileURLToPath(new URL('../../../../', import.meta.url));
process.exitCode = await runCli(process.argv.slice(2), streams, ctrlC.signal, () => loadCliSettings(home));

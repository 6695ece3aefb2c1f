/**
 * Runs inside the sandbox, as a file of its own, before the CLI: a CLI wants an address with a port, and without network
 * the only way out is the proxy's socket. It ends as the CLI ends.
 */
export const LAUNCHER = `'use strict';
const { connect, createServer } = require('node:net');
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const [port, socket, program, ...args] = process.argv.slice(2);
const server = createServer((client) => {
  const proxy = connect(socket);
  for (const [from, to] of [[client, proxy], [proxy, client]]) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
});
server.listen(Number(port), '127.0.0.1', () => {
  const cli = spawn(program, args, { stdio: 'inherit' });
  cli.on('error', (error) => {
    console.error(String(error));
    process.exit(127);
  });
  cli.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => cli.kill(signal));
});
`;

/** Of a network of the sandbox's own, where nobody else listens. */
export const INNER_PORT = 41_117;
export const INNER_SOCKET = '/run/qralph/proxy.sock';

// Generates the Prisma client from prisma/schema.prisma, offline.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('./build/index.js', import.meta.resolve('prisma/package.json')));
const { status } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    // `generate` never runs the schema engine, but downloads one unless it is told of a file that exists.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  },
});
process.exit(status ?? 1);

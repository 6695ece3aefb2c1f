// `npm run build`: Prisma client, then `nest build` into dist/, then what has no source any more is taken out of dist/.
// `--if-possible`, for `npm ci --omit=dev`: without the compiler nothing is built, and that is no failure.
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureClient } from './prisma-client.mjs';
import { program, root, run, seconds } from './run.mjs';
import { stamp } from './sources.mjs';

const began = performance.now();
const beganAt = new Date();
const nest = program('@nestjs/cli', 'nest');
if (nest === null || program('typescript', 'tsc') === null || program('prisma') === null) {
  const missing = 'the development dependencies are not installed';
  if (process.argv.includes('--if-possible')) {
    console.log(`build: skipped, ${missing}; a dist/ built elsewhere is used as it is`);
    process.exit(0);
  }
  console.error(`build: ${missing}: run \`npm ci\``);
  process.exit(1);
}
await must('prisma generate', ensureClient());
await must('nest build', run(nest, ['build']));
removeOrphans('.');
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(stamp, '');
utimesSync(stamp, beganAt, beganAt);
console.log(`build: done in ${seconds(began)}`);

async function must(step, exitCode) {
  if ((await exitCode) === 0) return;
  console.error(`build: ${step} failed`);
  process.exit(1);
}

/** The compiler never deletes: a module that was removed would go on working until the next fresh clone. */
function removeOrphans(folder) {
  const path = join(root, 'dist', folder);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (existsSync(join(root, inside))) removeOrphans(inside);
      else rmSync(join(path, entry.name), { recursive: true });
    } else if (/\.js(\.map)?$/.test(entry.name) && !existsSync(join(root, inside.replace(/\.js(\.map)?$/, '.ts')))) {
      rmSync(join(path, entry.name));
    }
  }
}

// Before a program of dist/ is started: builds when a source is newer than the build, and costs next to nothing otherwise.
import { join } from 'node:path';
import { root, run } from './run.mjs';
import { newerThanBuild } from './sources.mjs';

const newer = newerThanBuild();
if (newer !== null) {
  console.error(newer === 'dist' ? 'not built yet: building' : `${newer} is newer than the build: building`);
  process.exit(await run(join(root, 'scripts', 'build.mjs'), []));
}

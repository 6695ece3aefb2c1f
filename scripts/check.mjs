// `npm run check`
import { runChecks } from './checks.mjs';

const failed = await runChecks();
if (failed.length > 0) {
  console.error(`check: failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

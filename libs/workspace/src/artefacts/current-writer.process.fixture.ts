import { appendFile, stat } from 'node:fs/promises';
import { Artefacts } from './artefacts.js';

/** Changes what is true, a byte at a time, and says it after each change, as a worker does. */
const [repo = '', truth = '', changes = '0'] = process.argv.slice(2);
const derive = async (): Promise<string> =>
  `${JSON.stringify({ changes: (await stat(truth)).size, pad: 'x'.repeat(9_000) })}\n`;
for (let change = 0; change < Number(changes); change += 1) {
  await appendFile(truth, '.');
  await new Artefacts().keepCurrent(repo, derive);
}

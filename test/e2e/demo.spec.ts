import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, tempFolder, type TempFolder } from '#testing';
import { processesOf, type Shipped, startShipped } from './shipped.js';

describe('npm run demo', () => {
  let folder: TempFolder;
  let demo: Shipped;
  beforeEach(() => {
    folder = tempFolder('demo');
    demo = startShipped('demo', folder.path);
  });
  afterEach(async () => {
    demo.child.kill('SIGTERM');
    await demo.ended;
    await folder.remove();
  });

  const shows = (line: RegExp): boolean => demo.lines.some((one) => line.test(one));
  const leftovers = async (): Promise<string[]> => [...(await readdir(folder.path)), ...processesOf(folder.path)];

  it('shows an errand from start to end, says that the model is simulated, and leaves nothing behind', async () => {
    expect([await demo.ended, demo.lines.filter((line) => line.startsWith('{'))]).toEqual(['0', []]);
    const states = demo.lines.flatMap((line) => /^([A-Z_]+) /.exec(line)?.[1] ?? []);
    expect(states).toEqual(['PREPARING', 'SETTING_UP', 'MEASURING', 'WORKING', 'VERIFYING', 'RECORDING', 'DONE']);
    for (const line of [
      /^001-dark-mode-toggle /,
      /model playbook simulated model/,
      /tool run node --test failed/,
      /tool run node --test ok/,
      /tests passed, 4 passed, 0 failed/,
      /^project\.completed$/,
      /^status +completed, with a simulated model$/,
      /^sandbox +(bubblewrap|limited)$/,
      /^checkpoints +\d+, the whole chain verifies$/,
      /^cost +0\.00 USD, \d+ tokens$/,
      /^branch +qralph\/001-dark-mode-toggle: [0-9a-f]+ Add dark mode toggle$/,
      /^checkout +untouched$/,
    ])
      expect(shows(line), `${String(line)} in\n${demo.lines.join('\n')}`).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('is live, and can be left with Ctrl-C in the middle: nothing stays behind either', async () => {
    await eventually('the agent works', () => shows(/^WORKING /), { deadlineMs: 60_000 });
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe('1');
    expect(shows(/^project\.|Error/)).toBe(false);
    expect(await leftovers()).toEqual([]);
  });
});

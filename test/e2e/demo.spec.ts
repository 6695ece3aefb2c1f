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

  it('shows a drill from start to end, says that its history is sound, and leaves nothing behind', async () => {
    expect([await demo.ended, demo.lines.filter((line) => line.startsWith('{'))]).toEqual(['0', []]);
    const states = demo.lines.flatMap((line) => /^([A-Z]+) /.exec(line)?.[1] ?? []);
    const round = ['SPLITTING', 'RECORDING', 'CHECKING'];
    const end = ['COOLING', 'ANNOUNCING', 'APPROVAL', 'FINISHING', 'FINISHED'];
    expect(states).toEqual(['PREPARING', ...round, ...round, ...end]);
    for (const line of [
      /^001-show-what-project /,
      /task task-3 ended/,
      /waits for a person: The drill has done its rounds/,
      /approve by a human principal/,
      /^project\.completed$/,
      /^status +completed$/,
      /^checkpoints +\d+, the whole chain verifies$/,
      /^ +[0-9a-f]+ The drill is over$/,
    ])
      expect(shows(line), `${String(line)} in\n${demo.lines.join('\n')}`).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('is live, and can be left with Ctrl-C in the middle: nothing stays behind either', async () => {
    await eventually('the drill splits', () => shows(/^SPLITTING /), { deadlineMs: 60_000 });
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe('1');
    expect(shows(/^project\.|Error/)).toBe(false);
    expect(await leftovers()).toEqual([]);
  });
});

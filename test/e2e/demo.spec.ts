import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, startModelServer, tempFolder, type TempFolder } from '#testing';
import { team } from './coding-team.js';
import { processesOf, type Shipped, startShipped } from './shipped.js';

describe('npm run demo', () => {
  let folder: TempFolder;
  let demo: Shipped;
  beforeEach(() => {
    folder = tempFolder('demo');
  });
  afterEach(async () => {
    demo.child.kill('SIGTERM');
    await demo.ended;
    await folder.remove();
  });

  const shows = (line: RegExp): boolean => demo.lines.some((one) => line.test(one));
  const leftovers = async (): Promise<string[]> => [...(await readdir(folder.path)), ...processesOf(folder.path)];

  it('carries a request through a whole team, says that the model is simulated, and leaves the repository', async () => {
    demo = startShipped('demo', folder.path);
    expect([await demo.ended, demo.lines.filter((line) => line.startsWith('{'))]).toEqual(['0', []]);
    const states = demo.lines.flatMap((line) => /^([A-Z_]{3,}) /.exec(line)?.[1] ?? []);
    expect(states.filter((state, nth) => state !== states[nth - 1])).toEqual([
      ...[
        'INIT',
        'DISCOVERING',
        'REVIEWING',
        'SCOPING',
        'EXECUTING',
        'SELF_HEAL',
        'EXECUTING',
        'UAT',
        'COMPLETE',
        'TEAM_SHUTDOWN',
      ],
    ]);
    for (const line of [
      /^001-dark-mode-toggle /,
      /seat +security-reviewer, large tier, score 0: it is pinned/,
      /seat +ux-designer, medium tier, score 4: .*it is about frontend/,
      /review +security-reviewer: 1 finding\. /,
      /finding +P0 F-001 .*\[security-reviewer\]/,
      /tests +failed \(1 passed, 1 failed\)/,
      /heal +attempt 2, small model: still failing/,
      /agent +healer, medium tier/,
      /heal +attempt 3, medium model: fixed/,
      /scenario +A template cannot be read .*: passed/,
      /^project\.completed$/,
      /^status +completed, with a simulated model$/,
      /^proven +simulated$/,
      /^checkpoints +\d+, the whole chain verifies$/,
      /^ +[\d,]{5,} of 500,000 tokens so far, simulated: nothing is paid$/,
      /^cost +[\d,]{5,} tokens of a simulated model/,
      /^checkout +untouched$/,
    ])
      expect(shows(line), `${String(line)} in\n${demo.lines.join('\n')}`).toBe(true);
    const summary = demo.lines.flatMap((line) => /^summary +(\S+)$/.exec(line)?.[1] ?? [])[0] ?? '';
    expect(await readFile(summary, 'utf8')).toMatch(
      /simulated model[^]*- proven: simulated[^]*tests after: passed \(7 passed/,
    );
    const [root = '', ...others] = await readdir(folder.path);
    expect([others, await readdir(join(folder.path, root)), processesOf(folder.path)]).toEqual([[], ['greeter'], []]);
  });

  it('asks the real models where there is a key, is live, and can be left with Ctrl-C: nothing stays behind', async () => {
    const key = 'sk-ant-demo-0123456789abcdefghijklmnop';
    const provider = await startModelServer(team(), { key });
    demo = startShipped('demo', folder.path, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: provider.url });
    try {
      const paid = /model +implementer asks claude-sonnet-5-5: .* USD$/;
      await eventually('an agent works', () => shows(paid), { deadlineMs: 60_000 });
      demo.child.kill('SIGINT');
      expect(await demo.ended).toBe('1');
    } finally {
      await provider.stop();
    }
    expect(shows(/tokens so far, 0\.0\d+ of 5\.00 USD$/)).toBe(true);
    expect(shows(/^project\.|Error|simulated|sk-ant/)).toBe(false);
    expect(await leftovers()).toEqual([]);
  });
});

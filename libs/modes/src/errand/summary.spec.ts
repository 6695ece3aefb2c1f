import { expect, it } from 'vitest';
import type { ActivityContext } from '#engine';
import type { Json } from '#kernel';
import type { Spending } from '../history.js';
import { summaryPage } from './summary.js';

const sums = {
  calls: 2,
  unknownCalls: 0,
  simulatedCalls: 0,
  tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  costUsd: '0.30',
  countedUsd: '0.30',
};
const spending: Spending = { total: sums, byAgent: [{ key: 'implementer', ...sums }], byModel: [] };
const unheard = [{ number: 1, agent: null, text: 'use\nthe tokens' }];
const pageOf = (context: Record<string, Json>, spent = spending) =>
  summaryPage(
    { project: { name: '001-x', request: 'Do\nit' }, state: 'DONE', context } as ActivityContext,
    spent,
    unheard,
  );

it('says what changed, what it cost and what the agent said', () => {
  const files = [{ path: 'a`b\n# c', status: 'added', from: null, insertions: 3, deletions: 0 }];
  const page = pageOf({
    recorded: 'c0ffee',
    files: { shown: files, more: 0 },
    said: 'It works.',
    notes: ['Your checkout is dirty.'],
  });
  expect(page).toContain('- request: Do it\n- end: DONE\n');
  expect(page).toContain('- note: Your checkout is dirty.');
  expect(page).toContain('\n- added ``a`b # c``, +3 −0\n');
  expect(page).toContain('| agent implementer | 2 | 2 | 0.30 |');
  expect(page).toContain('## Notes that no agent read\n\n- note 1 to all agents: use the tokens\n');
  expect(page).toContain('## What the agent said\n\nIt works.\n');
  expect(page).not.toContain('Why it stopped');
});

it('counts the files that are too many, and calls a cost unknown that is', () => {
  const file = { path: 'a', status: 'changed', from: null, insertions: 1, deletions: 1 };
  const unknown = { ...sums, costUsd: null, unknownCalls: 2 };
  const page = pageOf({ recorded: 'c', files: { shown: [file], more: 5 } }, { ...spending, total: unknown });
  expect(page).toContain('- and 5 more\n');
  expect(page).toContain('| all | 2 | 2 | unknown | 2 |');
});

it('says what stood in the way, in the first line of what a person was asked', () => {
  const page = pageOf({
    block: { cause: 'setup', message: '# npm ci failed' },
    why: '# npm ci failed\n\nLikely best answer: look.',
  });
  expect(page).toContain('nothing committed');
  expect(page).toContain('## Why it stopped\n\n    # npm ci failed\n\n## What the agent said');
});

it('says that a model was simulated, though the errand never came to its end', () => {
  expect(pageOf({}, { ...spending, total: { ...sums, simulatedCalls: 1 } })).toContain(
    '**Done by a simulated model.**',
  );
});

it('calls the work of a simulated model simulated, never proven', () => {
  const simulated = { ...spending, total: { ...sums, simulatedCalls: 1 } };
  expect(pageOf({ recorded: 'c0ffee' }, simulated)).toContain('- proven: simulated\n');
  expect(pageOf({ recorded: 'c0ffee', isProven: true, simulated: true })).toContain('- proven: simulated\n');
  expect(pageOf({ recorded: 'c0ffee', isProven: true })).toContain('- proven: yes\n');
  expect(pageOf({ recorded: 'c0ffee' })).not.toContain('- proven');
});

import { describe, expect, it } from 'vitest';
import { fakeParts, taskOf } from '../coding/coding.fixture.js';
import { stepStrategy } from './step-strategy.js';

const task = taskOf('T-002', { kind: 'step' });
const evidence = { by: 'checker', because: 'seen', run: null, quotes: [] };

describe('what is kept of a step', () => {
  it('is what it left: a document that it deleted is handed to nobody any more', () => {
    const before = [
      { path: 'docs/old.md', commit: 'c1', task: 'T-001' },
      { path: 'docs/kept.md', commit: 'c1', task: 'T-001' },
    ];
    const checked = {
      task: 'T-002',
      files: ['docs/new.md', 'src/a.js', `${'x'.repeat(500)}.md`],
      deleted: ['docs/old.md'],
      evidence,
    };
    const kept = stepStrategy(fakeParts().parts).kept({ deliverables: before, checked }, task, 'c2');
    expect(kept['deliverables']).toEqual([before[1], { path: 'docs/new.md', commit: 'c2', task: 'T-002' }]);
    expect(kept['results']).toEqual([{ ...checked, commit: 'c2' }]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listed } from './coding-context.js';
import { findingWith, taskOf } from './coding.fixture.js';
import { commitMessage, doneInAll, findingOf, readTaskOutput, withOutcome } from './work-task.js';

describe('what an agent says of its task', () => {
  it('is read where it has the shape, else its text is the summary', () => {
    const said = { outcome: 'not-applicable', summary: 'it is there already' };
    expect(readTaskOutput(said, 'text')).toEqual(said);
    for (const output of [null, {}, [], 'done', { outcome: 'maybe', summary: 'x' }, { outcome: 'done' }]) {
      expect(readTaskOutput(output, 'text')).toEqual({ outcome: 'done', summary: 'text' });
    }
  });
});

describe('what was done for a task that had to be mended', () => {
  const pending = { outcome: 'done', summary: 'a toggle' };

  it('is the change that failed its tests, and what mended it', () => {
    const context = { pending, isRolledBack: false };
    expect(doneInAll({ context }, 'it gives the other theme')).toBe(
      'a toggle\n\nAfter its tests failed: it gives the other theme',
    );
  });

  it('is what mended it alone where the change was rolled back, or nobody said anything of it', () => {
    expect(doneInAll({ context: { pending, isRolledBack: true } }, 'anew')).toBe('anew');
    expect(doneInAll({ context: {} }, 'anew')).toBe('anew');
  });
});

describe('the finding of a task', () => {
  const context = { findings: listed([findingWith('F-001'), findingWith('F-002')]) };

  it('is found by its number, and none where the task has none', () => {
    expect(findingOf({ context }, taskOf('T-001', { finding: 'F-002' }))?.id).toBe('F-002');
    expect(findingOf({ context }, taskOf('T-001'))).toBeNull();
    expect(findingOf({ context: {} }, taskOf('T-001', { finding: 'F-002' }))).toBeNull();
  });

  it('alone is given its outcome', () => {
    const outcome = { kind: 'fixed', commit: 'c', reason: null } as const;
    const kinds = (id: string | null): string[] =>
      withOutcome([findingWith('F-001'), findingWith('F-002')], id, outcome).map((one) => one.outcome.kind);
    expect([kinds('F-002'), kinds(null), kinds('F-009')]).toEqual([
      ['open', 'fixed'],
      ['open', 'open'],
      ['open', 'open'],
    ]);
  });
});

describe('the message of a commit', () => {
  it('names the finding or the task, says why, and that a model was simulated', () => {
    expect(commitMessage(taskOf('T-001'), 'It was so.', false)).toBe('T-001: Title of T-001\n\nIt was so.');
    const message = commitMessage(taskOf('T-002', { finding: 'F-001' }), '', true);
    expect(message).toBe('F-001: Title of T-002\n\nMade by a simulated model.');
  });

  it('has a subject of one line with at most 72 characters, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string(), (title, summary) => {
        const [subject = ''] = commitMessage(taskOf('T-001', { title }), summary, false).split('\n\n');
        expect(subject).not.toMatch(/[\n\r\u2028]/);
        expect(subject.length).toBeLessThanOrEqual(72);
      }),
    );
    expect(commitMessage(taskOf('T-001'), 'x'.repeat(1e6), false).length).toBeLessThan(5_000);
  });
});

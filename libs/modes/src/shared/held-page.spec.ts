import { describe, expect, it } from 'vitest';
import { type Held, heldLine, heldPage } from './held-page.js';

const held: Held = {
  project: { id: 'p', name: '001-dark-mode', request: 'Add dark mode | now', mode: 'coding', state: 'EXECUTING' },
  seq: 7,
  reason: 'a flipped bit',
  good: 6,
  told: [{ at: new Date(0), type: 'project.held', data: { seq: 7, reason: 'a flipped bit', rule: 'hold' } }],
  pending: { files: [{ path: 'by-hand.txt', status: 'added', isAsInCommit: null }], isCut: false },
  unknown: [],
};

describe('STATE.md of a project that is held', () => {
  it('says that it is, what lies in the worktree, what happened, and the checkpoint to go back to', () => {
    const page = heldPage(held);
    expect(page.split('\n')).toContain(heldLine(7));
    expect(page).toContain('checkpoint 7 cannot be used (a flipped bit)');
    expect(page).toContain('- added by-hand.txt');
    expect(page).toContain('held: checkpoint 7 cannot be used |');
    expect(page).toContain('`POST /v1/projects/p/checkpoints/6/restore`');
    expect(page).not.toContain('team');
  });

  it('says if no checkpoint can be restored', () => {
    expect(heldPage({ ...held, good: null })).toContain('No checkpoint can be restored.');
  });
});

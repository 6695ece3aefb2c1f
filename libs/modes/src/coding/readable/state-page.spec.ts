import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { cellsOf, headingsOf, hostileText } from '../../shared/markdown.fixture.js';
import { listed } from '../coding-context.js';
import { taskOf, Visit } from '../coding.fixture.js';
import { sceneOf } from './pages.fixture.js';
import type { Shown } from './seed-state.js';
import { statePage } from './state-page.js';

const at = new Date('2026-01-02T03:04:05.000Z');
const told = (type: string, data: JsonObject) => ({ at, type, data });
const NEWS = { told: [], pending: { files: [], isCut: false }, unknown: [] };
const changed = (path: string) => ({ path, status: 'changed' as const, isAsInCommit: null });
const STATE_SECTIONS = [
  ...[
    '# 001-x',
    '## Execution plan',
    '## Current step',
    '## Uncommitted work',
    '## Status unknown',
    '## Session log',
    '## Next session',
  ],
];

describe('STATE.md', () => {
  it('names the project that it was forked from; one that was forked before names were kept, its id', () => {
    const forked = (more: object): string => statePage(sceneOf('Add it', { forkedFrom: { project: 'an-id', seq: 4, ...more } }), NEWS); // prettier-ignore
    expect(forked({ name: '001-origin' })).toContain('| forked from | checkpoint 4 of 001-origin |');
    expect(forked({})).toContain('| forked from | checkpoint 4 of an-id |');
  });

  it('has the meta table, the plan with its boxes, and the current step', () => {
    const page = statePage(sceneOf('Add it'), NEWS);
    expect(page).toContain('| request | Add it |\n| state | EXECUTING |');
    expect(page).toContain('- [x] T-001 Add it (c0ffee12)\n- [~] T-002 Add it\n- [-] T-003 Add it, deferred\n');
    expect(page).toContain('- task: T-002 Add it\n- problem: P-001 Add it, 1 attempt\n');
    expect(page).not.toContain('waits because');
    expect(page).not.toContain('simulated');
    expect(statePage(sceneOf('Add it', { simulated: true }), NEWS)).toContain('**With a simulated model.**');
  });

  it('says whether the request is proven, and calls the work of a simulated model simulated', () => {
    const page = (context: JsonObject, status?: 'completed') =>
      statePage({ ...sceneOf('Add it', context), ...(status && { status }) }, NEWS);
    expect(page({})).toContain('| proven | not judged yet |');
    expect(page({ isProven: true })).toContain('| proven | yes |');
    expect(page({ isProven: false })).toContain('| proven | no |');
    expect(page({ isProven: true, isWhollyAccepted: false })).toContain('| proven | no |');
    expect(page({ isProven: true, simulated: true })).toContain('| proven | simulated |');
    expect(page({ simulated: true }, 'completed')).toContain('| proven | simulated |');
  });

  it('says which task is worked on, though no checkpoint has it before it has come to something', () => {
    const tasks = listed([taskOf('T-001', { status: 'completed' }), taskOf('T-002'), taskOf('T-003')]);
    const page = statePage(sceneOf('Add it', { tasks }), NEWS);
    expect(page).toMatch(/- \[x\] T-001.*\n- \[~\] T-002.*\n- \[ \] T-003[^]*- task: T-002/);
  });

  it('says at a gate what led there: a line as one, and a plan as its first lines', () => {
    const gate = { name: 'plan', ask: 'Shall it be carried out?', options: { approve: 'a' } };
    const asked = (why: string) => statePage({ ...sceneOf('Add it', { why }), gate, status: 'waiting' }, NEWS);
    expect(asked('Add it')).toContain('- waits because: Add it\n');
    const plan = ['# Plan', ...Array.from({ length: 20 }, (_, nth) => `line ${String(nth)}`)].join('\n\n');
    expect(asked(plan)).toMatch(/- waits because:\n\n +# Plan\n +line 0\n[^]* line 10\n\n {2}and 9 more lines/);
  });

  it('has uncommitted work, the session log and what to do next', () => {
    const events = [
      told('state.entered', { to: 'INIT', cause: 'created' }),
      told('state.entered', { from: 'INIT', to: 'DISCOVERING', cause: 'project:created' }),
      told('activity.reported', { event: 'task:finished' }),
      told('project.taken-over', { from: 'w1', by: 'w2' }),
      told('checkpoint.restored', { from: 9, to: 6 }),
    ];
    const page = statePage(sceneOf('Add it'), {
      ...NEWS,
      told: events,
      pending: { files: [changed('a.mjs'), changed('b.mjs')], isCut: false },
    });
    expect(page).toContain('## Uncommitted work\n\n- changed a.mjs\n- changed b.mjs\n');
    const time = '| 2026-01-02T03:04:05.000Z |';
    expect(page).toContain(
      `## Session log\n\n| time | state | because |\n| --- | --- | --- |\n${time} INIT | created |\n` +
        `${time} DISCOVERING | project:created |\n${time}  | the worker stopped; its processes were ended, and another worker continued |\n` +
        `${time}  | restored checkpoint 6 |\n\n## Next session\n\nYou need to do nothing: the project continues by itself.`,
    );
    expect(statePage(sceneOf('Add it'), NEWS)).toContain('## Uncommitted work\n\nNone.\n');
  });

  it('says at a gate what is asked and how it is answered', () => {
    const gate = { name: 'plan', ask: 'Shall it be carried out?', options: { approve: 'a', revise: 'b' } };
    const page = statePage({ ...sceneOf('Add it'), state: 'USER_REVIEW', status: 'waiting', gate }, NEWS);
    expect(page).toContain('- state: USER_REVIEW, waiting\n');
    expect(page).toContain(
      'The project waits for your decision: Shall it be carried out?\n\nTo decide: `POST /v1/projects/p/gates/plan` with one of approve, revise.\n',
    );
    const block = { ...sceneOf('x', { block: { cause: 'budget' } }), status: 'blocked' as const, gate };
    expect(statePage(block, NEWS)).toContain('`POST /v1/projects/p/budget`');
  });

  it('says what brings a project on that waits otherwise', () => {
    const next = (more: Partial<Shown>): string =>
      statePage({ ...sceneOf('x', { baseCommit: 'base' }), ...more }, NEWS).split('## Next session\n\n')[1] ?? '';
    expect(next({ status: 'paused' })).toContain('RESUME');
    expect(next({ wait: { kind: 'step-failed', code: 'DISK_FULL', message: 'no space' } })).toMatch(
      /no space[^]*RETRY/,
    );
    expect(next({ wait: { kind: 'time', reason: 'rate-limit', ms: 1, words: 'until noon' } })).toContain('until noon');
    for (const state of ['COMPLETE', 'TEAM_SHUTDOWN']) {
      expect(next({ state })).toContain('`git log -p base..qralph/x`');
    }
  });

  it('says what is not there yet', () => {
    const page = statePage({ ...new Visit({}).activity }, NEWS);
    expect(page).toContain('| branch | none |\n| team | none yet |');
    expect(page).toContain('## Execution plan\n\nNone yet.\n');
  });

  it('has the rows and headings that it has, whatever the words in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const told = [{ at, type: 'state.entered', data: { to: text, cause: text } }];
        const unknown = [{ what: text, then: text }];
        const page = statePage(sceneOf(text), { told, pending: { files: [changed(text)], isCut: false }, unknown });
        expect(headingsOf(page)).toEqual(STATE_SECTIONS);
        expect(new Set(cellsOf(page))).toEqual(new Set([2, 3]));
      }),
    );
  });
});

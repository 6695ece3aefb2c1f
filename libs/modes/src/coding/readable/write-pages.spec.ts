import { describe, expect, it } from 'vitest';
import { type Activity, report } from '#engine';
import { UserError, WorldError } from '#kernel';
import { eventOf, fakeParts, findingWith, reviewOf, Visit } from '../coding.fixture.js';
import { listed } from '../coding-context.js';
import { LEFT_TO_PEOPLE } from './left-to-people.js';
import { refreshPages, withPages, writeLastPages, writePagesAtRest } from './write-pages.js';

const FULL = new WorldError('DISK_FULL', 'no space left on the disk');

/** Parts whose checkout takes no page. */
function partsWithout(error: Error) {
  const { parts } = fakeParts();
  return { ...parts, artefacts: { ...parts.artefacts, writeAll: () => Promise.reject(error) } };
}

/** An activity that is at work when the page has long failed. */
function slowly(end: () => ReturnType<Activity>) {
  const done: string[] = [];
  const activity: Activity = async (context) => {
    for (const step of ['work', 'verify', 'commit']) {
      await new Promise(setImmediate);
      await context.effect({ step, settle: { kind: 'repeat' }, run: async () => null });
      done.push(step);
    }
    return end();
  };
  return { activity, done };
}

describe('an activity with pages', () => {
  it('reports what it did, and the pages are written beside it', async () => {
    const { parts, pages } = fakeParts();
    const { activity, done } = slowly(async () => report('task:done'));
    expect(eventOf(await withPages(parts, activity)(new Visit({}).activity)).type).toBe('task:done');
    expect([done.length, pages.has('STATE.md')]).toEqual([3, true]);
  });

  it('is not cut off by a page that cannot be written: that is said when its work is done', async () => {
    const { activity, done } = slowly(async () => report('task:done'));
    await expect(withPages(partsWithout(FULL), activity)(new Visit({}).activity)).rejects.toBe(FULL);
    expect(done).toEqual(['work', 'verify', 'commit']);
  });

  it('reports what it did where the page never can be written', async () => {
    const { activity } = slowly(async () => report('task:done'));
    const [visit, parts] = [new Visit({}), partsWithout(new UserError('ARTEFACT_TOO_LARGE', 'too large'))];
    expect(eventOf(await withPages(parts, activity)(visit.activity)).type).toBe('task:done');
    expect(visit.told).toEqual(['artefacts.unwritten']);
  });

  it('fails with its own error, whatever else has failed before', async () => {
    const own = new WorldError('MODEL_AWAY', 'the model does not answer');
    const { activity } = slowly(() => Promise.reject(own));
    await expect(withPages(partsWithout(FULL), activity)(new Visit({}).activity)).rejects.toBe(own);
    await expect(withPages(fakeParts().parts, activity)(new Visit({}).activity)).rejects.toBe(own);
  });
});

describe('the pages of a project', () => {
  it('say at a gate, where no activity runs, that it waits there', async () => {
    const { parts, pages } = fakeParts();
    const { activity } = new Visit({ baseCommit: 'base', good: { commit: 'good', checkpoint: 1 }, commit: 'snapshot' });
    const gate = { name: 'resolve-problem', ask: 'Is it resolved?', options: { resolve: 'r', defer: 'd' } };
    await writePagesAtRest(parts)({ ...activity, state: 'BLOCKED', status: 'blocked', gate, wait: null, isNews: true });
    expect(pages.get('STATE.md')).toMatch(
      /\| state \| BLOCKED \|[^]*## Uncommitted work\n\n- changed a\.mjs\n[^]*resolve, defer/,
    );
    expect(JSON.parse(pages.get('checkpoints/000007.json') ?? '')).toMatchObject({ state: 'BLOCKED', seq: 7 });
    expect(pages.get('checkpoints/latest.json')).toBe(pages.get('state.json'));
  });

  it('of the states before are there too where the folder has none, as a fork begins', async () => {
    const member = { agent: 'product', teammate: 'product-agent', tier: 'small', score: 1, reasons: [], skills: [] };
    const team = { name: 't', domains: [], status: 'working', members: [member] };
    const known = { team, reviews: listed([reviewOf('product')]), findings: [], tasks: [] };
    const { parts, pages } = fakeParts();
    await refreshPages(parts, new Visit(known).activity);
    const early = ['CONTROL.md', 'discovered-plugins.json', 'agent-outputs/product.md', 'SYNTHESIS.md', 'PLAN.md'];
    expect([...pages.keys()]).toEqual(expect.arrayContaining([...early, 'ASSUMPTIONS.md']));
    pages.delete('PLAN.md');
    await refreshPages(parts, new Visit(known).activity);
    expect(pages.has('PLAN.md')).toBe(false);
    pages.clear();
    const plan = { summary: 'as approved', steps: [], risks: [] };
    await refreshPages(parts, new Visit({ ...known, plan, feedback: ['shorter'] }).activity);
    expect(pages.get('PLAN.md')).toContain('as approved');
    expect(pages.get('PLAN-FEEDBACK.md')).toContain('shorter');
  });

  it('say when it has ended how, at its last checkpoint, and nothing of a worktree that is gone', async () => {
    for (const status of ['completed', 'aborted'] as const) {
      const { parts, pages } = fakeParts();
      const { activity } = new Visit({ baseCommit: 'base', commit: 'snapshot' }, { state: 'DONE' });
      await writePagesAtRest(parts)({ ...activity, status, gate: null, wait: null, isNews: true });
      expect(pages.get('STATE.md')).toMatch(
        new RegExp(`\\| status \\| ${status} \\|[^]*None: there is no worktree\\.[^]*The project has ended\\. SUMMARY`),
      );
      expect(JSON.parse(pages.get('checkpoints/latest.json') ?? '')).toMatchObject({ state: 'DONE', seq: 7 });
    }
  });

  it('are all there at its end, and say so where there is nothing to say', async () => {
    const { parts, pages } = fakeParts();
    await writeLastPages(parts, new Visit({}, { state: 'TEAM_SHUTDOWN' }).activity, {});
    expect(pages.get('UAT.md')).toContain('No scenario was written.');
    expect(pages.get('DEFERRED.md')).toBe('# Deferred\n\nNothing was put off.\n');
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(['SUMMARY.md', 'STATE.md', 'state.json', 'decisions.log', 'checkpoints/latest.json']),
    );
  });

  it('say how it ended, by how it came to its last state', async () => {
    for (const [from, cause, isAccepted, end] of [
      ['COMPLETE', 'project:finalised', true, 'completed'],
      ['FUTURE_REQ', 'item:deferred', true, 'completed'],
      ['COMPLETE', 'ABORT', true, 'aborted'],
      ['FUTURE_REQ', 'item:deferred', false, 'aborted'],
      ['USER_REVIEW', 'plan:reject', false, 'aborted'],
      ['BEFORE_COMPLETE', 'complete:reject', true, 'aborted'],
    ] as const) {
      const { parts, pages } = fakeParts();
      const told = async () => [{ at: new Date(0), type: 'state.entered', data: { from, cause } }];
      const history = { ...parts.history, told };
      const visit = new Visit({ isAccepted, baseCommit: 'base', commit: 'now' }, { state: 'TEAM_SHUTDOWN' });
      await writeLastPages({ ...parts, history }, visit.activity, {});
      expect(pages.get('SUMMARY.md')).toContain(`- state: TEAM_SHUTDOWN, ${end}\n`);
      expect(pages.get('SUMMARY.md')).toContain('## What changed\n\n- `a.mjs`\n');
      expect(pages.get('STATE.md')).toContain(`| status | ${end} |`);
    }
  });

  it('have what nobody took up among what was put off', async () => {
    const { parts, pages } = fakeParts();
    const findings = listed([
      findingWith('F-001', { priority: 'P2', file: 'a.mjs', line: 3, outcome: LEFT_TO_PEOPLE }),
      findingWith('F-002', { outcome: { kind: 'fixed', commit: 'c', reason: null } }),
    ]);
    await writeLastPages(parts, new Visit({ findings }).activity, {});
    const page = pages.get('DEFERRED.md') ?? '';
    expect(page.match(/^## .*$/gm)).toEqual(['## DEFER-001: P2 F-001 Title of F-001 (a.mjs:3)']);
    expect(page).toContain('Problem: Body of F-001 Found by sde-iii. Nothing was tried.');
  });
});

import { describe, expect, it } from 'vitest';
import { eventOf, fakeParts, Visit } from './coding.fixture.js';
import { execute } from './execute.activity.js';
import { finalise } from './finalise.activity.js';
import { shutDownTeam } from './shut-down-team.activity.js';

const decided = (decision: string) => ({
  commit: 'base',
  isAccepted: true,
  decision: { gate: 'complete', decision, feedback: 'Name it theme.' },
});
const parts = (left: string) => {
  const made = fakeParts({ left });
  const diff = async () => ({ files: [], patch: '', isCut: false });
  return { ...made, parts: { ...made.parts, worktrees: { ...made.parts.worktrees, diff } } };
};

describe('what a person changed at the gate before COMPLETE', () => {
  it('is no part of what they approve: it is kept, and SUMMARY.md says where', async () => {
    const { parts: given, pages } = parts('by-hand');
    const { activity } = new Visit(decided('approve'), { state: 'COMPLETE' });
    const { patch } = eventOf(await finalise(given, null)(activity));
    expect(patch).toMatchObject({ commit: 'base', recorded: 'base', leftByPerson: ['by-hand'] });
    expect(pages.get('SUMMARY.md')).toContain('## Changes by a person while it waited\n\n- git show by-hand\n');
  });

  it('is nothing where nothing was changed, and is not looked for where nobody was asked', async () => {
    const { parts: given, pages } = parts('base');
    const { activity } = new Visit(decided('approve'), { state: 'COMPLETE' });
    expect(eventOf(await finalise(given, null)(activity)).patch).not.toHaveProperty('leftByPerson');
    expect(pages.get('SUMMARY.md')).not.toContain('Left by a person');
    const visit = new Visit({ commit: 'base', isAccepted: true }, { state: 'COMPLETE' });
    await finalise(parts('by-hand').parts, null)(visit.activity);
    expect(visit.steps).not.toContain('as-left');
  });

  it('is kept too where they ask for more', async () => {
    const { activity } = new Visit(decided('revise'));
    const { type, patch } = eventOf(await execute(parts('by-hand').parts)(activity));
    expect([type, patch['leftByPerson']]).toEqual(['decision:heeded', ['by-hand']]);
  });

  it('is kept too where they reject it, or abort the project there', async () => {
    const { parts: given } = parts('by-hand');
    const told = async () => [{ at: new Date(0), type: 'state.entered', data: { from: 'BEFORE_COMPLETE', cause: 'ABORT' } }]; // prettier-ignore
    const history = { ...given.history, told };
    const { activity } = new Visit({ commit: 'base' }, { state: 'TEAM_SHUTDOWN' });
    const { patch } = eventOf(await shutDownTeam({ ...given, history })(activity));
    expect(patch['leftByPerson']).toEqual(['by-hand']);
  });
});

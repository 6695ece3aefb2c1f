import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import { classicMachine } from '../classic/machine.js';
import { errandMachine } from '../errand/machine.js';
import { workMachine } from '../work/machine.js';
import { workGuards } from '../work/outgrown.js';
import { answerAt, blockWith } from './block-screen.js';
import { waysOut } from './block-ways.js';
import { listed } from './coding-context.js';
import { taskOf, Visit } from './coding.fixture.js';
import { codingGuards } from './guards.js';
import { codingMachine } from './machine.js';

const CAUSES = [
  ...['agent', 'budget', 'setup', 'problem', 'never-healed', 'breaker-signature', 'breaker-orphans', 'unproven', 'uat'],
  ...['reviewer', 'something-new'],
];
const OPEN = taskOf('T-002', { title: 'Open', status: 'in_progress' });
const DONE = taskOf('T-001', { title: 'Done', status: 'completed', commit: 'c' });
const CONTEXTS: Readonly<Record<string, JsonObject>> = {
  'before anything': {},
  'while the reviewers work': { team: {}, seats: [{ agent: 'product' }] },
  'with nothing done': { team: {}, findings: [], isReviewed: true, tasks: listed([OPEN]) },
  'with something done': { team: {}, findings: [], isReviewed: true, tasks: listed([DONE, OPEN]) },
  'of the full team': { team: {}, findings: [], isReviewed: true, escalated: true, tasks: listed([DONE, OPEN]) },
};
const MACHINES = [codingMachine, classicMachine, workMachine, errandMachine];
const CASES = MACHINES.flatMap((machine) =>
  Object.entries(CONTEXTS).flatMap(([when, context]) => CAUSES.map((cause) => ({ machine, when, context, cause }))),
);

const sceneOf = (machine: string, cause: string, context: JsonObject) => {
  const { activity } = new Visit({ ...context, block: { cause, message: 'm' } });
  return { project: { ...activity.project, machine }, context: activity.context };
};

/** Decisions that a text names, and RETRY. */
const named = (text: string): string[] =>
  [...text.matchAll(/`(\w+)`|\b(RETRY)\b/g)].map(([, decision, retry]) => decision ?? retry ?? '');

describe('the answer of a block', () => {
  it.each(CASES)('names what the gate of $machine.name takes at $cause $when', ({ machine, context, cause }) => {
    const scene = sceneOf(machine.name, cause, context);
    const gate = machine.states['BLOCKED']?.gate;
    const offered = new Set(Object.keys(gate?.options ?? {}));
    const text = blockWith(scene, { cause, message: 'm', code: 'X' }).why ?? '';
    const decisions = named(text).filter((name) => name !== 'copy');
    for (const name of decisions) expect(name === 'RETRY' || offered.has(name)).toBe(true);
    // The tables refuse it: the same cap would trip again at once.
    if (cause === 'budget') expect(decisions).not.toContain('resolve');
    else expect(decisions).toContain('resolve');
    const guards = machine === workMachine ? workGuards : codingGuards;
    const holds = (guard: string): boolean => guards[guard]?.(scene.context, {}, {}) === true;
    const proceeds =
      holds('work-awaits-acceptance') || (machine === workMachine && holds('small-team-has-done-something'));
    expect(decisions.includes('proceed')).toBe(machine !== errandMachine && proceeds);
  });

  it('says what becomes of the rest if the item is put off', () => {
    const does = (cause: string, when: string): string =>
      waysOut(sceneOf('qralph-coding', cause, CONTEXTS[when] ?? {}), cause).find(({ decision }) => decision === 'defer')
        ?.does ?? '';
    expect(does('agent', 'before anything')).toBe('ends the project as aborted, because nothing is planned yet');
    expect(does('reviewer', 'while the reviewers work')).toBe('continues without the reviews that are missing');
    expect(does('agent', 'with nothing done')).toMatch(/^takes the change of this task back .* ends as aborted$/);
    expect(does('agent', 'with something done')).toMatch(/^takes the change of this task back .* continues$/);
    expect(does('budget', 'with something done')).toBe(
      'leaves all that is not done for later, and the project continues',
    );
    expect(does('setup', 'with something done')).toMatch(/^ends the project as aborted/);
    expect(does('uat', 'with something done')).toBe('leaves these scenarios out, and the project continues');
  });

  it('asks the person for words only if the agent that starts again reads them', () => {
    const scene = sceneOf('qralph-coding', 'agent', CONTEXTS['with something done'] ?? {});
    const likely = (role: string, code = 'AGENT_TIMED_OUT') => answerAt(scene, { cause: 'agent', code, role }).likely;
    expect(likely('implementer')).toContain('reads your words');
    expect(likely('acceptance-tester')).toBe('decide `resolve`: the agent starts again.');
    expect(likely('implementer', 'MODEL_BAD_KEY')).toMatch(/^check the provider/);
    expect(likely('implementer', 'AGENT_UNAVAILABLE')).toMatch(/^make the program of the agent run/);
  });
});

describe('the screen of a block', () => {
  const scene = sceneOf('qralph-coding', 'setup', CONTEXTS['with something done'] ?? {});

  it('says what happened, what was asked, what is done and what is not, the answer, then the output', () => {
    const { block, why } = blockWith(scene, { cause: 'setup', message: 'It\nfailed.', output: 'npm ERR!' });
    expect(block?.message).toBe('It failed.');
    expect(why?.split('\n\n')).toEqual([
      'It failed.',
      'What was asked: Add dark mode',
      'Done and committed:\n- Done',
      'Not done yet:\n- T-002 Open',
      expect.stringMatching(/^Likely best answer: .*`resolve`.*`defer` ends the project as aborted/),
      'What was printed:\nnpm ERR!',
    ]);
  });

  it('puts what belongs to the cause before the answer', () => {
    const details = { sections: ['Why:\n- it is late'], printed: 'The check printed:\nno' };
    expect(blockWith(scene, { cause: 'uat', message: 'm' }, details).why).toMatch(
      /Not done yet:[^]*\n\nWhy:\n- it is late\n\nLikely best answer: [^\n]*\n\nThe check printed:\nno$/,
    );
  });
});

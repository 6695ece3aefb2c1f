import { describe, expect, it } from 'vitest';
import type { Judgement } from '#proof';
import { blockWith } from '../block-screen.js';
import { listed } from '../coding-context.js';
import { taskOf, Visit } from '../coding.fixture.js';
import { checkWith } from './proof.fixture.js';
import type { ProofRecord } from './proof-record.js';
import { describeUnproven } from './unproven-screen.js';

const PROOF: ProofRecord = {
  ...{ commit: 'done', proven: 'no', failings: [], evidence: ['C-001 passes now.'] },
  ...{ knownFailures: [], flaky: [], notes: [] },
};
const failing = (what: string) => ({ rule: 'c', what, canHeal: false }) as const;
const JUDGEMENT: Judgement = { proven: 'no', failings: [failing('Part 2 has no check.')], notes: [] };
const TASKS = [
  taskOf('T-001', { kind: 'review', commit: 'x' }),
  taskOf('T-002', { title: 'Add it', commit: 'done', status: 'completed' }),
  taskOf('T-003', { title: 'Left out', status: 'deferred' }),
];
/** The screen of a project with these tasks. */
function render(
  request: string,
  { tasks, ...shown }: Parameters<typeof describeUnproven>[0] & { tasks: typeof TASKS },
) {
  const { message, ...details } = describeUnproven(shown);
  const { project, context } = new Visit({ findings: [], tasks: listed(tasks) }).activity;
  const scene = { project: { ...project, request }, context };
  return blockWith(scene, { cause: 'unproven', message }, details).why ?? '';
}

const shown = { facts: { checks: [] }, judgement: JUDGEMENT, proof: PROOF, tasks: TASKS };

describe('the screen about a result that is not proven', () => {
  it('says what was asked, done, proven and not proven, and the likely best answer', () => {
    expect(render('Add\n  dark mode', shown).split('\n\n')).toEqual([
      'The result is not proven. Part 2 has no check.',
      'What was asked: Add dark mode',
      'Done and committed:\n- Add it',
      'Proven:\n- C-001 passes now.',
      'Not proven:\n- Part 2 has no check.',
      expect.stringMatching(/^Likely best answer: .*`resolve`.*RETRY.*`defer`/),
    ]);
  });

  it('says if nothing was changed and nothing is proven', () => {
    const text = render('x', { ...shown, tasks: [], proof: { ...PROOF, evidence: [] } });
    expect(text).toMatch(/Done and committed:\n- Nothing yet\.[^]*Proven:\n- Nothing so far\./);
  });

  it('shows what the first failing check printed', () => {
    const check = { check: checkWith('C-001'), onBase: [], output: 'it is light' };
    const checks = [
      { ...check, onResult: [{ kind: 'green' } as const], output: 'fine' },
      { ...check, onResult: [{ kind: 'assertion' } as const] },
    ];
    const text = render('x', { ...shown, facts: { checks } });
    expect(text).toContain('The check `node .qralph-checks/C-001.mjs` printed:\nit is light');
    expect(text).not.toContain('fine');
  });

  it('fits on one screen, however much there is to say', () => {
    const many = Array.from({ length: 200 }, (_, nth) => `${String(nth)} ${'x'.repeat(1_000)}`);
    const checks = [
      { check: checkWith('C-001'), onBase: [], onResult: [{ kind: 'assertion' } as const], output: 'y\n'.repeat(1e4) },
    ];
    const tasks = many.map((title, nth) => taskOf(`T-${String(nth)}`, { title, commit: 'c' }));
    const judgement = { ...JUDGEMENT, failings: many.map(failing) };
    const text = render('z'.repeat(1e4), {
      facts: { checks },
      judgement,
      proof: { ...PROOF, evidence: many },
      tasks,
    });
    expect(text.length).toBeLessThan(9_000);
    expect(text.match(/- and 194 more/g)).toHaveLength(3);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#kernel';
import type { Spending } from '../../history.js';
import { cellsOf, headingsOf, hostileText } from '../../shared/markdown.fixture.js';
import { listed } from '../coding-context.js';
import { findingWith, problemOf, reviewOf, scenarioOf, Visit } from '../coding.fixture.js';
import { acceptancePage } from './acceptance-page.js';
import { controlPageOf } from './control-page.js';
import { LEFT_TO_PEOPLE } from './left-to-people.js';
import { sceneOf } from './pages.fixture.js';
import { seedState } from './seed-state.js';
import { type Outcome, summaryPage } from './summary-page.js';

const sums = {
  calls: 2, unknownCalls: 0, simulatedCalls: 0, costUsd: '0.30', countedUsd: '0.30',
  tokens: { input: 100, output: 20, cacheRead: 3, cacheWrite: 4, reasoning: 0 },
}; // prettier-ignore
const spending: Spending = {
  total: sums,
  byAgent: [{ key: 'sde-iii', ...sums }],
  byModel: [{ key: 'haiku', ...sums }],
};

const files: Outcome = {
  end: 'completed',
  files: { shown: [{ path: 'a.mjs', status: 'added', from: null, insertions: 3, deletions: 0 }], more: 2 },
  names: [],
  unheard: [
    { number: 2, agent: 'implementer', text: 'use the tokens' },
    { number: 3, agent: null, text: 'hurry' },
  ],
};
const NOTHING: Outcome = { end: null, files: null, names: [], unheard: [] };

describe('SUMMARY.md', () => {
  const SECTIONS = [
    ...['# 001-x', '## Why it stopped', '## What changed', '## What was done', '## Findings', '## Acceptance'],
    ...['## Problems on the way', '## Notes that no agent read', '## Assumptions', '## Deferred', '## What it cost'],
  ];

  it('says what changed, what became of each finding, tests before and after, and what it cost', () => {
    const page = summaryPage(
      sceneOf('Add it', { isAccepted: true, isProven: true, isWhollyAccepted: true }),
      spending,
      files,
    );
    expect(page).toContain('# 001-x\n\n**Done and proven.** 3 files changed.\n\n- request: Add it\n');
    expect(page).toContain('- state: EXECUTING, completed\n- proven: yes\n');
    expect(page).toContain('- tests before: passed (3 passed, 0 failed)\n- tests after: passed (4 passed, 0 failed)\n');
    expect(page).toContain('- added `a.mjs`, +3 −0\n- and 2 more\n');
    expect(page).toContain('- Add it (T-001, commit c0ffee123456): completed. Add it\n');
    expect(page).toContain('- P1 F-001 Add it (Add it) [sde-iii]: deferred\n');
    expect(page).toContain('- Add it: open. Attempts: 1 small model failed\n');
    expect(page).toContain('| agent sde-iii | 2 | 127 | 0.30 |\n| model haiku | 2 | 127 | 0.30 |\n');
    expect(page).toContain(
      '## Notes that no agent read\n\n- note 2 to implementer: use the tokens\n- note 3 to all agents: hurry\n',
    );
    expect(page).not.toContain('Why it stopped');
  });

  it('says so if nothing changed, and has no section without content', () => {
    const page = summaryPage(new Visit({}).activity, spending, NOTHING);
    expect(page).toContain('## What changed\n\nNothing.\n');
    expect(page).not.toMatch(/Assumptions|Deferred/);
    const aborted: Outcome = { end: 'aborted', files: null, names: ['a.mjs'], unheard: [] };
    expect(summaryPage(new Visit({}).activity, spending, aborted)).toMatch(
      /EXECUTING, aborted[^]*changed\n\n- `a\.mjs`\n/,
    );
    const left = listed([findingWith('F-001', { outcome: LEFT_TO_PEOPLE })]);
    expect(summaryPage(new Visit({ findings: left }).activity, spending, NOTHING)).toContain(
      '## Deferred\n\n- 1 of the findings above: no task fixed them; DEFERRED.md has the options\n',
    );
  });

  it('names fixes that no other agent could read as open points', () => {
    const fixed = { kind: 'fixed', commit: 'c', reason: null } as const;
    const findings = listed([findingWith('F-001', { outcome: fixed }), findingWith('F-002', { outcome: fixed })]);
    const page = summaryPage(new Visit({ findings, unreviewedFixes: ['F-002'] }).activity, spending, NOTHING);
    expect(page).toContain('## Open points\n\n- F-002 Title of F-002: no other agent could read this fix\n');
    expect(summaryPage(new Visit({ findings }).activity, spending, NOTHING)).not.toContain('Open points');
    const denied = { kind: 'not-applicable', commit: null, reason: 'no' } as const;
    const dismissed = { findings: listed([findingWith('F-002', { outcome: denied })]), unreviewedFixes: ['F-002'] };
    expect(summaryPage(new Visit(dismissed).activity, spending, NOTHING)).toContain(
      '- F-002 Title of F-002: no other agent could confirm that it does not apply\n',
    );
  });

  it('calls nothing proven that is not', () => {
    const proven = (context: object): string =>
      /- proven: (.*)/.exec(summaryPage(sceneOf('x', context as Record<string, unknown>), spending, NOTHING))?.[1] ??
      '';
    expect(proven({})).toBe('no');
    expect(proven({ isProven: true })).toBe('yes, but the project stopped before the result was accepted');
    expect(proven({ isAccepted: true, isProven: false })).toBe('no: a person accepted it without proof');
    expect(proven({ isAccepted: true, isProven: true, isWhollyAccepted: false })).toBe(
      'no: it is not fully proven, because a person skipped or waived some scenarios',
    );
    expect(proven({ isAccepted: true, isProven: true, isWhollyAccepted: true })).toBe('yes');
  });

  it('has a headline that says the same as the line about the proof', () => {
    const whole = { isAccepted: true, isProven: true };
    for (const [isWhollyAccepted, words] of [
      [true, 'Done and proven'],
      [false, 'Not proven'],
    ] as const) {
      const page = summaryPage(sceneOf('x', { ...whole, isWhollyAccepted }), spending, files);
      expect(page).toContain(`**${words}.**`);
      expect(/- proven: yes/.test(page)).toBe(isWhollyAccepted);
    }
  });

  it('names a scenario that the service could not decide as an open point', () => {
    const undecided = { verdict: 'skipped', by: 'its command', because: 'it is flaky' } as const;
    const scenarios = listed([scenarioOf('S-001', { verdict: 'passed' }), scenarioOf('S-002', undecided)]);
    const page = summaryPage(sceneOf('x', { scenarios }), spending, NOTHING);
    expect(page).toContain('## Open points\n\n- S-002 Title of S-002 was not decided: it is flaky\n');
    expect(page).toContain('- Title of S-002 (S-002): not decided\n');
  });

  it('calls the work of a simulated model simulated, never proven', () => {
    const proven = (context: JsonObject, spent = spending, outcome = NOTHING): string =>
      /- proven: (\w+)/.exec(summaryPage(sceneOf('x', context), spent, outcome))?.[1] ?? '';
    const whole = { isAccepted: true, isProven: true, isWhollyAccepted: true };
    const simulatedCalls = { ...spending, total: { ...spending.total, simulatedCalls: 1 } };
    expect(proven({ ...whole, simulated: true })).toBe('simulated');
    expect(proven({ isAccepted: true, isProven: false, simulated: true })).toBe('simulated');
    expect(proven(whole, simulatedCalls)).toBe('simulated');
    expect(proven({}, simulatedCalls, { ...NOTHING, end: 'completed' })).toBe('simulated');
    expect(proven({}, simulatedCalls)).toBe('no');
  });

  it('says who is missing among the reviewers, and why', () => {
    const lost = { status: 'lost', why: 'AGENT_TIMED_OUT' } as const;
    const reviews = listed([reviewOf('sde-iii'), reviewOf('product', lost), reviewOf('devops', { status: 'skipped' })]);
    const page = summaryPage(sceneOf('x', { reviews }), spending, NOTHING);
    expect(page).toContain('## Reviews that are missing\n\n- product: AGENT_TIMED_OUT\n- devops: skipped\n');
    expect(summaryPage(sceneOf('x'), spending, NOTHING)).not.toContain('Reviews that are missing');
  });

  it('says that a model was simulated, by the context or by the ledger', () => {
    const words = '**Done by a simulated model.**';
    expect(summaryPage(sceneOf('x'), spending, NOTHING)).not.toContain(words);
    expect(summaryPage(sceneOf('x', { simulated: true }), spending, NOTHING)).toContain(words);
    const total = { ...sums, simulatedCalls: 1 };
    expect(summaryPage(sceneOf('x'), { ...spending, total }, NOTHING)).toContain(words);
  });

  it('has the sections and rows that it has, whatever the words in it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        // A text without anything to show leaves its own section out.
        const said = { ...files, unheard: [{ number: 1, agent: text, text }] };
        const page = summaryPage(sceneOf(`a${text}`), { ...spending, byModel: [{ key: text, ...sums }] }, said);
        expect(headingsOf(page)).toEqual(SECTIONS);
        expect(new Set(cellsOf(page))).toEqual(new Set([4]));
      }),
    );
  });

  it('is bounded', () => {
    expect(summaryPage(sceneOf('x '.repeat(1e5)), spending, files).length).toBeLessThan(60_000);
  });
});

describe('UAT.md', () => {
  const evidence = { command: 'node check.js', exitCode: 0, endedBy: 'itself', output: 'fine', tree: 'tree' };

  it('has scenario, how it was run, evidence and verdict', () => {
    const page = acceptancePage('001-x', [scenarioOf('S-001', { verdict: 'passed', because: 'seen', by: 'its command', triedOn: 'tree', evidence })], false); // prettier-ignore
    expect(page).toContain('## S-001 Title of S-001\n\n    Steps of S-001\n\n- verdict: passed\n- by: its command\n');
    expect(page).toContain(
      '- tree: tree\n- evidence: the service ran the command below; exit code 0\n\n      $ node check.js\n      fine\n',
    );
    expect(acceptancePage('001-x', [scenarioOf('S-001')], false)).toContain(
      '- by: not tried yet\n- tree: none\n- evidence: none\n',
    );
    expect(acceptancePage('001-x', [], false)).toBe('# Acceptance of 001-x\n\nNo scenario was written.\n');
  });

  it('says what ended a command, and that a model was simulated', () => {
    const one = scenarioOf('S-001', { verdict: 'failed', evidence: { ...evidence, exitCode: null, endedBy: 'time' } });
    expect(acceptancePage('001-x', [one], true)).toContain('ended by time');
    expect(acceptancePage('001-x', [one], true)).toContain('simulated model. The commands were really run');
  });

  it('has one heading for each scenario, whatever a command printed', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const all = scenarioOf('S-001', {
          title: text,
          steps: text,
          because: text,
          evidence: { ...evidence, command: text, output: text },
        });
        const headings = headingsOf(acceptancePage('001-x', [all], false));
        expect([headings[0], headings.length]).toEqual(['# Acceptance of 001-x', 2]);
      }),
    );
  });
});

const MADE = { commits: ['start', 'c0ffee1234567890'], files: ['.qralph/projects/001-x/STATE.md', 'a.mjs'] };
const TIMES = { createdAt: new Date('2026-01-01T00:00:00Z'), enteredAt: new Date('2026-01-02T00:00:00Z') };
const KNOWN = { spending, times: TIMES, made: MADE };

describe('state.json', () => {
  it('has the fields that people know from the state files of this family', () => {
    const state = seedState(sceneOf('Add it'), KNOWN);
    expect(Object.keys(state)).toEqual(
      expect.arrayContaining([
        ...['version', 'project_id', 'project_path', 'request', 'mode', 'phase', 'team_name', 'teammates', 'agents'],
        ...['created_at', 'timestamp', 'skills_for_agents', '_checksum'],
        ...[
          'agent_status',
          'domains',
          'findings',
          'tasks',
          'heal_attempts',
          'self_heal',
          'circuit_breakers',
          'git_commits',
        ],
      ]),
    );
    expect(state).toMatchObject({
      heal_attempts: 1,
      self_heal: { current_problem: 'Add it', attempt: 1 },
      circuit_breakers: { total_tokens: 127, total_cost_usd: 0.3, error_counts: { 'signature of P-001': 1 } },
      files_modified: ['a.mjs'],
      git_commits: ['start', 'c0ffee1234567890'],
    });
  });

  it('is whole before there is a team, with odd names too', () => {
    const state = seedState(
      sceneOf('x', { problems: listed([problemOf('P-001', { signature: '__proto__' })]) }),
      KNOWN,
    );
    expect(Object.keys((state['circuit_breakers'] as { error_counts: object }).error_counts)).toEqual(['__proto__']);
    expect(seedState(new Visit({}).activity, { ...KNOWN, times: { createdAt: null, enteredAt: null } })).toMatchObject({
      ...{ team_name: null, agents: [], tasks: [], created_at: null },
    });
  });

  it('has the agents of classic mode by name, as its own family has them', () => {
    const scene = sceneOf('x', {});
    const classic = { ...scene, project: { ...scene.project, machine: 'qralph-classic' } };
    const { agents, mode, timestamp } = seedState(classic, KNOWN);
    expect([mode, timestamp]).toEqual(['classic', '2026-01-02T00:00:00.000Z']);
    expect(agents).toEqual({ 'sde-iii': { status: 'complete', progress: 1, findings: 0 } });
  });
});

it('CONTROL.md has no line that is a command', () => {
  for (const line of controlPageOf({ name: '001-x', machine: 'qralph-coding' }).split('\n')) {
    expect(line.trim()).not.toMatch(/^(?:pause|resume|skip|abort|status|retry|escalate)$/i);
  }
});

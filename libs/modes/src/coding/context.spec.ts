import { describe, expect, it } from 'vitest';
import type { AgentOutcome, AgentTask } from '#agents';
import type { Activity, ChildResult } from '#engine';
import type { JsonObject } from '#kernel';
import type { CleanRun, VerifyReport } from '#workspace';
import { asJson } from '../shared/work-parts.js';
import { accept } from './accept.activity.js';
import { byRole, eventOf, fakeParts, reviewOf, verifiedAs, Visit } from './coding.fixture.js';
import { CodingContext } from './context.js';
import { execute } from './execute.activity.js';
import { heal } from './heal.activity.js';
import { HEALER } from './heal-attempt.js';
import { failingRun, greenRun, readsParts, redRun } from './proof/proof.fixture.js';
import { review } from './review.activity.js';
import { CHECK_AUTHOR } from './scoping/author-checks.js';
import { PLANNER, scope } from './scoping/scope.activity.js';
import { IMPLEMENTER } from './task-strategy.js';

const order = { agents: { pin: [], forbid: [] }, tier: 'medium', runtime: 'api', turns: 60, minutes: 30 };
const seat = { agent: 'sde-iii', tier: 'medium', isCritical: true, instructions: '', skills: [] };
const COMMAND = 'node check.mjs';
const plan = {
  class: 'behaviour',
  parts: [{ title: 'There is a dark mode', interface: 'theme()', failingTests: [] }],
  steps: [{ title: 'Add it', detail: '', parts: [1], findings: [], check: 'it is dark' }],
  ...{ findings: [], failuresInScope: [] },
};
const check = { part: 1, title: 'It is dark', files: [], command: COMMAND, why: '' };
const done = (commit: string) => () => ({ commit, output: { outcome: 'done', summary: 's', wrongCheck: null } });
const agents: Readonly<Record<string, (task: AgentTask) => Partial<AgentOutcome>>> = {
  [PLANNER]: () => ({ output: plan }),
  ...readsParts(1),
  [CHECK_AUTHOR]: () => ({ commit: 'authored', output: { checks: [check] } }),
  [IMPLEMENTER]: done('wrong'),
  [HEALER]: done('healed'),
  'acceptance-planner': () => ({ output: { scenarios: [{ title: 'a', steps: 'b', command: 'node uat.js' }] } }),
};

/** The check fails on the base, and in both runs on the first change and on the first attempt to heal it. */
function world() {
  let red = 0;
  const clean = ({ tree, commands }: CleanRun): VerifyReport | null => {
    if (commands?.[0] !== COMMAND) return commands === null ? failingRun() : greenRun();
    if (tree.commit === 'base') return redRun();
    return (red += 1) <= 4 ? redRun() : greenRun();
  };
  return fakeParts({ agent: byRole(agents), clean, changed: ['src/theme.mjs'] }).parts;
}

/** A project that goes through its states; after each of them its context is looked at. */
class Walk {
  private readonly parts = world();
  private context: JsonObject;
  readonly events: string[] = [];

  constructor(context: object) {
    this.context = { ...context };
  }

  async visit(
    state: string,
    activity: (parts: ReturnType<typeof world>) => Activity,
    more: object = {},
  ): Promise<this> {
    const children: readonly ChildResult[] = [
      { key: 'sde-iii', id: 'c', outcome: 'completed', result: asJson(reviewOf('sde-iii')) },
    ];
    const visit = new Visit(this.context, { state, children, ...more });
    const { type, patch } = eventOf(await activity(this.parts)(visit.activity));
    this.context = { ...this.context, ...patch };
    this.events.push(type);
    expect(CodingContext.safeParse(this.context).error?.issues ?? []).toEqual([]);
    return this;
  }
}

const healing = { counters: { 'heal-attempts/P-001': 1 } };

describe('the context of coding mode', () => {
  it('fits its schema after each state', async () => {
    const walk = new Walk({ order, commit: 'base', seats: [seat], tasks: [], team: null });
    await walk.visit('REVIEWING', (parts) => review(parts, null));
    await walk.visit('SCOPING', scope);
    await walk.visit('SCOPING', scope);
    await walk.visit('EXECUTING', execute);
    await walk.visit('SELF_HEAL', heal, healing);
    await walk.visit('SELF_HEAL', heal, healing);
    await walk.visit('EXECUTING', execute);
    await walk.visit('EXECUTING', execute);
    await walk.visit('UAT', accept);
    await walk.visit('UAT', accept);
    expect(walk.events).toEqual([
      ...['reviews:synthesised', 'plan:drafted', 'plan:ready', 'problem:found', 'attempt:failed', 'problem:fixed'],
      ...['task:finished', 'work:verified', 'uat:continues', 'uat:passed'],
    ]);
  });

  it.each([
    ['a task of an unknown kind', { tasks: [{ id: 'T-001', kind: 'poem' }] }],
    ['a check without a command', { checks: [{ id: 'C-001', part: 1 }] }],
    [
      'a plan of an unknown class',
      { requestPlan: { class: 'poetry', parts: [], steps: [], scope: [], fallback: null } },
    ],
    ['a proof that is perhaps', { proof: { commit: 'c', proven: 'perhaps' } }],
    ['flaky tests that are no list', { flakyTests: 'rounds' }],
    ['a commit that is a number', { commit: 7 }],
    ['a block without a cause', { block: { message: 'x' } }],
    ['more in a good commit than it has', { good: { commit: 'c', checkpoint: 1, by: 'me' } }],
  ])('refuses %s', (_title, more) => {
    expect(CodingContext.safeParse({ order, ...more }).success).toBe(false);
  });

  it('needs an order, and lets other modes add keys of their own', () => {
    expect(CodingContext.safeParse({}).success).toBe(false);
    expect(CodingContext.safeParse({ order, plan: { steps: [] }, 'attempt-P-001-1': { diff: '' } }).success).toBe(true);
    expect(CodingContext.safeParse({ order, baseline: verifiedAs('passed') }).success).toBe(true);
  });
});

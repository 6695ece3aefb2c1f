/**
 * The transitions of the two QRALPH seed documents, typed in, and what our tables add to them.
 * `@return` stands for "back to where it came from".
 */
export interface SeedMachine {
  readonly states: readonly string[];
  readonly transitions: readonly string[];
  readonly additions: readonly Addition[];
}

export interface Addition {
  readonly name: string;
  readonly reason: string;
  readonly transitions: readonly string[];
}

/** In both documents alike, from REVIEWING on; the last four are drawn in the diagrams only. */
const fromReviewingOn = [
  'REVIEWING -> EXECUTING',
  'EXECUTING -> SELF_HEAL',
  'SELF_HEAL -> EXECUTING',
  'SELF_HEAL -> BLOCKED',
  'EXECUTING -> UAT',
  'UAT -> COMPLETE',
  'SELF_HEAL -> SELF_HEAL',
  'REVIEWING -> BLOCKED',
  'BLOCKED -> FUTURE_REQ',
  'BLOCKED -> UAT',
];
const statesFromReviewingOn = ['REVIEWING', 'EXECUTING', 'SELF_HEAL', 'BLOCKED', 'FUTURE_REQ', 'UAT', 'COMPLETE'];

const blockAnywhere = (...states: string[]): Addition => ({
  name: 'block-anywhere',
  reason: 'any working state may enter BLOCKED, with its cause',
  transitions: states.map((state) => `${state} -> BLOCKED`),
});

/** In all three: what is to be done, and how it is checked, is fixed between the reviews and the first change. */
const scoping: Addition = {
  name: 'scoping',
  reason: 'a plan, its scope and its checks exist before the first change',
  transitions: ['REVIEWING -> SCOPING', 'SCOPING -> SCOPING', 'SCOPING -> EXECUTING', 'SCOPING -> BLOCKED'],
};

/** In all three: a gate is a state in which nothing runs, so two optional ones are two states that may be passed by. */
const optionalGates: readonly Addition[] = [
  {
    name: 'gate-before-executing',
    reason: 'a project may be started with a gate before EXECUTING: approve goes on, reject ends it as aborted',
    transitions: ['SCOPING -> BEFORE_EXECUTING', 'BEFORE_EXECUTING -> EXECUTING', 'BEFORE_EXECUTING -> TEAM_SHUTDOWN'],
  },
  {
    name: 'gate-before-complete',
    reason: 'and with one before COMPLETE, which revise leaves for EXECUTING with a task of its own',
    transitions: [
      'UAT -> BEFORE_COMPLETE',
      'BEFORE_COMPLETE -> COMPLETE',
      'BEFORE_COMPLETE -> EXECUTING',
      'BEFORE_COMPLETE -> TEAM_SHUTDOWN',
    ],
  },
];

const addedBehindReviewing: readonly Addition[] = [
  scoping,
  ...optionalGates,
  {
    name: 'block-returns',
    reason:
      'the seeds say that the user resolves a block, not where to: resolve, RETRY and a raised cap go to returnTo',
    transitions: ['BLOCKED -> @return'],
  },
  {
    name: 'uat-rounds',
    reason: 'failed scenarios go back as tasks, two rounds, then the project is blocked',
    transitions: ['UAT -> EXECUTING', 'UAT -> BLOCKED'],
  },
  {
    name: 'deferred-item',
    reason: 'FUTURE_REQ passes on to the remaining work, else to TEAM_SHUTDOWN',
    transitions: [
      'FUTURE_REQ -> REVIEWING',
      'FUTURE_REQ -> EXECUTING',
      'FUTURE_REQ -> UAT',
      'FUTURE_REQ -> TEAM_SHUTDOWN',
    ],
  },
  {
    name: 'skip',
    reason: 'SKIP drops the reviewers still running, or the current scenario, and the state goes on without them',
    transitions: ['REVIEWING -> REVIEWING', 'UAT -> UAT'],
  },
  {
    name: 'next-task',
    reason: 'each task is a visit of its own: checkpointed when done, and SKIP means this one alone',
    transitions: ['EXECUTING -> EXECUTING'],
  },
];

export const codingSeed: SeedMachine = {
  states: ['INIT', 'DISCOVERING', ...statesFromReviewingOn, 'TEAM_SHUTDOWN'],
  transitions: [
    'INIT -> DISCOVERING',
    'DISCOVERING -> REVIEWING',
    'REVIEWING -> COMPLETE',
    'COMPLETE -> TEAM_SHUTDOWN',
    ...fromReviewingOn,
  ],
  additions: [
    blockAnywhere('INIT', 'DISCOVERING', 'EXECUTING', 'FUTURE_REQ', 'COMPLETE'),
    ...addedBehindReviewing,
    {
      name: 'gate-before-delivery',
      reason: 'the planning variant executes nothing: its gate before COMPLETE has nothing to revise',
      transitions: [
        'SCOPING -> COMPLETE',
        'SCOPING -> BEFORE_DELIVERY',
        'BEFORE_DELIVERY -> COMPLETE',
        'BEFORE_DELIVERY -> TEAM_SHUTDOWN',
      ],
    },
  ],
};

/** Without REVIEWING -> COMPLETE: that is the planning variant, and it belongs to coding mode. */
export const workSeed: SeedMachine = {
  states: [
    ...['INIT', 'DISCOVERING', 'PLANNING', 'USER_REVIEW', 'ESCALATE'],
    ...[...statesFromReviewingOn, 'TEAM_SHUTDOWN'],
  ],
  transitions: [
    'INIT -> DISCOVERING',
    'DISCOVERING -> PLANNING',
    'PLANNING -> USER_REVIEW',
    'USER_REVIEW -> EXECUTING',
    'USER_REVIEW -> PLANNING',
    'USER_REVIEW -> ESCALATE',
    'EXECUTING -> USER_REVIEW',
    'EXECUTING -> ESCALATE',
    'ESCALATE -> REVIEWING',
    'COMPLETE -> TEAM_SHUTDOWN',
    ...fromReviewingOn,
  ],
  additions: [
    blockAnywhere('INIT', 'DISCOVERING', 'PLANNING', 'ESCALATE', 'EXECUTING', 'FUTURE_REQ', 'COMPLETE'),
    ...addedBehindReviewing,
    {
      name: 'escalate-where-it-grows',
      reason:
        'domains are counted at discovery and after each plan, heal attempts where they are made; a person may ask while a plan is scoped',
      transitions: ['DISCOVERING -> ESCALATE', 'PLANNING -> ESCALATE', 'SELF_HEAL -> ESCALATE', 'SCOPING -> ESCALATE'],
    },
    {
      name: 'approved-plan-is-scoped',
      reason: 'the parts, the scope and the checks of an approved plan are fixed before its first step',
      transitions: ['EXECUTING -> SCOPING'],
    },
    {
      name: 'rest-proceeds-without-acceptance',
      reason:
        'a small team has no acceptance: what it has done is proven as a whole if a person continues without the rest',
      transitions: ['BLOCKED -> EXECUTING'],
    },
    {
      name: 'work-ends',
      reason:
        'the seed draws no end of work mode: EXECUTING -> COMPLETE -> TEAM_SHUTDOWN, by its gate where it has one',
      transitions: ['EXECUTING -> COMPLETE', 'EXECUTING -> BEFORE_COMPLETE'],
    },
    {
      name: 'plan-rejected',
      reason: 'reject ends the project as aborted',
      transitions: ['USER_REVIEW -> TEAM_SHUTDOWN'],
    },
  ],
};

export const classicSeed: SeedMachine = {
  states: ['INIT', 'CLARIFYING', 'PLANNING', ...statesFromReviewingOn],
  transitions: ['INIT -> CLARIFYING', 'CLARIFYING -> PLANNING', 'PLANNING -> REVIEWING', ...fromReviewingOn],
  additions: [
    blockAnywhere('INIT', 'PLANNING', 'EXECUTING', 'FUTURE_REQ', 'COMPLETE'),
    ...addedBehindReviewing,
    {
      name: 'nothing-to-clarify',
      reason: 'CLARIFYING is entered when questions are needed; without any there is nobody to wait for',
      transitions: ['INIT -> PLANNING'],
    },
    {
      name: 'plan-gate',
      reason: '"plan approved" is a gate, and a gate is a state in which nothing runs',
      transitions: [
        'PLANNING -> USER_REVIEW',
        'USER_REVIEW -> REVIEWING',
        'USER_REVIEW -> PLANNING',
        'USER_REVIEW -> TEAM_SHUTDOWN',
      ],
    },
    {
      name: 'team-shutdown',
      reason: 'TEAM_SHUTDOWN is the one terminal state in all three machines',
      transitions: ['COMPLETE -> TEAM_SHUTDOWN'],
    },
  ],
};

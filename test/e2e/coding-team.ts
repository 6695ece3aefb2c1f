import type { ModelCall, Reply, Script } from '#testing';

/** Who asks, and what for: read from what the service itself tells the model. */
export interface Asked {
  readonly role:
    | 'reviewer'
    | 'work-planner'
    | 'check-author'
    | 'implementer'
    | 'healer'
    | 'fix-reviewer'
    | 'inspector'
    | 'arbiter'
    | 'planner'
    | 'tester'
    | 'clarifier'
    | 'classic-planner';
  /** A reviewer's agent. */
  readonly agent: string;
  readonly prompt: string;
  readonly call: ModelCall;
}

export type Says = (asked: Asked) => Reply | Promise<Reply>;

export interface TeamScript {
  readonly review?: Says;
  /** The plan of the request: parts, steps, scope. */
  readonly scope?: Says;
  readonly check?: Says;
  readonly look?: Says;
  readonly inspect?: Says;
  readonly rule?: Says;
  readonly execute?: Says;
  readonly heal?: Says;
  readonly plan?: Says;
  readonly test?: Says;
  readonly clarify?: Says;
  readonly draft?: Says;
}

export interface RawFinding {
  readonly priority: 'P0' | 'P1' | 'P2';
  readonly title: string;
  readonly body?: string;
  readonly file?: string | null;
  readonly line?: number | null;
  readonly confidence?: number;
  readonly relation?: 'is-request' | 'before' | 'after' | 'aside';
}

export const json = (value: unknown): Reply => ({ text: JSON.stringify(value) });

export const reviewed = (findings: readonly RawFinding[] = [], summary = 'I read greeting.mjs and its tests.'): Reply =>
  json({
    summary,
    findings: findings.map((one) => ({
      body: one.title,
      file: null,
      line: null,
      confidence: 0.9,
      relation: 'before',
      ...one,
    })),
  });

export const did = (summary: string, outcome: 'done' | 'not-applicable' = 'done'): Reply => json({ outcome, summary });

export const writes = (files: Readonly<Record<string, string>>): Reply => ({
  toolCalls: Object.entries(files).map(([path, content]) => ({ name: 'write_file', input: { path, content } })),
});

export const runs = (command: string): Reply => ({ toolCalls: [{ name: 'run', input: { command } }] });

export const planned = (...scenarios: readonly { title: string; steps?: string; command?: string | null }[]): Reply =>
  json({ scenarios: scenarios.map((one) => ({ steps: one.title, command: null, ...one })) });

/** A plan with one part and one step. */
export const scoped = (more: Readonly<Record<string, unknown>> = {}): Reply =>
  json({
    class: 'behaviour',
    parts: [{ title: 'toggle(theme) gives the other theme', interface: 'toggle in theme.mjs', failingTests: [] }],
    steps: [{ title: 'Add toggle(theme)', detail: 'in theme.mjs', parts: [1], findings: [], check: 'node --test' }],
    findings: [],
    failuresInScope: [],
    checks: [],
    ...more,
  });

/** Fails by an assertion as long as the toggle is missing or wrong. */
export const CHECK_FILE =
  "import assert from 'node:assert/strict';\nconst { toggle } = await import('../theme.mjs').catch(() => ({}));\n" +
  "assert.equal(typeof toggle, 'function', 'theme.mjs exports toggle');\nassert.equal(toggle('light'), 'dark');\n";

export const checkOf = (command = 'node .qralph-checks/toggle.mjs', part = 1): object => ({
  part,
  title: 'toggle gives the other theme',
  files: ['.qralph-checks/toggle.mjs'],
  command,
  why: 'red',
});

export const checked = (command?: string, part?: number): Reply => json({ checks: [checkOf(command, part)] });

const theme = (body: string): string => `export function toggle(theme) {\n  ${body}\n}\n`;

/** toggle(theme): right, and wrong in a way that its test shows. */
export const RIGHT = theme("return theme === 'light' ? 'dark' : 'light';");
export const wrong = (what = 'purple'): string => theme(`return '${what}';`);
export const THEME_TEST =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { toggle } from './theme.mjs';\n\n" +
  "test('light becomes dark', () => assert.equal(toggle('light'), 'dark'));\n";
export const TOGGLES =
  "node --input-type=module -e \"import { toggle } from './theme.mjs'; process.exit(toggle('light') === 'dark' ? 0 : 1)\"";

/** An agent that does one thing after the other, by how far its conversation is. */
export const inTurn =
  (...replies: readonly Reply[]): Says =>
  ({ call }) =>
    replies[call.turn] ?? replies.at(-1) ?? did('nothing');

/** A team that does it right at the first try; what is given takes the place of its part. */
export function team(script: TeamScript = {}): Script {
  const whole: Required<TeamScript> = {
    review: () => reviewed(),
    scope: () => scoped(),
    check: inTurn(writes({ '.qralph-checks/toggle.mjs': CHECK_FILE }), checked()),
    look: () => json({ isFixed: true, why: 'the change fixes it' }),
    inspect: () => json({ parts: [{ part: 1, isDone: true, why: 'it is there' }], findings: [], tests: [] }),
    rule: () => json({ isCheckWrong: false, isDemanded: true, why: 'the request asks for it' }),
    execute: inTurn(writes({ 'theme.mjs': RIGHT, 'theme.test.mjs': THEME_TEST }), did('toggle(theme) with its test')),
    heal: inTurn(writes({ 'theme.mjs': RIGHT }), did('toggle(theme) gives the other theme')),
    plan: () => planned({ title: 'light becomes dark', command: TOGGLES }),
    test: () => json({ verdict: 'pass', command: TOGGLES, observation: 'light becomes dark' }),
    clarify: () => json({ questions: [] }),
    draft: () => json({ summary: 'A plan', steps: [{ title: 'write it', check: 'node --test' }], risks: [] }),
    ...script,
  };
  const says: Readonly<Record<Asked['role'], Says>> = {
    reviewer: whole.review,
    'work-planner': whole.scope,
    'check-author': whole.check,
    'fix-reviewer': whole.look,
    inspector: whole.inspect,
    arbiter: whole.rule,
    implementer: whole.execute,
    healer: whole.heal,
    planner: whole.plan,
    tester: whole.test,
    clarifier: whole.clarify,
    'classic-planner': whole.draft,
  };
  return (call) => {
    const asked = askedBy(call);
    return says[asked.role](asked);
  };
}

const ROLES: readonly (readonly [Asked['role'], string])[] = [
  ['reviewer', 'You are a member of a review team'],
  ['healer', 'You fix one problem'],
  ['healer', 'and their changes were taken back'],
  ['work-planner', 'You plan one change to a git repository'],
  ['check-author', 'You write checks for a change that nobody has made yet'],
  ['fix-reviewer', 'You check one fix'],
  ['inspector', 'You inspect a change'],
  ['arbiter', 'Two engineers disagree'],
  ['arbiter', 'An inspector read the change'],
  ['planner', 'You write acceptance scenarios'],
  ['tester', 'You try out one acceptance scenario'],
  ['clarifier', 'You read a request'],
  ['classic-planner', 'You plan how a request'],
  ['implementer', 'You are a careful software engineer'],
];

export function askedBy(call: ModelCall): Asked {
  const prompt = JSON.stringify(call.body);
  const role = ROLES.find(([, words]) => prompt.includes(words))?.[0];
  if (!role) throw new Error(`nobody knows who asks: ${prompt.slice(0, 500)}`);
  return { role, agent: /# Your role: ([a-z0-9-]+)/.exec(prompt)?.[1] ?? '', prompt, call };
}

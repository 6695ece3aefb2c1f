import type { VerifyReport, WorktreeDiff } from '#workspace';
import { verifiedAs } from '../coding.fixture.js';
import { INSPECTOR } from './inspect.js';
import type { Check, RequestPlan } from '../scoping/request-plan.js';

/** A plan of one part and one step, and a check of that part. */
export const planWith = (more: Partial<RequestPlan> = {}): RequestPlan => ({
  class: 'behaviour',
  parts: [{ title: 'There is a dark mode', interface: 'theme()', failingTests: [] }],
  steps: [{ task: 'T-001', title: 'Add dark mode', parts: [1], findings: [], check: 'it is dark' }],
  scope: [],
  fallback: null,
  ...more,
});

export const checkWith = (id: string, more: Partial<Check> = {}): Check => ({
  id,
  part: 1,
  title: `The theme of ${id} is dark`,
  command: `node .qralph-checks/${id}.mjs`,
  files: [{ path: `.qralph-checks/${id}.mjs`, content: 'assert(isDark);' }],
  red: { kind: 'assertion' },
  isAdapted: false,
  dropped: null,
  ...more,
});

/** A reader by whose word the parts are done. */
export const readsParts = (...parts: readonly number[]) => ({
  [INSPECTOR]: () => ({
    output: { parts: parts.map((part) => ({ part, isDone: true, why: 'I read it' })), findings: [], tests: [] },
  }),
});

type DiffFile = WorktreeDiff['files'][number];

export const fileOf = (path: string, status: DiffFile['status'] = 'changed', from: string | null = null): DiffFile => ({
  ...{ path, status, from },
  ...{ insertions: 1, deletions: 1 },
});

export const greenRun = (output = ''): VerifyReport => verifiedAs('passed', null, output);

/** A run that said no by an assertion. */
export const redRun = (output = 'AssertionError [ERR_ASSERTION]: it is light'): VerifyReport =>
  verifiedAs('failed', null, output);

/** A run that says nothing about the request. */
export const brokenRun = (): VerifyReport => verifiedAs('failed', null, 'SyntaxError: Unexpected token');

/** A run of tests in which these fail. */
export const failingRun = (...names: readonly string[]): VerifyReport =>
  names.length === 0
    ? verifiedAs('passed', {}, 'ok 1 - always')
    : verifiedAs(
        'failed',
        // As many tests run as in a passing run.
        { passed: 3 - names.length, failed: names.length },
        names.map((name, nth) => `not ok ${String(nth + 1)} - ${name}`).join('\n'),
      );

import type { Finding, Gate, HealProblem, ProjectTask } from '#contracts';
import { projectNamed } from '../../http/fixtures/memory-ports.js';
import type { Seen } from './seen.js';

export const ID = '0199c000-0000-7000-8000-000000000001';

export const gateOf = (more: Partial<Gate> = {}): Gate => ({
  name: 'plan',
  kind: 'gate',
  project: { id: ID, name: '001-test', parent: null },
  ask: 'Shall it be carried out?',
  why: null,
  options: ['approve', 'revise', 'reject'],
  answer: `POST /v1/projects/${ID}/gates/plan {"decision": …}`,
  consequences: {},
  default: null,
  openedAt: new Date(0).toISOString(),
  checkpoint: { seq: 7, checksum: `sha256:${'0'.repeat(64)}` },
  decided: null,
  ...more,
});

export const seenOf = (more: Partial<Seen> = {}, project: Partial<Seen['project']> = {}): Seen => ({
  project: { ...projectNamed(ID, 'Add dark mode toggle'), mode: 'coding', state: 'EXECUTING', ...project },
  gate: null,
  decided: null,
  tasks: [],
  findings: [],
  problems: [],
  log: [],
  steps: ['INIT', 'EXECUTING', 'UAT'],
  pending: null,
  unknown: [],
  ...more,
});

const many = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth));

/** As much of everything as there can be, in the same words. */
export function crowded(text: string, count: number, more: Partial<Seen['project']> = {}): Seen {
  const outcome = { kind: 'open', commit: null, reason: null } as const;
  const task = (nth: number): ProjectTask => ({ id: `T-${String(nth)}`, kind: 'request', title: text, detail: text, owner: text, status: (['completed', 'in_progress', 'pending', 'deferred'] as const)[nth % 4] ?? 'pending', finding: null, commit: text, note: text }); // prettier-ignore
  const finding = (nth: number): Finding => ({ id: `F-${String(nth)}`, priority: 'P1', relation: 'aside', title: text, body: text, file: text, line: 1, confidence: 1, agents: [text], outcome }); // prettier-ignore
  const problem = (nth: number): HealProblem => ({ id: text, signature: text, title: text, error: text, command: text, task: null, status: nth === 0 ? 'open' : 'fixed', reason: null, attempts: [] }); // prettier-ignore
  return seenOf(
    {
      gate: gateOf({ ask: text, why: text, options: many(Math.min(count, 20), () => text) }),
      tasks: many(count, task),
      findings: many(count, finding),
      problems: many(count, problem),
      log: many(count, () => ({ at: new Date(0), state: text, because: text })),
      pending: { files: many(count, () => ({ path: text, status: 'changed', isAsInCommit: false })), isCut: false },
      unknown: many(count, () => ({ what: text, then: text })),
    },
    {
      status: 'blocked',
      request: text,
      repo: { path: text, ref: text },
      workspace: { branch: text, baseCommit: text, headCommit: text, sandbox: null },
      team: { name: text, agents: [text] },
      healing: { attempt: 3, model: text, problem: text },
      budget: { usd: { cap: '999999999.999999999', used: '999999999.999999999', reserved: '999999999.999999999' }, tokens: { cap: 1e12, used: 1e12, reserved: 1e12 } },
      waitingFor: { kind: 'gate', ask: text, until: text },
      simulated: true,
      ...more,
    }, // prettier-ignore
  );
}

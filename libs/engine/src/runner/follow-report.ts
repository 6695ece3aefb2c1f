import { assertNever } from '#kernel';
import { stateOf } from '../machine/snapshot.js';
import { patched, transition } from '../machine/transition.js';
import type { Report } from '../ports/activity.js';
import type { NewChild, NewEvent } from '../ports/project-store.js';
import { newborn } from './fan-out.js';
import { timerMs } from './next-write.js';
import { type ProjectRecord, REPORTED } from './project-record.js';

/** What a key of the context may be: names in code, never names of prototypes. */
const CONTEXT_KEY = /^(?!constructor$|prototype$)[A-Za-z][\w-]{0,63}$/;

/** The activity reports; the engine decides. Commits whatever follows from a report by the project's table. */
export async function followReport(record: ProjectRecord, report: Report): Promise<void> {
  switch (report.kind) {
    case 'event':
      return followEvent(record, report);
    case 'wait': {
      const { reason, ms, words } = report;
      const wait = { kind: 'time', reason, ms, ...(words !== undefined && { words: words.slice(0, 2_000) }) } as const;
      const timer = { visit: record.snapshot.visit, event: null, ms: timerMs(report.ms) };
      return record.commit({ ...record.snapshot, wait }, 'wait', { timer });
    }
    case 'wait-for-children':
      return startChildren(record, report);
    default:
      return assertNever(report);
  }
}

async function followEvent(record: ProjectRecord, report: Extract<Report, { kind: 'event' }>): Promise<void> {
  const { machine, guards } = record.runnable;
  const { snapshot } = record;
  const { type, data = {}, patch = {} } = report;
  const badKey = badKeyOf(patch);
  if (badKey !== undefined) return refuseKey(record, badKey);
  if (stateOf(machine, snapshot)?.end) {
    return record.commit({ ...snapshot, context: patched(snapshot.context, patch), ended: true }, type);
  }
  const result = transition(machine, snapshot, { type, by: 'engine', data, patch }, guards);
  if (result.kind === 'refused') return record.fail('EVENT_REFUSED', result.message);
  const reported: NewEvent = { type: REPORTED, data: { event: type, ...data } };
  return record.commit(result.next, type, { events: [reported] });
}

const badKeyOf = (patch: object): string | undefined => Object.keys(patch).find((key) => !CONTEXT_KEY.test(key));

const refuseKey = (record: ProjectRecord, key: string): Promise<void> =>
  record.fail('CONTEXT_KEY_INVALID', `an activity set the context key ${JSON.stringify(key)}`);

async function startChildren(
  record: ProjectRecord,
  { children, patch = {} }: Extract<Report, { kind: 'wait-for-children' }>,
): Promise<void> {
  const { snapshot, claimed, parts } = record;
  const badKey = badKeyOf(patch);
  if (badKey !== undefined) return refuseKey(record, badKey);
  const born: NewChild[] = [];
  for (const child of children) {
    const machine = parts.machines.newest(child.machine);
    if (!machine) return record.fail('MACHINE_UNKNOWN', `the child ${child.key} wants the machine ${child.machine}`);
    born.push(newborn(claimed.facts, snapshot, child, machine));
  }
  const keys = children.map((child) => child.key);
  const events = keys.map((key): NewEvent => ({ type: 'child.started', data: { key } }));
  const context = patched(snapshot.context, patch);
  await record.commit({ ...snapshot, context, wait: { kind: 'children', keys } }, 'fan-out', {
    children: born,
    events,
  });
}

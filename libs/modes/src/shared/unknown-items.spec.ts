import { describe, expect, it } from 'vitest';
import type { Unsettled } from '#contracts';
import { type Look, unknownItems } from './unknown-items.js';

const SETTLED: Unsettled = { isDriven: false, effects: [], lostCalls: 0, openCalls: 0, processes: [] };
const items = (unsettled: Partial<Unsettled>, look: Partial<Look> = {}) =>
  unknownItems({ status: 'waiting', pending: null, ...look, unsettled: { ...SETTLED, ...unsettled } });
const words = (...args: Parameters<typeof items>) => items(...args).map(({ what }) => what);

describe('what nobody knows of a project', () => {
  it('is a process whose worker is gone, and who ends it', () => {
    const processes = [{ host: 'here', pid: 77, purpose: 'verify' }, { host: 'there', pid: 78, purpose: 'set-up' }]; // prettier-ignore
    expect(items({ processes })).toEqual([
      {
        what: 'process 77 on here (verify) may still run: its worker is gone',
        then: 'a worker of that host ends it, before the project is driven there',
      },
      expect.objectContaining({ what: 'process 78 on there (set-up) may still run: its worker is gone' }),
    ]);
  });

  it('is a call that was under way, and one that was lost, each with what becomes of its cost', () => {
    expect(words({ lostCalls: 1, openCalls: 2 })).toEqual([
      '2 calls of models were under way when the worker was lost',
      '1 call of models was lost: whether answered and billed nobody knows',
    ]);
    const [open, lost] = items({ lostCalls: 2, openCalls: 1 });
    expect(open?.then).toContain('stays reserved until they are written off as lost');
    expect(lost?.then).toContain('counts against the cap');
  });

  it('is an effect, of a child too', () => {
    const since = new Date(0);
    const said = words({ effects: [{ child: null, step: 'commit', since }, { child: 'ux', step: 'chat', since }] }); // prettier-ignore
    expect(said).toEqual([
      'the effect commit began at 1970-01-01T00:00:00.000Z, and nobody knows whether it happened',
      'ux: the effect chat began at 1970-01-01T00:00:00.000Z, and nobody knows whether it happened',
    ]);
  });

  it('is nothing where all is settled or it has ended, and all where the database did not say', () => {
    expect(items({})).toEqual([]);
    expect(items({ lostCalls: 1 }, { status: 'completed' })).toEqual([]);
    expect(unknownItems({ status: 'waiting', unsettled: null, pending: null })).toHaveLength(1);
  });
});

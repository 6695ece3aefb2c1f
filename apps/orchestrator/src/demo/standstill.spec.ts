import { describe, expect, it } from 'vitest';
import type { ProjectEvent } from '#contracts';
import { untilStandstill } from './standstill.js';

const event = (type: string, data: ProjectEvent['data'] = {}): ProjectEvent => ({
  seq: 1,
  version: 1,
  type,
  data,
  at: '2026-01-02T03:04:05.678Z',
});

/** The stream of a project that waits does not end. */
async function* endless(...events: ProjectEvent[]): AsyncGenerator<ProjectEvent> {
  yield* events;
  await new Promise<never>(() => undefined);
}

async function* ended(...events: ProjectEvent[]): AsyncGenerator<ProjectEvent> {
  yield* events;
}

describe('a demo', () => {
  it('shows every event, and is over with its project', async () => {
    const shown: string[] = [];
    const events = ended(event('state.entered'), event('project.completed'));
    expect(await untilStandstill(events, ({ type }) => void shown.push(type))).toBeNull();
    expect(shown).toEqual(['state.entered', 'project.completed']);
  });

  it.each([
    [
      'is blocked',
      [
        event('activity.reported', { event: 'work:blocked', message: 'no test can run' }),
        event('gate.opened', { ask: 'Is it resolved?' }),
      ],
      'no test can run\nIs it resolved?',
    ],
    [
      'proves nothing',
      [event('activity.reported', { doubt: 'no test ran' }), event('gate.opened', { ask: 'Is it to be committed?' })],
      'no test ran\nIs it to be committed?',
    ],
    [
      'has a step that fails',
      [event('project.waits', { kind: 'step-failed', code: 'GIT_FAILED', message: 'no space left' })],
      'GIT_FAILED: no space left',
    ],
    [
      'does not know what it did',
      [event('project.waits', { kind: 'effect', question: 'Was it committed?' })],
      'Was it committed?',
    ],
  ])('does not wait for a person when its project %s, and says why', async (_, events, why) => {
    expect(await untilStandstill(endless(...events), () => undefined)).toBe(why);
  });

  it('waits for what comes by itself', async () => {
    const events = ended(event('project.waits', { kind: 'time', reason: 'rate-limit', ms: 5 }));
    expect(await untilStandstill(events, () => undefined)).toBeNull();
  });
});

import { expect, it } from 'vitest';
import type { EffectRun } from '#engine';
import { type JsonObject, SecretBook } from '#kernel';
import { noUsage } from '#models';
import { sampleTask } from '#testing';
import { RunEvents } from './run-events.js';

function listening(): { events: RunEvents; told: JsonObject[] } {
  const told: JsonObject[] = [];
  const run = { tell: (type: string, data: JsonObject) => told.push({ type, ...data }) } as unknown as EffectRun;
  return { events: new RunEvents('claude', sampleTask(), run, new SecretBook()), told };
}

it.each([
  [1_230_000_000n, '1.23'],
  [null, null],
])('a call of %s nano-dollars is told with its cost in dollars, as the API has money: %j', (costNanoUsd, costUsd) => {
  const { events, told } = listening();
  const call = { model: { provider: 'p', model: 'm' }, usage: null, errorCode: null, notes: null, ms: 5 };
  events.called({ ...call, costNanoUsd });
  expect(told).toMatchObject([{ type: 'model.called', provider: 'p', model: 'm', costUsd, ms: 5 }]);
});

it.each([
  [0, '0.42'],
  [1, null],
])('a run with %i calls of unknown cost is told to have cost %j', (unknownCosts, costUsd) => {
  const { events, told } = listening();
  events.ended({ outcome: 'finished' }, { calls: 3, usage: noUsage, costNanoUsd: '420000000', unknownCosts });
  expect(told).toMatchObject([{ type: 'agent.finished', outcome: 'finished', turns: 3, costUsd }]);
});

import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BLOT, secrets } from '#kernel';
import { KeepingExporter } from './keeping-exporter.fixture.js';
import { redacting } from './redacting-exporter.js';

let forget: () => void;
beforeEach(() => {
  forget = secrets.learn('hush-hush-hush');
});
afterEach(() => forget());

function sent(span: Partial<ReadableSpan>): ReadableSpan | undefined {
  const exporter = new KeepingExporter();
  const whole = { name: 'work', status: { code: 0 }, attributes: {}, events: [], ...span } as unknown as ReadableSpan;
  redacting(exporter).export([whole], () => undefined);
  return exporter.kept[0];
}

it('lets no secret out in an attribute, be it a text, one of several, or a name', () => {
  const attributes = { one: 'hush-hush-hush', several: ['a', 'with hush-hush-hush', 'b'], counts: [1, 2], is: true };
  const clean = { one: BLOT, several: ['a', `with ${BLOT}`, 'b'], counts: [1, 2], is: true };
  expect(sent({ attributes })?.attributes).toEqual(clean);
  expect(sent({ attributes: { 'of hush-hush-hush': 1 } })?.attributes).toEqual({ [`of ${BLOT}`]: 1 });
  const event = { name: 'said', time: [0, 0] as [number, number], attributes };
  expect(sent({ events: [event] })?.events).toEqual([{ ...event, attributes: clean }]);
});

it('knows a secret by the name of its attribute', () => {
  const attributes = { 'db.password': ['a1B2', 'c3D4', 'e5F6'].join('-'), 'db.user': 'me' };
  expect(sent({ attributes })?.attributes).toEqual({ 'db.password': BLOT, 'db.user': 'me' });
});

it('sends a span without a secret on as it is', () => {
  const attributes = { several: ['a', 'b'] };
  expect(sent({ attributes })?.attributes).toBe(attributes);
});

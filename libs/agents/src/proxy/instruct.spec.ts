import { describe, expect, it } from 'vitest';
import { anthropicWire } from './anthropic-wire.js';
import { compatibleWire } from './compatible-wire.js';
import { openaiWire } from './openai-wire.js';
import type { Body, Route, Wire } from './wire.js';

const CHAT: Route = { kind: 'chat', upstreamPath: '/x' };
const COMPLETION: Route = { kind: 'completion', upstreamPath: '/x' };
const instructed = (wire: Wire, body: Body, route = CHAT): Body => {
  wire.instruct(body, route, 'NOTE');
  return body;
};

describe('words that are added to a call', () => {
  const own = { type: 'text', text: 'Own.', cache_control: { type: 'ephemeral' } };
  it.each<[unknown, unknown]>([
    [undefined, [{ type: 'text', text: 'NOTE' }]],
    ['', [{ type: 'text', text: 'NOTE' }]],
    [
      'Own.',
      [
        { type: 'text', text: 'Own.' },
        { type: 'text', text: 'NOTE' },
      ],
    ],
    [[own], [own, { type: 'text', text: 'NOTE' }]],
    [{ bad: 1 }, { bad: 1 }],
  ])('are the last block of the system of Anthropic: %j', (system, expected) => {
    expect(instructed(anthropicWire, { system, messages: [] })['system']).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [undefined, 'NOTE'],
    [null, 'NOTE'],
    ['Own.', 'Own.\n\nNOTE'],
  ])('are the end of the instructions of OpenAI: %j', (instructions, expected) => {
    expect(instructed(openaiWire, { instructions, input: [] })['instructions']).toBe(expected);
  });

  it.each([openaiWire, compatibleWire])('are in the first message of the system of a completion ($name)', (wire) => {
    const user = { role: 'user', content: 'hello' };
    const of = (...messages: unknown[]): unknown => instructed(wire, { messages }, COMPLETION)['messages'];
    expect(of(user)).toEqual([{ role: 'system', content: 'NOTE' }, user]);
    expect(of({ role: 'system', content: 'Own.' }, user)).toEqual([{ role: 'system', content: 'Own.\n\nNOTE' }, user]);
    expect(of({ role: 'developer', content: [{ type: 'text', text: 'Own.' }] }, user)).toEqual([
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'Own.' },
          { type: 'text', text: 'NOTE' },
        ],
      },
      user,
    ]);
    expect(instructed(wire, { messages: 'none' }, COMPLETION)).toEqual({ messages: 'none' });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.js';
import { anthropicWire } from './anthropic-wire.js';
import { openaiWire } from './openai-wire.js';
import type { Reading, Wire } from './wire.js';

/** As they may stand in a JSON text: some have no number in JavaScript. */
const NONSENSE = ['-1', '-1e30', '1e30', '1e999', '1.5', '2147483648', '9007199254740993', '"7"', '"NaN"', 'true', '[7]', '{}']; // prettier-ignore

function read(wire: Wire, text: string, isStream: boolean): Reading {
  const reader = new AnswerReader(wire, isStream);
  reader.take(Buffer.from(isStream ? `data: ${text}\n\n` : text));
  return reader.end();
}

const ANTHROPIC = {
  input_tokens: '5',
  output_tokens: '3',
  cache_read_input_tokens: '1',
  cache_creation_input_tokens: '1',
};
const RESPONSES = { input_tokens: '5', output_tokens: '3' };
const COMPLETIONS = { prompt_tokens: '5', completion_tokens: '3' };
const json = (counts: Record<string, string>): string =>
  `{${Object.entries(counts)
    .map(([name, count]) => `"${name}":${count}`)
    .join(',')}}`;

type Shape = readonly [string, Wire, Record<string, string>, (usage: string) => string];
const SHAPES: readonly Shape[] = [
  ['a message', anthropicWire, ANTHROPIC, (usage) => `{"type":"message","usage":${usage}}`],
  [
    'the end of a message',
    anthropicWire,
    ANTHROPIC,
    (usage) => `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":${usage}}`,
  ],
  ['a response', openaiWire, RESPONSES, (usage) => `{"response":{"status":"completed","usage":${usage}}}`],
  ['a completion', openaiWire, COMPLETIONS, (usage) => `{"choices":[],"usage":${usage}}`],
];

describe.each(SHAPES)('%s that reports', (_name, wire, sound, around) => {
  const cases = Object.keys(sound).flatMap((name) => NONSENSE.map((value) => [name, value] as const));
  it.each(cases)('%s of %s says nothing about what it cost', (name, value) => {
    for (const isStream of [true, false]) {
      expect(read(wire, around(json(sound)), isStream).isWhole).toBe(true);
      const reading = read(wire, around(json({ ...sound, [name]: value })), isStream);
      expect(reading).toMatchObject({ usage: null, isWhole: false });
    }
  });

  it('nothing of what it was sent says nothing about what it cost', () => {
    const { [Object.keys(sound)[0] ?? '']: _input, ...rest } = sound;
    expect(read(wire, around(json(rest)), true).isWhole).toBe(false);
  });
});

it('whatever is read fits into the ledger', () => {
  const count = fc.oneof(fc.nat(), fc.double(), fc.maxSafeInteger(), fc.string(), fc.constant(null));
  const details = fc.record({ cached_tokens: count, cache_write_tokens: count, reasoning_tokens: count }, { requiredKeys: [] }); // prettier-ignore
  const report = fc.record(
    {
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      input_tokens_details: details,
      output_tokens_details: fc.oneof(details, fc.record({ thinking_tokens: count }), count),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(report, fc.constantFrom(...SHAPES), (usage, [, wire, , around]) => {
      const { usage: counts } = read(wire, around(JSON.stringify(usage)), true);
      for (const tokens of Object.values(counts ?? {}) as number[]) {
        expect(Number.isInteger(tokens) && tokens >= 0 && tokens < 2 ** 31).toBe(true);
      }
      expect(counts?.reasoning ?? 0).toBeLessThanOrEqual(counts?.output ?? 0);
    }),
  );
});

it('a line that comes byte by byte is read as any other', () => {
  const reader = new AnswerReader(anthropicWire, true);
  const text = `data: {"type":"message","pad":"${'x'.repeat(3_000)}","usage":${json(ANTHROPIC)}}\n\n`;
  for (const byte of Buffer.from(text)) reader.take(Buffer.of(byte));
  expect(reader.end()).toMatchObject({ usage: { input: 5, output: 3, cacheRead: 1, cacheWrite: 1 }, isWhole: true });
});

import { expect, it } from 'vitest';
import { boundOfPrompt } from './prompt-bound.js';
import type { Body } from './wire.js';

const tokensOf = (body: Body): number => boundOfPrompt(body, JSON.stringify(body), 100).inputTokens;
const asked = (...content: object[]): Body => ({ messages: [{ role: 'user', content }] });
const image = (source: object): object => ({ type: 'image', source });

it('a prompt has at most as many tokens as bytes, and more where bytes say little', () => {
  const plain = tokensOf(asked({ type: 'text', text: 'x'.repeat(1_000) }));
  expect(plain).toBeGreaterThan(1_000);
  const inline = image({ type: 'base64', data: 'AAAA' });
  expect(tokensOf(asked(inline))).toBeGreaterThanOrEqual(8_000);
  const result = { type: 'tool_result', content: [inline, inline] };
  expect(tokensOf(asked(result))).toBeGreaterThanOrEqual(16_000);
  expect(tokensOf(asked({ type: 'document', source: { type: 'base64', data: 'AA' } }))).toBeGreaterThanOrEqual(
    1_000_000,
  );
  expect(
    tokensOf({ input: [{ type: 'message', content: [{ type: 'input_image', image_url: 'data:x' }] }] }),
  ).toBeGreaterThan(8_000);
});

it.each([
  ['a picture by its address', asked(image({ type: 'url', url: 'https://x.example/y' }))],
  ['a picture by its id', asked(image({ type: 'file', file_id: 'f_1' }))],
  [
    'one that a tool returned',
    asked({ type: 'tool_result', content: [image({ type: 'url', url: 'https://x.example' })] }),
  ],
  ['a picture of OpenAI’s', asked({ type: 'image_url', image_url: { url: 'https://x.example/y' } })],
  ['a file of OpenAI’s', { input: [{ content: [{ type: 'input_file', file_url: 'https://x.example/y' }] }] }],
])('%s is refused', (_name, body) => {
  expect(() => tokensOf(body)).toThrow('not links to them');
});

it('what nobody here knows counts as much as it could be', () => {
  expect(tokensOf(asked({ type: 'input_hologram', data: 'AA' }))).toBeGreaterThanOrEqual(1_000_000);
  expect(() => tokensOf(asked({ type: 'video_url', video_url: { url: 'https://x.example' } }))).toThrow('not links');
  const plain = [{ type: 'thinking' }, { type: 'tool_result', content: [{ type: 'text' }] }, { type: 'input_text' }];
  expect(tokensOf(asked(...plain))).toBeLessThan(8_000);
});

it('what an agent called a tool with is its own words, whatever they look like', () => {
  const input = {
    type: 'image',
    url: 'https://x.example/y',
    content: [image({ type: 'url', url: 'https://x.example' })],
  };
  expect(tokensOf(asked({ type: 'tool_use', name: 'Write', input }))).toBeLessThan(8_000);
});

it('a message that calls itself a call has what it has, and a medium needs no type', () => {
  const inline = { type: 'image_url', image_url: { url: 'data:x' } };
  const said = (...content: object[]): Body => ({ messages: [{ role: 'user', type: 'x_call', content }] });
  expect(tokensOf(said(inline))).toBeGreaterThanOrEqual(8_000);
  expect(() => tokensOf(said({ type: 'image_url', image_url: { url: 'https://x.example' } }))).toThrow('not links');
  expect(tokensOf(asked({ image_url: { url: 'data:x' } }))).toBeGreaterThanOrEqual(8_000);
  expect(() => tokensOf(asked({ image_url: { url: 'https://x.example' } }))).toThrow('not links');
  for (const name of ['audio_url', 'video_url', 'input_audio', 'file']) {
    expect(tokensOf(asked({ [name]: { data: 'AA' } }))).toBeGreaterThanOrEqual(1_000_000);
  }
});

it('a cache that is kept for long is a dearer one', () => {
  const body = asked({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } });
  expect(boundOfPrompt(body, JSON.stringify(body), 1).hasLongCache).toBe(true);
});

import { expect, it } from 'vitest';
import { boundOfPrompt } from './prompt-bound.js';
import type { WireName } from './proxy.port.js';
import type { Body } from './wire.js';

const boundOn = (wire: WireName, body: Body, contextTokens: number | null = null) =>
  boundOfPrompt(body, JSON.stringify(body), { wire, outputTokens: 100, contextTokens });
const tokensOf = (body: Body): number => boundOn('anthropic', body).bound.inputTokens;
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
  expect(boundOn('anthropic', body).bound.hasLongCache).toBe(true);
});

const DATA = 'iVBORw0KGgo'.repeat(40_000);
const inlineImages: [string, WireName, Body][] = [
  ['Anthropic', 'anthropic', asked(image({ type: 'base64', media_type: 'image/png', data: DATA }))],
  ['OpenAI', 'openai', { input: [{ content: [{ type: 'input_image', image_url: `data:image/png;base64,${DATA}` }] }] }],
  [
    'OpenAI’s completions',
    'openai',
    asked({ type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}`, detail: 'high' } }),
  ],
];
const pdf = `data:application/pdf;base64,${DATA}`;
const inlineDocuments: [string, WireName, Body][] = [
  [
    'Anthropic',
    'anthropic',
    asked({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: DATA } }),
  ],
  ['OpenAI', 'openai', { input: [{ content: [{ type: 'input_file', filename: 'a.pdf', file_data: pdf }] }] }],
  ['OpenAI’s completions', 'openai', asked({ type: 'file', file: { filename: 'a.pdf', file_data: pdf } })],
];

it.each(inlineImages)(
  'a picture has the tokens of a picture, not of its bytes, on the wire of %s',
  (_name, wire, body) => {
    const { bound, likelyTokens } = boundOn(wire, body);
    expect(bound.inputTokens).toBeGreaterThanOrEqual(wire === 'anthropic' ? 4_784 : 48_169);
    expect(bound.inputTokens).toBeLessThan(55_000);
    expect(likelyTokens).toBe(bound.inputTokens);
  },
);

it.each(inlineDocuments)(
  'a document is as long as the model can hold at most, and as its size tells, on the wire of %s',
  (_name, wire, body) => {
    const { bound, likelyTokens } = boundOn(wire, body, 200_000);
    expect(bound.inputTokens).toBeGreaterThan(200_000);
    expect(bound.inputTokens).toBeLessThan(205_000);
    expect(likelyTokens).toBeGreaterThan(DATA.length / 4);
    expect(likelyTokens).toBeLessThan(DATA.length / 4 + 12_000);
  },
);

it('all documents together are no longer than what the model can hold', () => {
  const document = { type: 'document', source: { type: 'base64', data: 'AAAA' } };
  expect(boundOn('anthropic', asked(document, document), 200_000).bound.inputTokens).toBeLessThan(210_000);
});

it.each([
  ['that is no base64', 'anthropic', asked(image({ type: 'base64', data: 'some words, '.repeat(1_000) }))],
  ['that calls itself words', 'anthropic', asked({ type: 'text', source: { type: 'base64', data: DATA } })],
  ['where the wire has none', 'openai', asked(image({ type: 'base64', data: DATA }))],
  ['of a tool’s arguments', 'anthropic', asked({ type: 'tool_use', input: image({ type: 'base64', data: DATA }) })],
] as [string, WireName, Body][])('data %s counts as words', (_name, wire, body) => {
  expect(boundOn(wire, body).bound.inputTokens).toBeGreaterThan(JSON.stringify(body).length);
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EngineBug } from '#kernel';
import { ModelError } from '../model-error.js';
import { type ChatAnswer, type ChatRequest, noUsage } from '../model.port.js';
import { outputSchema } from './output-schema.js';
import { jsonIn, structuredChat } from './structured.js';
import { chatRequest } from './under-test.fixture.js';

const Verdict = z.object({ ok: z.boolean(), note: z.string().max(20).optional() });

const Tree = z.object({
  name: z.string(),
  get kids() {
    return z.array(Tree);
  },
});

/** A model that says these texts one after the other. */
function saying(...texts: (string | Partial<ChatAnswer>)[]) {
  const requests: ChatRequest[] = [];
  const chat = async (request: ChatRequest): Promise<ChatAnswer> => {
    const said = texts[requests.push(request) - 1] ?? '';
    const usage = { ...noUsage, input: 10, output: 5 };
    const answer = { id: 'a', model: 'm', text: '', toolCalls: [], stop: 'end' as const, usage, raw: null };
    return { ...answer, ...(typeof said === 'string' ? { text: said } : said) };
  };
  const ask = () => structuredChat(chat, chatRequest(), { name: 'verdict', type: Verdict });
  return { ask, requests };
}

describe('an answer of a shape', () => {
  it.each([
    ['alone', '{"ok":true}'],
    ['between fences', 'Here it is:\n```json\n{"ok": true}\n```\nDone.'],
    ['between words', 'I think {"ok": true} is right.'],
    ['with null for what may be missing', '{"ok":true,"note":null}'],
  ])('is read where it stands %s', async (_where, text) => {
    const { ask, requests } = saying(text);
    expect(await ask()).toMatchObject({ value: { ok: true } });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.output?.name).toBe('verdict');
  });

  it('is repaired once: the model sees what was wrong', async () => {
    const { ask, requests } = saying('{"ok":"yes"}', '{"ok":true}');
    const { value, answers } = await ask();
    expect(value).toEqual({ ok: true });
    expect(answers).toHaveLength(2);
    const [, wrong, complaint] = requests[1]?.messages ?? [];
    expect(wrong).toMatchObject({ role: 'assistant', text: '{"ok":"yes"}' });
    expect(complaint).toMatchObject({ role: 'user', text: expect.stringContaining('expected boolean') as string });
  });

  it('is a typed failure after that, with all that was paid', async () => {
    const { ask, requests } = saying('no', 'still no', '{"ok":true}');
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'MODEL_OUTPUT_INVALID', remedy: 'give-up', billed: { input: 20, output: 10 } });
    expect(requests).toHaveLength(2);
  });

  it('is not asked for again where the model refuses', async () => {
    const { ask, requests } = saying({ text: 'I will not.', stop: 'refused' });
    await expect(ask()).rejects.toMatchObject({ code: 'MODEL_REFUSED', remedy: 'give-up' });
    expect(requests).toHaveLength(1);
  });

  it('is to be shorter where it was cut off', async () => {
    const { ask, requests } = saying({ text: '{"ok":tr', stop: 'length' }, '{"ok":true}');
    await ask();
    expect(JSON.stringify(requests[1]?.messages)).toContain('shorter');
  });

  it('is nothing in a text without JSON', () => {
    for (const text of ['', 'no', '}{', '{', '```json\nx\n```']) expect(jsonIn(text)).toBeUndefined();
  });
});

describe('the schema that a model is given', () => {
  it('is closed, requires everything, and tells bounds in words', () => {
    expect(
      outputSchema(z.object({ a: z.string().min(1).describe('A.').optional(), n: z.int().max(3).nullable() })).schema,
    ).toEqual({
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'string', description: 'A. (minLength: 1)' }, { type: 'null' }] },
        n: { anyOf: [{ type: 'integer', description: '(maximum: 3)' }, { type: 'null' }] },
      },
      required: ['a', 'n'],
      additionalProperties: false,
    });
  });

  it('gives back what zod expects, at any depth', () => {
    const Finding = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('bug'), line: z.int().optional(), note: z.string().nullable() }),
      z.object({ kind: z.literal('praise'), words: z.enum(['good', 'great']) }),
    ]);
    const type = z.object({ findings: z.array(Finding).default([]) });
    const { schema, fromModel } = outputSchema(type);
    expect(JSON.stringify(schema)).not.toMatch(/oneOf|"default"/);
    const said = {
      findings: [
        { kind: 'bug', line: null, note: null },
        { kind: 'praise', words: 'good' },
      ],
    };
    expect(type.parse(fromModel(said))).toEqual({
      findings: [
        { kind: 'bug', note: null },
        { kind: 'praise', words: 'good' },
      ],
    });
    expect(type.parse(fromModel({ findings: null }))).toEqual({ findings: [] });
  });

  it.each<[string, z.ZodType]>([
    ['a map', z.object({ a: z.record(z.string(), z.string()) })],
    ['a tuple', z.object({ a: z.tuple([z.string()]) })],
    ['anything', z.object({ a: z.unknown() })],
    ['no object', z.string()],
    ['a tree', z.object({ tree: Tree })],
  ])('cannot ask for %s', (_what, type) => {
    expect(() => outputSchema(type)).toThrow(EngineBug);
  });
});

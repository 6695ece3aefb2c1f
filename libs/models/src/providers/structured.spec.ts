import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EngineBug, type Json } from '#kernel';
import { outputSchema } from './output-schema.js';
import { readShape } from './structured.js';

const Verdict = z.object({ ok: z.boolean(), note: z.string().max(20).optional() });

const Tree = z.object({
  name: z.string(),
  get kids() {
    return z.array(Tree);
  },
});

const verdictIn = (given: Json) => readShape({ name: 'verdict', type: Verdict }, given);

describe('an answer of a shape', () => {
  it.each<[string, Json]>([
    ['as a value', { ok: true }],
    ['alone', '{"ok":true}'],
    ['between fences', '```\n{"ok": true}\n```'],
    ['between fences and words', 'Here it is:\n```json\n{"ok": true}\n```\nDone, {not} that.'],
    ['between words', 'I think {"ok": true} is right.'],
    ['with null for what may be missing', '{"ok":true,"note":null}'],
    ['with more than was asked for', '{"ok":true,"mood":"good"}'],
  ])('is read where it stands %s', (_where, given) => {
    expect(verdictIn(given)).toEqual({ value: { ok: true } });
  });

  it('that is of another shape is told what is wrong with it', () => {
    const problem = 'problem' in verdictIn('{"ok":"yes"}') && verdictIn('{"ok":"yes"}');
    expect(JSON.stringify(problem)).toMatch(/verdict.*expected boolean.*ok/);
    expect(verdictIn('[{"ok":true}]')).toHaveProperty('problem');
  });

  it('is nothing in a text without JSON', () => {
    for (const text of ['', 'no', '}{', '{', '```json\nx\n```', '['.repeat(10_000)]) {
      expect(verdictIn(text)).toMatchObject({ problem: expect.stringContaining('has to be JSON') as string });
    }
  });

  it('holds what zod fills in', () => {
    const type = z.object({ n: z.int().default(3) });
    expect(readShape({ name: 'n', type }, '{"n":null}')).toEqual({ value: { n: 3 } });
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
    ['what is no JSON', z.object({ a: z.date() })],
    ['what becomes something else', z.object({ a: z.string().transform(BigInt) })],
  ])('cannot ask for %s', (_what, type) => {
    expect(() => outputSchema(type)).toThrow(EngineBug);
  });
});

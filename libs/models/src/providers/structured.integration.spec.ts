import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#kernel';
import { type ModelServer, startModelServer } from '#testing';
import { outputSchema } from './output-schema.js';
import { readShape } from './structured.js';
import { chat, failure, MAKERS } from './under-test.fixture.js';

let server: ModelServer;
beforeAll(async () => (server = await startModelServer(() => ({ text: '{"ok":true,"notes":[{"line":null}]}' }))));
afterAll(() => server.stop());

const type = z.object({ ok: z.boolean(), notes: z.array(z.object({ line: z.int().optional() })).default([]) });

it.each(MAKERS)('%s takes the schema of a shape as it is, and its answer is read back', async (_name, make) => {
  const { text } = await chat(make(server), { output: { name: 'verdict', schema: outputSchema(type).schema } });
  expect(readShape({ name: 'verdict', type }, text)).toEqual({ value: { ok: true, notes: [{}] } });
});

it.each(MAKERS.filter(([name]) => name !== 'anthropic'))('%s refuses any other schema', async (_name, make) => {
  const { $schema: _, ...loose } = z.toJSONSchema(type, { io: 'input' });
  const error = await failure(chat(make(server), { output: { name: 'verdict', schema: loose as JsonObject } }));
  expect(error).toMatchObject({ remedy: 'give-up' });
  expect(JSON.stringify(error.details)).toContain("'additionalProperties' is required");
});

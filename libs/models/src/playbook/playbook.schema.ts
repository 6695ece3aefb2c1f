import { z } from 'zod';

/**
 * A playbook: what a pretended model answers. An entry says who it is for, and what it answers turn by turn; the first
 * entry that fits and has the turn is taken.
 */
const oneOrMore = <T extends z.ZodType>(type: T) => z.union([type, z.array(type).min(1), z.literal('*')]).default('*');
const word = z.string().min(1).max(200);
const tokens = z.int().min(0).max(100_000_000);
/** How often it happens before the answer comes. */
const times = z.int().min(1).max(1_000).default(1);

const usage = z.strictObject({
  input: tokens.optional(),
  output: tokens.optional(),
  cacheRead: tokens.optional(),
  cacheWrite: tokens.optional(),
  reasoning: tokens.optional(),
});

const toolCall = z.strictObject({ name: word, input: z.record(z.string(), z.json()).default({}) });

const answer = z
  .strictObject({
    text: z.string().optional(),
    /** The text is JSON: an object with these findings, or whatever this is. */
    findings: z.array(z.json()).optional(),
    json: z.json().optional(),
    tools: z.array(toolCall).max(100).default([]),
    stop: z.enum(['end', 'length', 'refused']).optional(),
    /** What is not given is made up from the lengths of question and answer. */
    usage: usage.optional(),
    /** How slowly it is said. */
    msPerToken: z.number().min(0).max(10_000).default(0),
    rateLimit: z.strictObject({ times, seconds: z.number().min(0).max(86_400).default(1) }).optional(),
    error: z.strictObject({ times, words: z.string().max(2_000).default('the playbook says so') }).optional(),
  })
  .refine(({ text, findings, json }) => [text, findings, json].filter((one) => one !== undefined).length <= 1, {
    error: 'has more than one of text, findings and json',
  })
  .refine(
    ({ text, findings, json, tools }) => text !== undefined || findings || json !== undefined || tools.length > 0,
    {
      error: 'says nothing: it needs text, findings, json or tools',
    },
  );

const entry = z
  .strictObject({
    role: oneOrMore(word),
    purpose: oneOrMore(word),
    attempt: oneOrMore(z.int().min(1)),
    tier: oneOrMore(z.enum(['small', 'medium', 'large'])),
    /** Words that the question it all begins with holds: tells tasks of one role apart. */
    mentions: word.optional(),
    turns: z.array(answer).min(1).max(1_000).optional(),
    /** The same at every turn. */
    always: answer.optional(),
  })
  .refine(({ turns, always }) => (turns === undefined) !== (always === undefined), {
    error: 'needs either turns or always',
  });

export const playbookSchema = z.strictObject({
  version: z.literal(1),
  about: z.string().optional(),
  /** The requests that it fits: `*` stands for any text. A playbook without this list fits every request. */
  requests: z
    .array(
      z
        .string()
        .regex(/[^\s*]/, { error: 'must have a word' })
        .max(200),
    )
    .min(1)
    .max(100)
    .optional(),
  entries: z.array(entry).min(1).max(1_000),
});

export type Playbook = z.infer<typeof playbookSchema>;
export type PlaybookEntry = Playbook['entries'][number];
export type PlaybookAnswer = z.infer<typeof answer>;

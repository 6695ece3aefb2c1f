import { z } from 'zod';
import { errorMessage, type Json, parseJsonStrict } from '#kernel';
import { outputSchema } from './output-schema.js';

/** What an answer is to be: asked for as `outputSchema(type)`, and read back by `readShape`. */
export interface Shape {
  readonly name: string;
  readonly type: z.ZodType;
}

export type Reading = { readonly value: Json } | { readonly problem: string };

const LIMITS = { maxDepth: 64, maxBytes: 4 * 1_024 * 1_024 };
const LONGEST_PROBLEM = 2_000;

/** A value of the shape, from one or from a text that holds it; or what is wrong with it, in words for the model. */
export function readShape({ name, type }: Shape, given: Json): Reading {
  const found = typeof given === 'string' ? jsonIn(given) : { value: given };
  if ('problem' in found) return { problem: `the output "${name}" has to be JSON: ${found.problem}` };
  const checked = type.safeParse(outputSchema(type).fromModel(found.value));
  if (checked.success) return { value: plain(checked.data) };
  const words = z.prettifyError(checked.error).slice(0, LONGEST_PROBLEM);
  return { problem: `the output "${name}" is not as asked for: ${words}` };
}

/** The whole text, or what stands between fences or brackets in it: models like to talk around what they give. */
export function jsonIn(text: string): Reading {
  const fenced = /```[a-z]*[^\S\n]*\n([\s\S]*?)```/i.exec(text)?.[1];
  const [open, close] = [text.indexOf('{'), text.lastIndexOf('}')];
  const bracketed = open !== -1 && close > open ? text.slice(open, close + 1) : undefined;
  const whole = parsed(text);
  if ('value' in whole) return whole;
  for (const candidate of [fenced, bracketed]) {
    const part = candidate === undefined ? whole : parsed(candidate);
    if ('value' in part) return part;
  }
  return whole;
}

function parsed(text: string): Reading {
  try {
    return { value: parseJsonStrict(text.trim(), LIMITS) };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

/** Members that zod knows of and that are not there are left out, as JSON does. */
const plain = (data: unknown): Json => JSON.parse(JSON.stringify(data)) as Json;

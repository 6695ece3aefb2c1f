import { z } from 'zod';
import type { Json, JsonObject } from '#kernel';
import { ModelError } from '../model-error.js';
import type { ChatAnswer, Message, ModelRef, Usage } from '../model.port.js';
import { outputSchema } from './output-schema.js';

/** Whatever can be asked: a ChatRequest of a provider, or a ChatWish at the desk. */
export interface Askable {
  readonly messages: readonly Message[];
  readonly output?: { readonly name: string; readonly schema: JsonObject };
}

export interface StructuredAnswer<T, A extends ChatAnswer> {
  readonly value: T;
  /** One, or two where the first had to be repaired. All of them are paid. */
  readonly answers: readonly A[];
}

export interface Shape<T> {
  readonly name: string;
  readonly type: z.ZodType<T>;
}

/**
 * Asks for JSON and checks it. An answer that is none, or of another shape, is shown to the model once with what is
 * wrong; if the next one is no better: ModelError MODEL_OUTPUT_INVALID. `follow` changes the second request where the
 * first answer decides about it, such as the model that goes on.
 */
export async function structuredChat<R extends Askable, A extends ChatAnswer, T>(
  chat: (request: R) => Promise<A>,
  request: R,
  { name, type }: Shape<T>,
  follow: (request: R, answer: A) => R = (same) => same,
): Promise<StructuredAnswer<T, A>> {
  const { schema, fromModel } = outputSchema(type);
  const first: R = { ...request, output: { name, schema } };
  const answer = await chat(first);
  const reading = read(answer, type, fromModel);
  if ('value' in reading) return { value: reading.value, answers: [answer] };
  const { text, toolCalls, raw } = answer;
  const messages: Message[] = [
    ...first.messages,
    { role: 'assistant', text, toolCalls, raw },
    { role: 'user', text: `That answer cannot be used: ${reading.problem}\nAnswer again, with nothing but the JSON.` },
  ];
  const second = await chat(follow({ ...first, messages }, answer));
  const again = read(second, type, fromModel);
  if ('value' in again) return { value: again.value, answers: [answer, second] };
  throw failed('MODEL_OUTPUT_INVALID', `the model's answer is not of the shape "${name}": ${again.problem}`, [
    answer,
    second,
  ]);
}

type Reading<T> = { readonly value: T } | { readonly problem: string };

function read<T>(answer: ChatAnswer, type: z.ZodType<T>, fromModel: (value: Json) => Json): Reading<T> {
  if (answer.stop === 'refused') throw failed('MODEL_REFUSED', `the model refuses to answer: ${answer.text}`, [answer]);
  const found = jsonIn(answer.text);
  if (found === undefined) {
    return { problem: answer.stop === 'length' ? 'it was cut off; it has to be shorter.' : 'it is no JSON.' };
  }
  const checked = type.safeParse(fromModel(found));
  return checked.success ? { value: checked.data } : { problem: z.prettifyError(checked.error).slice(0, 2_000) };
}

/** The whole text, or what stands between fences or brackets in it. */
export function jsonIn(text: string): Json | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  const [open, close] = [text.indexOf('{'), text.lastIndexOf('}')];
  const bracketed = open !== -1 && close > open ? text.slice(open, close + 1) : undefined;
  for (const candidate of [text, fenced, bracketed]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate) as Json;
    } catch {
      continue;
    }
  }
  return undefined;
}

function failed(code: string, message: string, answers: readonly ChatAnswer[]): ModelError {
  const last = answers.at(-1);
  const isKnown = answers.every(({ isUsageKnown }) => isUsageKnown !== false);
  return new ModelError(code, message.slice(0, 3_000), {
    remedy: 'give-up',
    provider: providerOf(last),
    words: last?.text ?? '',
    billed: isKnown ? sum(answers.map(({ usage }) => usage)) : 'unknown',
  });
}

/** Answers of the desk say who gave them; others only which model. */
function providerOf(answer: (ChatAnswer & { readonly ref?: ModelRef }) | undefined): string {
  return answer?.ref?.provider ?? answer?.model ?? '';
}

function sum(usages: readonly Usage[]): Usage {
  const total = (name: keyof Usage): number => usages.reduce((all, usage) => all + usage[name], 0);
  return {
    input: total('input'),
    output: total('output'),
    cacheRead: total('cacheRead'),
    cacheWrite: total('cacheWrite'),
    reasoning: total('reasoning'),
  };
}

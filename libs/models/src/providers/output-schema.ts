import { z } from 'zod';
import { EngineBug, errorMessage, type Json, type JsonObject } from '#kernel';
import { isJsonObject } from './tool-input.js';

/**
 * A zod schema as JSON schema within what the strict modes of both providers take: every object closed, every property
 * required (one that may be missing may be null instead), no bounds. What cannot be said in the schema is said in the
 * description, and checked by zod afterwards. `fromModel` takes the nulls out again that stand for missing properties.
 */
export interface OutputSchema {
  readonly schema: JsonObject;
  readonly fromModel: (value: Json) => Json;
}

/** Types live as long as the program, and every call asks for the schema of one of them. */
const known = new WeakMap<z.ZodType, OutputSchema>();

export function outputSchema(type: z.ZodType): OutputSchema {
  const schema = known.get(type) ?? made(type);
  known.set(type, schema);
  return schema;
}

function made(type: z.ZodType): OutputSchema {
  const whole = jsonSchema(type, 'input');
  // What it gives is kept and read again: it has to be JSON too.
  jsonSchema(type, 'output');
  const strict = strictly(whole, 'the output');
  if (strict['type'] !== 'object') throw unsayable('the output', 'it is no object');
  return { schema: strict, fromModel: (value) => withoutNulls(value, whole) };
}

function jsonSchema(type: z.ZodType, io: 'input' | 'output'): JsonObject {
  try {
    return z.toJSONSchema(type, { io }) as JsonObject;
  } catch (error) {
    throw unsayable('the output', errorMessage(error));
  }
}

const BOUNDS = [
  'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf',
  'minItems', 'maxItems', 'uniqueItems',
] as const; // prettier-ignore
const UNSAYABLE = ['$ref', 'allOf', 'prefixItems', 'propertyNames', 'patternProperties', 'not', 'if'];

function strictly(node: JsonObject, where: string): JsonObject {
  const odd = UNSAYABLE.find((keyword) => keyword in node);
  if (odd !== undefined) throw unsayable(where, `it needs ${odd}`);
  if (isJsonObject(node['additionalProperties'])) throw unsayable(where, 'its properties have no fixed names');
  const described = descriptionOf(node);
  const alternatives = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(alternatives)) {
    const anyOf = (alternatives as JsonObject[]).map((one, index) =>
      strictly(one, `${where}, alternative ${index + 1}`),
    );
    return { anyOf, ...described };
  }
  if (Array.isArray(node['type'])) {
    const anyOf = (node['type'] as string[]).map((type) => strictly({ ...node, type, description: '' }, where));
    return { anyOf, ...described };
  }
  switch (node['type']) {
    case 'object':
      return { ...strictObject(node, where), ...described };
    case 'array': {
      const { items } = node;
      if (!isJsonObject(items)) throw unsayable(where, 'its items can be anything');
      return { type: 'array', items: strictly(items, `an item of ${where}`), ...described };
    }
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null': {
      const { type, enum: values, const: value } = node;
      return {
        type,
        ...(values === undefined ? {} : { enum: values }),
        ...(value === undefined ? {} : { const: value }),
        ...described,
      };
    }
    default:
      throw unsayable(where, 'it can be anything');
  }
}

function strictObject(node: JsonObject, where: string): JsonObject {
  const properties = (node['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const required = new Set((node['required'] ?? []) as string[]);
  const strict = Object.entries(properties).map(([name, property]): [string, JsonObject] => {
    const inner = strictly(property, `${name} of ${where}`);
    return [name, required.has(name) || takesNull(property) ? inner : { anyOf: [inner, { type: 'null' }] }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function descriptionOf(node: JsonObject): { description?: string } {
  const bounds = BOUNDS.flatMap((name) => {
    const value = node[name];
    if (value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return [];
    return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
  });
  const said = typeof node['description'] === 'string' ? node['description'] : '';
  const description = [said, ...(bounds.length > 0 ? [`(${bounds.join(', ')})`] : [])]
    .filter((part) => part !== '')
    .join(' ');
  return description === '' ? {} : { description };
}

function takesNull(node: JsonObject): boolean {
  const { type, anyOf, oneOf } = node;
  if (type === 'null' || (Array.isArray(type) && (type as Json[]).includes('null'))) return true;
  return ([anyOf, oneOf].find(Array.isArray) as JsonObject[] | undefined)?.some(takesNull) ?? false;
}

function withoutNulls(value: Json, node: JsonObject): Json {
  const alternatives = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(alternatives)) {
    // Only the branch it is meant for knows all of its properties.
    const fitting = (alternatives as JsonObject[]).find((one) => fits(value, one));
    return fitting ? withoutNulls(value, fitting) : value;
  }
  if (Array.isArray(value) && isJsonObject(node['items'])) {
    const { items } = node;
    return (value as Json[]).map((item) => withoutNulls(item, items));
  }
  if (!isJsonObject(value)) return value;
  const properties = (node['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  const required = new Set((node['required'] ?? []) as string[]);
  const kept = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) return [[name, member]];
    if (member === null && !required.has(name) && !takesNull(property)) return [];
    return [[name, withoutNulls(member, property)]];
  });
  return Object.fromEntries(kept);
}

function fits(value: Json, { type, properties, items }: JsonObject): boolean {
  if (Array.isArray(value)) return items !== undefined;
  if (!isJsonObject(value) || type !== 'object') return false;
  const known = Object.entries((properties ?? {}) as Record<string, JsonObject>);
  const isTagged = known.every(([name, { const: tag }]) => tag === undefined || value[name] === tag);
  return isTagged && Object.keys(value).every((name) => known.some(([one]) => one === name));
}

function unsayable(where: string, why: string): EngineBug {
  return new EngineBug('OUTPUT_SCHEMA_UNSAYABLE', `${where} cannot be asked of a model: ${why}`);
}

import type { Json } from '#kernel';
import type { JsonSchema } from './conversation.js';

/** The value in the shape of a schema: unknown properties go, missing ones get the plainest value that is allowed. */
export function fitSchema(value: unknown, schema: JsonSchema): Json {
  const variants = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(variants)) return fitVariant(value, variants as JsonSchema[]);
  if ('const' in schema) return schema['const'] as Json;
  if (Array.isArray(schema['enum'])) return fitEnum(value, schema['enum'] as Json[]);
  const types = [schema['type']].flat();
  if ((value === null || value === undefined) && types.includes('null')) return null;
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return fitObject(value, schema);
    case 'array': {
      const items = (schema['items'] ?? {}) as JsonSchema;
      return Array.isArray(value) ? value.map((one) => fitSchema(one, items)) : [];
    }
    case 'number':
    case 'integer':
      return typeof value === 'number' ? value : 0;
    case 'boolean':
      return value === true;
    case 'string':
      return typeof value === 'string' ? value : '';
    default:
      return (value ?? null) as Json;
  }
}

/** Names of the properties at the top. */
export const propertiesOf = (schema: JsonSchema | null): readonly string[] => Object.keys(schema?.['properties'] ?? {});

function fitVariant(value: unknown, variants: readonly JsonSchema[]): Json {
  const isNull = ({ type }: JsonSchema): boolean => type === 'null';
  const hasNoValue = value === null || value === undefined;
  if (hasNoValue && variants.some(isNull)) return null;
  const other = variants.find((variant) => !isNull(variant));
  return other ? fitSchema(value, other) : null;
}

const fitEnum = (value: unknown, allowed: readonly Json[]): Json =>
  allowed.find((one) => one === value) ?? allowed[0] ?? null;

function fitObject(value: unknown, schema: JsonSchema): Json {
  const given = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const wanted = properties.filter(([name]) => name in given || required.includes(name));
  return Object.fromEntries(wanted.map(([name, inner]) => [name, fitSchema(given[name], inner)]));
}

import type { CallBody, Protocol, Reply } from './reply.js';

type Node = Readonly<Record<string, unknown>>;
interface Format {
  readonly name?: string;
  readonly strict?: boolean;
  readonly schema?: Node;
}

/** As OpenAI answers a schema that its strict mode does not take; null where there is nothing to refuse. */
export function schemaRefusal(protocol: Protocol, body: CallBody): Reply | null {
  const { name, strict, schema } = formatOf(protocol, body);
  if (strict !== true || !schema) return null;
  const problem = problemOf(schema, []);
  if (problem === null) return null;
  const words = `Invalid schema for response_format '${name ?? ''}': ${problem}`;
  const param = protocol === 'responses' ? 'text.format.schema' : 'response_format';
  const error = { message: words, type: 'invalid_request_error', param, code: 'invalid_json_schema' };
  return { fault: { kind: 'status', status: 400, words, body: JSON.stringify({ error }) } };
}

function formatOf(protocol: Protocol, body: CallBody): Format {
  if (protocol === 'responses') return (body['text'] as { format?: Format } | undefined)?.format ?? {};
  if (protocol === 'completions') {
    return (body['response_format'] as { json_schema?: Format } | undefined)?.json_schema ?? {};
  }
  return {};
}

/** Every object is closed and requires all of its properties, at any depth. */
function problemOf(node: Node, path: readonly string[]): string | null {
  const where = `In context=(${path.map((part) => `'${part}'`).join(', ')}${path.length === 1 ? ',' : ''})`;
  const properties = (node['properties'] ?? {}) as Record<string, Node>;
  if (node['type'] === 'object') {
    if (node['additionalProperties'] !== false) {
      return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = (node['required'] ?? []) as string[];
    const missing = Object.keys(properties).find((name) => !required.includes(name));
    if (missing !== undefined) {
      return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  const inner: [string[], unknown][] = [
    ...Object.entries(properties).map(([name, one]): [string[], unknown] => [['properties', name], one]),
    ...Object.entries(node['$defs'] ?? {}).map(([name, one]): [string[], unknown] => [['$defs', name], one]),
    [['items'], node['items']],
    ...((node['anyOf'] ?? []) as unknown[]).map((one, nth): [string[], unknown] => [['anyOf', String(nth)], one]),
  ];
  for (const [steps, one] of inner) {
    const problem = typeof one === 'object' && one !== null ? problemOf(one as Node, [...path, ...steps]) : null;
    if (problem !== null) return problem;
  }
  return null;
}

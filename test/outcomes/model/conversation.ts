import type { ModelCall } from '#testing';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface MadeCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Null until the tool has answered. */
  readonly result: string | null;
  readonly isError: boolean;
}

/** A model call in one form, whatever its wire protocol is. */
export interface Conversation {
  /** All that users said, the task first. */
  readonly text: string;
  /** The first message, which states the task. */
  readonly task: string;
  readonly calls: readonly MadeCall[];
  readonly tools: readonly string[];
  /** By the name of a tool: the shape of its input, if the call gives it. */
  readonly inputs: ReadonlyMap<string, JsonSchema>;
  /** The shape of the final answer; null if plain text is enough. */
  readonly schema: JsonSchema | null;
  /** Answers of the model so far. */
  readonly turn: number;
}

type Item = Readonly<Record<string, unknown>>;
type Entry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: Item }
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly isError: boolean };

export function readConversation(call: ModelCall): Conversation {
  const { body, protocol, tools, turn } = call;
  const items = asItems(body[protocol === 'responses' ? 'input' : 'messages']);
  const entries = items.flatMap((item) => (protocol === 'responses' ? readResponsesItem(item) : readMessage(item)));
  const users = entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  const results = new Map(entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.id, entry] as const] : [])));
  const calls = entries.flatMap((entry): MadeCall[] => {
    if (entry.kind !== 'call') return [];
    const result = results.get(entry.id);
    const { name, input } = entry;
    return [{ name, input, result: result?.text ?? null, isError: result?.isError ?? false }];
  });
  const inputs = inputsOf(body['tools']);
  return { text: users.join('\n'), task: users[0] ?? '', calls, tools, inputs, schema: schemaOf(call), turn };
}

function schemaOf({ protocol, body }: ModelCall): JsonSchema | null {
  switch (protocol) {
    case 'anthropic':
      return asItem(asItem(asItem(body['output_config'])?.['format'])?.['schema']);
    case 'responses':
      return asItem(asItem(asItem(body['text'])?.['format'])?.['schema']);
    case 'completions':
      return asItem(asItem(asItem(body['response_format'])?.['json_schema'])?.['schema']);
  }
}

/** Each protocol has another place for the schema of a tool's input. */
const inputsOf = (tools: unknown): ReadonlyMap<string, JsonSchema> =>
  new Map(
    asItems(tools).flatMap((tool) => {
      const inner = asItem(tool['function']) ?? tool;
      const schema = asItem(inner['input_schema'] ?? inner['parameters']);
      return schema ? [[textOf(inner['name']), schema] as const] : [];
    }),
  );

/** Anthropic's messages and OpenAI's chat completions. */
function readMessage(message: Item): Entry[] {
  const { role, content, tool_calls: toolCalls, tool_call_id: answered } = message;
  if (role === 'tool') return [{ kind: 'result', id: textOf(answered), text: textOf(content), isError: false }];
  const calls = asItems(toolCalls).map((call): Entry => {
    const { name, arguments: given } = asItem(call['function']) ?? {};
    return { kind: 'call', id: textOf(call['id']), name: textOf(name), input: parseInput(given) };
  });
  if (typeof content === 'string') return role === 'user' ? [{ kind: 'user', text: content }, ...calls] : calls;
  return [...asItems(content).flatMap((block) => readBlock(role === 'user', block)), ...calls];
}

function readBlock(isUser: boolean, block: Item): Entry[] {
  const { type, text, id, name, input, tool_use_id: answered, content, is_error: isError } = block;
  if (type === 'text' && isUser) return [{ kind: 'user', text: textOf(text) }];
  if (type === 'tool_use') return [{ kind: 'call', id: textOf(id), name: textOf(name), input: asItem(input) ?? {} }];
  if (type !== 'tool_result') return [];
  return [{ kind: 'result', id: textOf(answered), text: textOf(content), isError: isError === true }];
}

function readResponsesItem(item: Item): Entry[] {
  const { type, role, content, call_id: id, name, arguments: given, output } = item;
  if (type === 'function_call') return [{ kind: 'call', id: textOf(id), name: textOf(name), input: parseInput(given) }];
  if (type === 'function_call_output')
    return [{ kind: 'result', id: textOf(id), text: textOf(output), isError: false }];
  return role === 'user' ? [{ kind: 'user', text: textOf(content) }] : [];
}

/** A text, or the texts of a list of blocks. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return asItems(value)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n');
}

function parseInput(given: unknown): Item {
  if (typeof given !== 'string') return asItem(given) ?? {};
  try {
    return asItem(JSON.parse(given)) ?? {};
  } catch {
    return {};
  }
}

const asItem = (value: unknown): Item | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Item) : null;
const asItems = (value: unknown): readonly Item[] =>
  Array.isArray(value) ? value.map(asItem).filter((one) => one !== null) : [];

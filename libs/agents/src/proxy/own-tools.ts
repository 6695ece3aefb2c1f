import { Refusal, STOP } from './refusal.js';
import { type Body, isObject } from './wire.js';

/** Tools that the CLI itself carries out; all others are carried out, and billed, by the provider. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'local_shell', 'apply_patch', 'namespace']);

/**
 * What a conversation is made of when it stands in the request itself. Other items stand for something that the
 * provider keeps or does: nobody could tell how much that is.
 */
const ITEMS: ReadonlySet<unknown> = new Set([
  'message',
  'agent_message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
]);

/** The tools of a request, or of an item or a namespace in it, without those of the provider. */
export function keepOwnTools(holder: Record<string, unknown>): void {
  if (holder['tools'] === undefined) return;
  const tools: unknown[] = Array.isArray(holder['tools']) ? holder['tools'] : [];
  const own = tools.filter(isObject).filter(isOwnTool);
  for (const tool of own) keepOwnTools(tool);
  holder['tools'] = own;
}

/** Refuses a conversation that is not all in the request. Throws Refusal. */
export function keepOwnItems({ input }: Body): void {
  if (!Array.isArray(input)) return;
  for (const item of input as unknown[]) {
    const type = isObject(item) ? (item['type'] ?? ('role' in item ? 'message' : null)) : null;
    if (!isObject(item) || !ITEMS.has(type) || item['execution'] === 'server') {
      const name = typeof type === 'string' ? type.slice(0, 80) : 'unknown';
      throw new Refusal(STOP, 'PROMPT_UNBOUNDED', `items of the type ${name} are not passed on to the provider`);
    }
    keepOwnTools(item);
  }
}

function isOwnTool({ type, execution }: Record<string, unknown>): boolean {
  return OWN_TOOLS.has(type) || (type === 'tool_search' && execution === 'client');
}

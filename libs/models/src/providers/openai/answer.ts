import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { Json } from '#kernel';
import { type ChatAnswer, noUsage, type ToolCall, type Usage } from '../../model.port.js';
import { errorIn } from '../failure-body.js';
import { StreamFault, StreamRefusal } from '../stream-fault.js';
import { openaiUsage } from '../token-counts.js';
import { toolInput } from '../tool-input.js';
import type { TellUsage } from '../wire-provider.js';
import { wireText } from '../wire-values.js';

/** Puts an answer together from the events of its stream. */
export class OpenaiAnswer {
  #hasBegun = false;
  #last: Response | null = null;
  readonly #items: ResponseOutputItem[] = [];

  constructor(private readonly tellUsage: TellUsage) {}

  /** Nothing that follows belongs to it. */
  get isDone(): boolean {
    return this.#last !== null;
  }

  take(event: ResponseStreamEvent): void {
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        this.#hasBegun = true;
        return;
      case 'response.output_item.done':
        this.#items.push(event.item);
        return;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed': {
        const usage = usageOf(event.response.usage);
        if (usage) this.tellUsage(usage, wireText(event.response.model));
        if (event.type === 'response.failed') {
          throw new StreamRefusal(errorIn(event.response));
        }
        this.#last = event.response;
        return;
      }
      default:
        // Progress of what the last event says again in full.
        return;
    }
  }

  done(): ChatAnswer {
    const last = this.#last;
    if (last === null) {
      throw this.#hasBegun
        ? new StreamFault('truncated', 'the stream had no end')
        : new StreamFault('malformed', 'the stream had no beginning');
    }
    // Some servers leave the list empty at the end, having sent each item before.
    const items = last.output?.length > 0 ? last.output : this.#items;
    const { text, refusal } = textOf(items);
    const toolCalls = toolCallsOf(items);
    const usage = usageOf(last.usage);
    return {
      id: wireText(last.id),
      model: wireText(last.model),
      text: text === '' && refusal !== null ? refusal : text,
      toolCalls,
      stop: stopOf(last, refusal !== null, toolCalls.length > 0),
      usage: usage ?? noUsage,
      ...(usage ? {} : { isUsageKnown: false }),
      raw: { openai: items as unknown as Json[] },
    };
  }
}

function textOf(items: readonly ResponseOutputItem[]): { text: string; refusal: string | null } {
  let text = '';
  let refusal: string | null = null;
  for (const item of items) {
    if (item.type !== 'message') continue;
    for (const part of item.content) {
      if (part.type === 'output_text') text += wireText(part.text);
      else if (part.type === 'refusal') refusal = wireText(part.refusal);
    }
  }
  return { text, refusal };
}

function toolCallsOf(items: readonly ResponseOutputItem[]): ToolCall[] {
  return items.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: wireText(item.call_id), name: wireText(item.name), input: toolInput(wireText(item.arguments)) }]
      : [],
  );
}

function stopOf(
  { status, incomplete_details: details }: Response,
  isRefused: boolean,
  hasToolCalls: boolean,
): ChatAnswer['stop'] {
  if (isRefused || details?.reason === 'content_filter') return 'refused';
  if (status === 'incomplete') return 'length';
  return hasToolCalls ? 'tools' : 'end';
}

function usageOf(usage: ResponseUsage | null | undefined): Usage | null {
  if (!usage) return null;
  return openaiUsage({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.input_tokens_details?.cached_tokens,
    cacheWrite: usage.input_tokens_details?.cache_write_tokens,
    reasoning: usage.output_tokens_details?.reasoning_tokens,
  });
}

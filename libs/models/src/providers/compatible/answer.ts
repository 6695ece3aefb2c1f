import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import { type ChatAnswer, noUsage, type ToolCall, type Usage } from '../../model.port.js';
import { StreamFault } from '../stream-fault.js';
import { openaiUsage } from '../token-counts.js';
import { toolInput } from '../tool-input.js';
import type { TellUsage } from '../wire-provider.js';
import { wireText } from '../wire-values.js';

interface GrowingCall {
  id: string;
  name: string;
  text: string;
}

type Delta = ChatCompletionChunk.Choice.Delta & { readonly reasoning_content?: unknown };

/** Puts an answer together from the chunks of its stream. Those who speak this protocol differ: it takes what it gets. */
export class CompatibleAnswer {
  #id = '';
  #model = '';
  #hasBegun = false;
  #text = '';
  #refusal = '';
  #reasoning = '';
  #finish: string | null = null;
  #usage: Usage | null = null;
  readonly #calls: GrowingCall[] = [];
  readonly #byIndex = new Map<number, GrowingCall>();

  constructor(private readonly tellUsage: TellUsage) {}

  take(chunk: ChatCompletionChunk): void {
    this.#hasBegun = true;
    this.#id ||= wireText(chunk.id);
    this.#model ||= wireText(chunk.model);
    this.#count(chunk);
    const choice = chunk.choices?.[0];
    if (!choice) return;
    if (choice.finish_reason) this.#finish = wireText(choice.finish_reason);
    const delta = (choice.delta ?? {}) as Delta;
    if (typeof delta.content === 'string') this.#text += delta.content;
    if (typeof delta.refusal === 'string') this.#refusal += delta.refusal;
    if (typeof delta.reasoning_content === 'string') this.#reasoning += delta.reasoning_content;
    for (const part of delta.tool_calls ?? []) this.#grow(part);
  }

  done(): ChatAnswer {
    if (!this.#hasBegun) throw new StreamFault('malformed', 'the stream had no beginning');
    if (this.#finish === null) throw new StreamFault('truncated', 'the stream had no end');
    const toolCalls: ToolCall[] = this.#calls.map(({ id, name, text }, index) => ({
      id: id === '' ? `call_${index}` : id,
      name,
      input: toolInput(text),
    }));
    return {
      id: this.#id,
      model: this.#model,
      text: this.#text === '' ? this.#refusal : this.#text,
      toolCalls,
      stop: this.#stop(toolCalls.length > 0),
      usage: this.#usage ?? noUsage,
      ...(this.#usage ? {} : { isUsageKnown: false }),
      raw: { completions: { reasoning_content: this.#reasoning } },
    };
  }

  /** Some leave the index out, and send each call whole. */
  #grow(part: ChatCompletionChunk.Choice.Delta.ToolCall): void {
    const index: number | undefined = typeof part.index === 'number' ? part.index : undefined;
    let call = index === undefined ? undefined : this.#byIndex.get(index);
    if (!call && index === undefined && !part.id) call = this.#calls.at(-1);
    if (!call) {
      call = { id: '', name: '', text: '' };
      this.#calls.push(call);
      if (index !== undefined) this.#byIndex.set(index, call);
    }
    call.id ||= wireText(part.id);
    call.name ||= wireText(part.function?.name);
    call.text += wireText(part.function?.arguments);
  }

  #count({ usage }: ChatCompletionChunk): void {
    if (!usage) return;
    const known = openaiUsage({
      input: usage.prompt_tokens,
      output: usage.completion_tokens,
      cacheRead: usage.prompt_tokens_details?.cached_tokens,
      cacheWrite: usage.prompt_tokens_details?.cache_write_tokens,
      reasoning: usage.completion_tokens_details?.reasoning_tokens,
    });
    if (!known) return;
    this.#usage = known;
    // Some count along with every chunk: before the end that is not the whole.
    if (this.#finish !== null) this.tellUsage(known, this.#model);
  }

  #stop(hasToolCalls: boolean): ChatAnswer['stop'] {
    if (this.#finish === 'content_filter' || (this.#refusal !== '' && this.#text === '')) return 'refused';
    if (this.#finish === 'length') return 'length';
    return hasToolCalls ? 'tools' : 'end';
  }
}

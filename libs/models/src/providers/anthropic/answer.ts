import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Json } from '#kernel';
import { type ChatAnswer, noUsage, type ToolCall } from '../../model.port.js';
import { StreamFault } from '../stream-fault.js';
import { anthropicUsage, usageSoFar } from '../token-counts.js';
import type { TellUsage } from '../wire-provider.js';
import { wireText } from '../wire-values.js';
import { isJsonObject, toolInput } from '../tool-input.js';

type Delta = { readonly type: string } & Readonly<Record<string, unknown>>;
type Block = { type: string; [key: string]: Json | undefined };

/** Puts an answer together from the events of its stream. */
export class AnthropicAnswer {
  #id = '';
  #model = '';
  #stop: string | null = null;
  #isDone = false;
  readonly #counts: Record<string, unknown> = {};
  readonly #blocks: Block[] = [];
  /** Arguments of tool calls come in pieces that are no JSON until the last has come. */
  readonly #partial = new Map<number, string>();

  constructor(private readonly tellUsage: TellUsage) {}

  /** Nothing that follows belongs to it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  take(event: RawMessageStreamEvent): void {
    switch (event.type) {
      case 'message_start':
        this.#id = wireText(event.message.id);
        this.#model = wireText(event.message.model);
        this.#count(event.message.usage);
        this.#tell();
        return;
      case 'content_block_start':
        this.#blocks[this.#at(event.index)] = { ...(event.content_block as unknown as Block) };
        return;
      case 'content_block_delta':
        this.#grow(this.#at(event.index), event.delta as unknown as Delta);
        return;
      case 'content_block_stop':
        return;
      case 'message_delta':
        this.#stop = event.delta.stop_reason;
        this.#count(event.usage);
        this.#tell();
        return;
      case 'message_stop':
        this.#isDone = true;
        return;
    }
  }

  done(): ChatAnswer {
    if (this.#id === '') throw new StreamFault('malformed', 'the stream had no beginning');
    if (!this.#isDone) throw new StreamFault('truncated', 'the stream had no end');
    const toolCalls: ToolCall[] = [];
    const blocks = this.#blocks.flatMap((block, index) => {
      if (block.type !== 'tool_use') return [block];
      const partial = this.#partial.get(index);
      const input = partial === undefined ? (block['input'] ?? {}) : toolInput(partial);
      toolCalls.push({ id: wireText(block['id']), name: wireText(block['name']), input });
      // Only an object may be sent back.
      return [{ ...block, input: isJsonObject(input) ? input : {} }];
    });
    const text = blocks.map((block) => (block.type === 'text' ? wireText(block['text']) : '')).join('');
    const usage = anthropicUsage(this.#counts);
    return {
      id: this.#id,
      model: this.#model,
      text,
      toolCalls,
      stop: stopOf(this.#stop, toolCalls.length > 0),
      usage: usage ?? noUsage,
      ...(usage ? {} : { isUsageKnown: false }),
      raw: { anthropic: blocks as unknown as Json[] },
    };
  }

  #at(index: number): number {
    // The index is the server's: a huge one would make a huge array.
    if (!Number.isSafeInteger(index) || index < 0 || index > this.#blocks.length) {
      throw new StreamFault('malformed', 'a block out of order');
    }
    return index;
  }

  #grow(index: number, delta: Delta): void {
    const block = this.#blocks[index];
    if (!block) throw new StreamFault('malformed', 'a piece of a block that never began');
    switch (delta.type) {
      case 'text_delta':
        block['text'] = wireText(block['text']) + wireText(delta['text']);
        return;
      case 'thinking_delta':
        block['thinking'] = wireText(block['thinking']) + wireText(delta['thinking']);
        return;
      case 'signature_delta':
        block['signature'] = wireText(delta['signature']);
        return;
      case 'input_json_delta':
        this.#partial.set(index, (this.#partial.get(index) ?? '') + wireText(delta['partial_json']));
        return;
      default:
        // Citations and what is yet to come: nothing of ours asks for it.
        return;
    }
  }

  #count(counts: object | null | undefined): void {
    // Counts are of the whole answer so far; one that is not said again still holds.
    for (const [name, value] of Object.entries(counts ?? {})) if (value !== null) this.#counts[name] = value;
  }

  #tell(): void {
    const usage = anthropicUsage(this.#counts);
    this.tellUsage(this.#stop === null ? usageSoFar(usage) : usage, this.#model);
  }
}

function stopOf(reason: string | null, hasToolCalls: boolean): ChatAnswer['stop'] {
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    case 'pause_turn':
      // Of tools that run at the provider, which we do not use: the answer is not whole.
      return hasToolCalls ? 'tools' : 'length';
    default:
      return hasToolCalls ? 'tools' : 'end';
  }
}

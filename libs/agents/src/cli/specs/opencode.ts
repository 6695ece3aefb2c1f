import type { JsonObject } from '#kernel';
import type { CliEnd, CliOrder, CliReader, CliSign, CliSpec } from '../cli-spec.js';
import { aboutCall, numberIn, objectIn, textIn } from '../fields.js';

const TOKEN = 'QRALPH_RUN_TOKEN';
const PROVIDER = 'qralph';

export const opencode: CliSpec = {
  name: 'opencode',
  install: 'npm i -g opencode-ai',
  least: '1.0.0',
  wires: ['anthropic', 'openai', 'compatible'],
  prepare: (order) => ({
    // With a title of its own it does not ask a model for one.
    args: ['run', '--pure', '--title', 'run', '--format', 'json', '-m', `${PROVIDER}/${order.model.model}`],
    env: {
      [TOKEN]: order.token,
      OPENCODE_CONFIG: `${order.home}/opencode.json`,
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_SHARE: '1',
    },
    files: { 'opencode.json': JSON.stringify(configOf(order)) },
    readsPromptFromStdin: true,
  }),
  newReader: () => new OpencodeReader(),
};

function configOf({ model, wire, baseUrl, task, systemFile, runsCommands }: CliOrder): JsonObject {
  const name = `${PROVIDER}/${model.model}`;
  const edit = task.access === 'write' ? 'allow' : 'deny';
  const bash = runsCommands ? 'allow' : 'deny';
  const limit = { context: 200_000, output: task.limits.maxOutputTokens };
  return {
    autoupdate: false,
    share: 'disabled',
    model: name,
    small_model: name,
    instructions: [systemFile],
    permission: { edit, bash, webfetch: 'deny', websearch: 'deny', external_directory: 'deny' },
    provider: {
      [PROVIDER]: {
        npm: ADAPTERS[wire],
        name: PROVIDER,
        options: { baseURL: `${baseUrl}/v1`, apiKey: `{env:${TOKEN}}` },
        models: { [model.model]: { name: model.model, limit } },
      },
    },
  };
}

/** Those that opencode brings along. */
const ADAPTERS: Readonly<Record<CliOrder['wire'], string>> = {
  anthropic: '@ai-sdk/anthropic',
  openai: '@ai-sdk/openai',
  compatible: '@ai-sdk/openai-compatible',
};

/** It has no event for its end: the last step that did not end in a tool call is it. */
class OpencodeReader implements CliReader {
  private said: string[] = [];
  private turns = 0;
  private costUsd = 0;
  private readonly tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  private last: CliEnd | null = null;

  read(event: JsonObject): CliSign[] {
    const part = objectIn(event['part']);
    switch (event['type']) {
      case 'step_start':
        this.said = [];
        return [];
      case 'text':
        this.said.push(textIn(part['text']));
        return [{ kind: 'said', text: textIn(part['text']) }];
      case 'tool_use':
        return [{ kind: 'tool', tool: textIn(part['tool']), about: aboutCall(objectIn(part['state'])['input']) }];
      case 'step_finish':
        this.finish(part);
        return [];
      case 'error': {
        const error = objectIn(event['error']);
        const words = textIn(objectIn(error['data'])['message']) || textIn(error['message']) || textIn(error['name']);
        this.last = this.ended(false, words);
        return [];
      }
      default:
        return [];
    }
  }

  end(): CliEnd | null {
    return this.last;
  }

  private finish(part: JsonObject): void {
    const tokens = objectIn(part['tokens']);
    const cache = objectIn(tokens['cache']);
    this.turns += 1;
    this.costUsd += numberIn(part['cost']) ?? 0;
    this.tokens.input += numberIn(tokens['input']) ?? 0;
    this.tokens.output += numberIn(tokens['output']) ?? 0;
    this.tokens.reasoning += numberIn(tokens['reasoning']) ?? 0;
    this.tokens.cacheRead += numberIn(cache['read']) ?? 0;
    this.tokens.cacheWrite += numberIn(cache['write']) ?? 0;
    const reason = textIn(part['reason']);
    if (reason === 'tool-calls') return;
    const [isGood, said] = [reason === 'stop', this.said.join('\n')];
    // Why it failed; of a good end that is no word of the agent's.
    this.last = this.ended(isGood, said || (isGood ? '' : reason));
  }

  private ended(isGood: boolean, text: string): CliEnd {
    return { isGood, text, turns: this.turns, usage: { ...this.tokens }, costUsd: this.costUsd };
  }
}

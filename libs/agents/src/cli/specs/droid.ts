import type { JsonObject } from '#kernel';
import type { CliEnd, CliOrder, CliReader, CliSign, CliSpec } from '../cli-spec.js';
import { aboutCall, numberIn, textIn } from '../fields.js';

const TOKEN = 'QRALPH_RUN_TOKEN';
const MODEL = 'custom:qralph';
const WRITES = ['Edit', 'Create', 'ApplyPatch'];

/** It takes models of the user's own, for which it needs no account with its maker. */
export const droid: CliSpec = {
  name: 'droid',
  install: 'npm i -g droid',
  least: '0.150.0',
  wires: ['anthropic', 'openai', 'compatible'],
  prepare: (order) => ({
    args: [
      ...['exec', '--output-format', 'stream-json', '--model', MODEL, '--file', order.promptFile],
      ...['--append-system-prompt-file', order.systemFile, '--disable-builtin-skills'],
      ...(order.task.access === 'write' || order.runsCommands ? ['--auto', 'medium'] : []),
      ...['--remove-tools', removedTools(order).join(',')],
    ],
    env: { [TOKEN]: order.token, FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
    files: { '.factory/settings.json': JSON.stringify(settingsOf(order)) },
    readsPromptFromStdin: false,
  }),
  newReader: () => new DroidReader(),
};

function removedTools({ task, runsCommands }: CliOrder): string[] {
  const forbidden = [...(task.access === 'write' ? [] : WRITES), ...(runsCommands ? [] : ['Execute'])];
  return ['WebSearch', 'FetchUrl', ...forbidden];
}

const PROVIDERS: Readonly<Record<CliOrder['wire'], string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  compatible: 'generic-chat-completion-api',
};

function settingsOf({ model, wire, baseUrl, task }: CliOrder): JsonObject {
  return {
    cloudSessionSync: false,
    enableDroidShield: false,
    customModels: [
      {
        id: MODEL,
        model: model.model,
        displayName: model.model,
        provider: PROVIDERS[wire],
        baseUrl: wire === 'anthropic' ? baseUrl : `${baseUrl}/v1`,
        apiKey: `\${${TOKEN}}`,
        maxOutputTokens: task.limits.maxOutputTokens,
      },
    ],
  };
}

class DroidReader implements CliReader {
  private last: CliEnd | null = null;

  read(event: JsonObject): CliSign[] {
    switch (event['type']) {
      case 'message':
        return event['role'] === 'assistant' ? [{ kind: 'said', text: textIn(event['text']) }] : [];
      case 'tool_call':
        return [{ kind: 'tool', tool: textIn(event['toolName']), about: aboutCall(event['parameters']) }];
      case 'completion':
        this.last = endOf(true, textIn(event['finalText']), event);
        return [];
      case 'result':
        this.last = endOf(event['is_error'] === false, textIn(event['result']), event);
        return [];
      case 'error':
        // The first one says why; what follows says only that it failed.
        if (this.last?.isGood !== false) this.last = endOf(false, textIn(event['message']), event);
        return [];
      default:
        return [];
    }
  }

  end(): CliEnd | null {
    return this.last;
  }
}

const endOf = (isGood: boolean, text: string, event: JsonObject): CliEnd => ({
  isGood,
  text,
  turns: numberIn(event['numTurns']) ?? numberIn(event['num_turns']),
  usage: event['usage'] ?? null,
  costUsd: null,
});

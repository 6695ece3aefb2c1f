import type { JsonObject } from '#kernel';
import type { CliEnd, CliOrder, CliReader, CliSign, CliSpec } from '../cli-spec.js';
import { listIn, objectIn, textIn } from '../fields.js';

/** The name of its variable; the token is in no file. */
const TOKEN = 'QRALPH_RUN_TOKEN';

/** It reads and edits by commands alone: without them it has no tools, so that it gets them whether it may run or not. */
export const codex: CliSpec = {
  name: 'codex',
  install: 'npm i -g @openai/codex',
  least: '0.100.0',
  wires: ['openai'],
  prepare: (order) => ({
    args: ['exec', '--json', '--skip-git-repo-check', '--ephemeral', '--color', 'never', '-'],
    env: { CODEX_HOME: `${order.home}/.codex`, [TOKEN]: order.token },
    files: { '.codex/config.toml': configOf(order), '.codex/AGENTS.md': order.system },
    readsPromptFromStdin: true,
  }),
  newReader: () => new CodexReader(),
};

/** TOML's strings are written as JSON's are. */
const quoted = (text: string): string => JSON.stringify(text);

function configOf({ model, baseUrl, task, isSandboxed }: CliOrder): string {
  // Inside our own sandbox another one would find nothing to stand on. Outside of it, codex has to bring its own.
  const own = task.access === 'write' ? 'workspace-write' : 'read-only';
  return [
    `model = ${quoted(model.model)}`,
    'model_provider = "qralph"',
    'approval_policy = "never"',
    `sandbox_mode = ${quoted(isSandboxed ? 'danger-full-access' : own)}`,
    'web_search = "disabled"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.qralph]',
    'name = "qralph"',
    `base_url = ${quoted(`${baseUrl}/v1`)}`,
    'wire_api = "responses"',
    `env_key = ${quoted(TOKEN)}`,
    'request_max_retries = 2',
    'stream_max_retries = 2',
    '',
  ].join('\n');
}

class CodexReader implements CliReader {
  private said = '';
  private turns = 0;
  private last: CliEnd | null = null;

  read(event: JsonObject): CliSign[] {
    const failure = textIn(objectIn(event['error'])['message']) || textIn(event['message']);
    switch (event['type']) {
      case 'turn.completed':
        this.last = this.ended(true, this.said, event);
        return [];
      case 'turn.failed':
        this.last = this.ended(false, failure, event);
        return [];
      case 'error':
        // Some are only told on the way: the turn's own end overrides them.
        this.last ??= this.ended(false, failure, event);
        return [];
      case 'item.completed':
        return this.item(objectIn(event['item']));
      default:
        return [];
    }
  }

  end(): CliEnd | null {
    return this.last;
  }

  private item(item: JsonObject): CliSign[] {
    const type = textIn(item['type']);
    switch (type) {
      case 'agent_message':
        this.said = textIn(item['text']);
        return [{ kind: 'said', text: this.said }];
      case 'file_change': {
        this.turns += 1;
        const paths = listIn(item['changes']).map((change) => textIn(objectIn(change)['path']));
        return [{ kind: 'tool', tool: type, about: paths.join(', ') }];
      }
      case 'command_execution':
      case 'mcp_tool_call':
        this.turns += 1;
        return [{ kind: 'tool', tool: type, about: textIn(item['command']) || textIn(item['tool']) }];
      default:
        return [];
    }
  }

  private ended(isGood: boolean, text: string, event: JsonObject): CliEnd {
    return { isGood, text, turns: this.turns + 1, usage: event['usage'] ?? null, costUsd: null };
  }
}

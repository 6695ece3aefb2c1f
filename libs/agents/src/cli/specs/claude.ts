import type { JsonObject } from '#kernel';
import type { CliEnd, CliOrder, CliReader, CliSign, CliSpec } from '../cli-spec.js';
import { aboutCall, listIn, numberIn, objectIn, textIn } from '../fields.js';

const READS = ['Read', 'Glob', 'Grep', 'LS'];
const WRITES = ['Edit', 'Write', 'NotebookEdit'];
const RUNS = ['Bash'];

export const claude: CliSpec = {
  name: 'claude',
  install: 'npm i -g @anthropic-ai/claude-code',
  least: '2.1.0',
  wires: ['anthropic'],
  prepare: (order) => ({
    args: [
      '-p',
      ...['--output-format', 'stream-json', '--verbose'],
      ...['--model', order.model.model],
      ...['--permission-mode', order.task.access === 'write' ? 'acceptEdits' : 'default'],
      ...['--tools', toolsOf(order).join(','), '--allowedTools', toolsOf(order).join(',')],
      // What the repository brings along (hooks, servers, commands) is its code, not the user's wish.
      ...['--setting-sources', 'user', '--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence'],
      ...['--append-system-prompt-file', order.systemFile],
    ],
    env: environmentOf(order),
    readsPromptFromStdin: true,
  }),
  newReader: () => new ClaudeReader(),
};

function toolsOf({ task, runsCommands }: CliOrder): string[] {
  return [...READS, ...(task.access === 'write' ? WRITES : []), ...(runsCommands ? RUNS : [])];
}

function environmentOf({ baseUrl, token, home, model, task, isSandboxed }: CliOrder): Record<string, string> {
  const aliases = ['SMALL_FAST', 'DEFAULT_HAIKU', 'DEFAULT_SONNET', 'DEFAULT_OPUS'];
  return {
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: token,
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(task.limits.maxOutputTokens),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '3',
    CLAUDE_CODE_SUBAGENT_MODEL: model.model,
    DISABLE_AUTOUPDATER: '1',
    // A line about itself that is another in each call, and stands before all that a cache could hold.
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    ...(isSandboxed && { IS_SANDBOX: '1' }),
    // Side calls go to the same model: the run may call no other.
    ...Object.fromEntries(aliases.map((alias) => [`ANTHROPIC_${alias}_MODEL`, model.model])),
  };
}

class ClaudeReader implements CliReader {
  private last: CliEnd | null = null;

  read(event: JsonObject): CliSign[] {
    if (event['type'] === 'result') this.last = endOf(event);
    if (event['type'] !== 'assistant') return [];
    return listIn(objectIn(event['message'])['content']).flatMap((given): CliSign[] => {
      const block = objectIn(given);
      if (block['type'] === 'text') return [{ kind: 'said', text: textIn(block['text']) }];
      if (block['type'] !== 'tool_use') return [];
      return [{ kind: 'tool', tool: textIn(block['name']), about: aboutCall(block['input']) }];
    });
  }

  end(): CliEnd | null {
    return this.last;
  }
}

function endOf(event: JsonObject): CliEnd {
  const isGood = event['subtype'] === 'success' && event['is_error'] === false;
  return {
    isGood,
    // Why it failed; of a good end that is no word of the agent's.
    text: textIn(event['result']) || (isGood ? '' : textIn(event['subtype'])),
    turns: numberIn(event['num_turns']),
    usage: event['modelUsage'] ?? event['usage'] ?? null,
    costUsd: numberIn(event['total_cost_usd']),
  };
}

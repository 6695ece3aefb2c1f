import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tempFolder } from '#testing';
import type { Message, ToolCall } from '../model.port.js';
import { chat } from '../providers/under-test.fixture.js';
import { openPlaybook, shippedPlaybook } from './open-playbook.js';

interface ToolInput {
  readonly path: string;
  readonly content: string;
  readonly old: string;
  readonly new: string;
  readonly command: string;
}

describe('the playbook of the demo', () => {
  const folder = tempFolder('demo-playbook');
  afterAll(() => folder.remove());

  it('fits the request of the demo, and no other', () => {
    const { scope } = openPlaybook(shippedPlaybook());
    expect(scope?.fits('Add dark mode toggle')).toBe(true);
    expect(scope?.fits('Add a percentage discount')).toBe(false);
  });

  it('brings an errand to its end in a real repository: a failing test, then none', async () => {
    writeFileSync(join(folder.path, 'greeting.mjs'), 'export const greeting = (name) => `Hello, ${name}!`;\n');
    const exits: number[] = [];
    const use = ({ name, input }: ToolCall): string => {
      const given = input as unknown as ToolInput;
      const at = join(folder.path, given.path ?? '.');
      switch (name) {
        case 'list_files':
          return readdirSync(at).join('\n');
        case 'read_file':
          return readFileSync(at, 'utf8');
        case 'write_file':
          writeFileSync(at, given.content);
          return 'written';
        case 'edit_file': {
          const before = readFileSync(at, 'utf8');
          expect(before.split(given.old)).toHaveLength(2);
          writeFileSync(
            at,
            before.replace(given.old, () => given.new),
          );
          return 'edited';
        }
        case 'run':
          exits.push(exitOf(given.command, folder.path));
          return `exit code ${exits.at(-1)}`;
        default:
          throw new Error(`the demo's agent has no tool ${name}`);
      }
    };

    const provider = openPlaybook(shippedPlaybook());
    const messages: Message[] = [{ role: 'user', text: 'Add toggle(theme).' }];
    let summary: ToolCall | undefined;
    while (!summary && messages.length < 40) {
      const { text, toolCalls, raw } = await chat(provider, { messages });
      summary = toolCalls.find(({ name }) => name === 'finish');
      messages.push({ role: 'assistant', text, toolCalls, raw });
      if (summary) break;
      messages.push({
        role: 'tools',
        results: toolCalls.map((call) => ({ callId: call.id, text: use(call), isError: false })),
      });
    }
    expect(exits).toEqual([1, 0]);
    expect(summary?.input).toMatchObject({ summary: expect.stringContaining('toggle(theme)') as string });
  });
});

function exitOf(command: string, cwd: string): number {
  const [, ...args] = command.split(' ');
  try {
    execFileSync(process.execPath, args, { cwd, stdio: 'pipe' });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

import { z } from 'zod';
import type { Json, JsonObject } from '#kernel';
import { outputSchema, type ToolCall, type ToolSpec } from '#models';
import type { SandboxGuarantees } from '#workspace';
import { type AgentTask, runsCommands } from '../../agent.port.js';
import { search } from '../search/search.js';
import { editFile } from './edit-file.js';
import { FINISH, finishFor } from './finish.js';
import { listFiles } from './list-files.js';
import { readFile } from './read-file.js';
import { ToolRefusal } from './refusal.js';
import { runCommand, runReadOnlyCommand } from './run-command.js';
import type { Tool } from './tool.js';
import { writeFile } from './write-file.js';

/** The tools of one task. A task that only reads has none that could change a file. */
export class Toolbox {
  private readonly tools: ReadonlyMap<string, Tool>;
  readonly specs: readonly ToolSpec[];

  constructor(task: Pick<AgentTask, 'access' | 'mayRun' | 'output' | 'tools'>, guarantees: SandboxGuarantees) {
    const mayWrite = task.access === 'write';
    const given = [
      readFile,
      listFiles,
      search,
      ...(mayWrite ? [writeFile, editFile] : []),
      ...(runsCommands(task, guarantees) ? [mayWrite ? runCommand : runReadOnlyCommand] : []),
    ];
    const tools = [...given.filter(({ name }) => task.tools?.includes(name) ?? true), finishFor(task)];
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.specs = tools.map((tool) => specOf(tool, task));
  }

  find(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** Whether a call may change files, as far as its name tells. */
  mayChange({ name }: ToolCall): boolean {
    const kind = this.find(name)?.kind;
    return kind === 'writes' || kind === 'runs';
  }

  mayRun({ name }: ToolCall): boolean {
    return this.find(name)?.kind === 'runs';
  }

  /** The tool and what it is to do; refuses a call that makes no sense, saying why. */
  read({ name, input }: ToolCall): { readonly tool: Tool; readonly given: unknown } {
    const tool = this.find(name);
    if (!tool) {
      throw new ToolRefusal(
        `there is no tool ${JSON.stringify(name.slice(0, 100))}; there are: ${[...this.tools.keys()].join(', ')}`,
      );
    }
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new ToolRefusal(`the input of ${name} has to be a JSON object`);
    }
    const read = tool.input.safeParse(withoutNulls(input as JsonObject));
    if (!read.success) throw new ToolRefusal(`the input of ${name} is wrong: ${wordsOf(read.error)}`);
    return { tool, given: read.data };
  }
}

/** Models give null where they mean nothing. */
const withoutNulls = (input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

const wordsOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'input' : path.join('.')}: ${message}`)
    .join('; ')
    .slice(0, 1_000);

/** Tools live as long as the program, and every agent is told of them. */
const inputs = new WeakMap<z.ZodType, JsonObject>();

function inputSchema(type: z.ZodType): JsonObject {
  const known = inputs.get(type);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input' }) as Record<string, Json>;
  inputs.set(type, schema);
  return schema;
}

function specOf({ name, description, input }: Tool, { output }: Pick<AgentTask, 'output'>): ToolSpec {
  const schema = inputSchema(input);
  if (name !== FINISH) return { name, description, schema };
  const { output: __, ...properties } = schema['properties'] as Record<string, Json>;
  const wanted = output ? { ...properties, output: outputSchema(output.type).schema } : properties;
  const required = output ? ['summary', 'output'] : ['summary'];
  return { name, description, schema: { type: 'object', properties: wanted, required } };
}

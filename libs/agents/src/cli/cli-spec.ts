import type { Json, JsonObject } from '#kernel';
import type { ModelRef } from '#models';
import type { AgentTask } from '../agent.port.js';
import type { WireName } from '../proxy/index.js';

/**
 * What is particular about one CLI. Glossary:
 * - order: what a CLI is to do, and with what.
 * - sign: something that it showed while it worked.
 * - end: what it said last about itself. It is believed, except that a bad exit voids a good end.
 */
export interface CliSpec {
  /** Of the runtime, and of the program. */
  readonly name: string;
  readonly install: string;
  /** The oldest version that is known to work. */
  readonly least: string;
  readonly wires: readonly WireName[];
  prepare(order: CliOrder): CliCommand;
  newReader(): CliReader;
}

export interface CliOrder {
  readonly task: Pick<AgentTask, 'access' | 'mayRun' | 'limits'>;
  readonly model: ModelRef;
  readonly wire: WireName;
  /** Of the proxy, as the CLI reaches it; ends in the wire's path. */
  readonly baseUrl: string;
  readonly token: string;
  readonly home: string;
  readonly promptFile: string;
  readonly systemFile: string;
  readonly system: string;
  /** Whether it may use its tool that runs commands. */
  readonly runsCommands: boolean;
  /** Whether a sandbox of ours keeps it from doing harm. */
  readonly isSandboxed: boolean;
}

export interface CliCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files to be in HOME before it starts, by their paths within it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly readsPromptFromStdin: boolean;
}

export type CliSign =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly about: string };

export interface CliEnd {
  readonly isGood: boolean;
  /** Its last message, or why it failed. */
  readonly text: string;
  readonly turns: number | null;
  readonly usage: Json;
  readonly costUsd: number | null;
}

export interface CliReader {
  /** One event, as the CLI printed it: nothing about it is to be trusted. */
  read(event: JsonObject): readonly CliSign[];
  /** Null while it has said nothing about its end. */
  end(): CliEnd | null;
}

import type { CliSettings } from '#config';
import type { Client } from '../api/client.js';
import type { ExitCode } from '../exit-codes.js';
import type { Output } from '../show/output.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  /** May be given several times. */
  readonly multiple?: true;
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly help: string;
}

export type Options = Readonly<Record<string, OptionSpec>>;

type ValueOf<O extends OptionSpec> = O['type'] extends 'boolean'
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string;

export type Values<O extends Options> = { readonly [K in keyof O]?: ValueOf<O[K]> };

/** What a command works with. */
export interface Context {
  /** Knows the key; asking for it fails where there is none. */
  readonly api: Client;
  readonly out: Output;
  readonly settings: CliSettings;
  /** Ctrl-C. */
  readonly told: AbortSignal;
}

interface Arguments<O extends Options> {
  readonly values: Values<O>;
  readonly positionals: readonly string[];
}

interface Description {
  readonly name: string;
  readonly summary: string;
  /** The arguments beside options as the help shows them: `PROJECT [NAME]`; those in brackets may be left out. */
  readonly positionals: string;
  /** Said below the options. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
}

export interface Command extends Description {
  readonly options: Options;
  run(context: Context, given: Given): Promise<ExitCode>;
}

/** As read from the line: the types of the values are those of the options. */
export interface Given {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
}

/** A command whose options are typed by how they are described. */
export const command = <const O extends Options>(
  spec: Description & { readonly options: O; run(context: Context, given: Arguments<O>): Promise<ExitCode> },
): Command => spec;

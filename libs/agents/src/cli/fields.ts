import type { Json, JsonObject } from '#kernel';

/** Fields of events that came from outside: whatever is not as expected is not there. */
export const objectIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

export const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const TELLING = ['file_path', 'filePath', 'path', 'command', 'cmd', 'pattern', 'query', 'url', 'description'];

/** What a tool was called with, as far as it tells people something: the file, the command. */
export function aboutCall(input: Json | undefined): string {
  const fields = objectIn(input);
  for (const name of TELLING) {
    const value = fields[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map((part: Json) => textIn(part)).join(' ');
  }
  return '';
}

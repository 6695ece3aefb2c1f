import type { Json, JsonObject } from '#kernel';

/** What a model gave as arguments: the JSON that it is, or the text where it is none. Nothing at all is no argument. */
export function toolInput(text: string): Json {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { APIError as AnthropicApiError } from '@anthropic-ai/sdk';
import type { APIError as OpenaiApiError } from 'openai';

export type SdkApiError = AnthropicApiError | OpenaiApiError;

/** An error of either SDK, told by the names of its classes: asking for the classes themselves would load both SDKs. */
export const isApiError = (error: unknown): error is SdkApiError => classesOf(error).includes('APIError');

/** Nothing was answered: no connection, or none any more. */
export const isConnectionError = (error: unknown): error is SdkApiError =>
  classesOf(error).includes('APIConnectionError');

function classesOf(error: unknown): string[] {
  const names: string[] = [];
  for (let one: unknown = error instanceof Error ? Object.getPrototypeOf(error) : null; one !== null;) {
    names.push((one as { constructor: { name: string } }).constructor.name);
    one = Object.getPrototypeOf(one);
  }
  return names;
}

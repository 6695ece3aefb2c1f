/** What an error says of itself. */
export interface ErrorSaid {
  readonly type: string | null;
  readonly code: string | null;
  readonly words: string | null;
}

/** Reads the body of an error in any of the protocols, parsed: Anthropic's has it inside, OpenAI's SDK unpacks it. */
export function errorIn(body: unknown): ErrorSaid {
  const error = inner(body);
  const details = error?.['details'] as { error_code?: unknown } | null | undefined;
  return {
    type: text(error?.['type']),
    code: text(error?.['code']) ?? text(details?.error_code),
    words: text(error?.['message']) ?? text(error?.['detail']),
  };
}

function inner(body: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof body !== 'object' || body === null) return null;
  const nested: unknown = (body as { error?: unknown }).error;
  return (typeof nested === 'object' && nested !== null ? nested : body) as Record<string, unknown>;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

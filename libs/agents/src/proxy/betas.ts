/**
 * Flags that change how an answer is written, as the CLIs send them: none of them lets the provider fetch, run or
 * store anything, take another model, or charge by another price.
 */
const HARMLESS =
  /^(?:claude-code|interleaved-thinking|thinking-token-count|thinking-binding-controls|redact-thinking|prompt-caching-scope|extended-cache-ttl|mid-conversation-system|effort|structured-outputs|fine-grained-tool-streaming|token-efficient-tools|token-counting)-20\d\d-?\d\d-?\d\d$/;

/** The header without the flags that nobody here knows; null where none is left. */
export function harmlessBetas(header: string): string | null {
  const flags = header.split(',').map((flag) => flag.trim());
  return flags.filter((flag) => HARMLESS.test(flag)).join(',') || null;
}

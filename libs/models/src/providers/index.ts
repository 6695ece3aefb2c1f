export { anthropicProvider } from './anthropic/provider.js';
export { compatibleProvider, type CompatibleOptions } from './compatible/provider.js';
export { openaiProvider } from './openai/provider.js';
export type { WireOptions } from './wire-provider.js';

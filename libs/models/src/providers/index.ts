export { anthropicProvider } from './anthropic/provider.js';
export { compatibleProvider, type CompatibleOptions } from './compatible/provider.js';
export { openaiProvider } from './openai/provider.js';
export { openProviders, type ProviderPlace, type ProviderSettings } from './open-providers.js';
export { outputSchema, type OutputSchema } from './output-schema.js';
export { readShape, type Reading, type Shape } from './structured.js';
export { DEFAULT_TIERS, tiersOf } from './tiers.js';
export type { WireOptions } from './wire-provider.js';

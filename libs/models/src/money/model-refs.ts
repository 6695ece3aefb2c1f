import { UserError } from '#kernel';
import type { ModelProvider, ModelRef, Tier } from '../model.port.js';

/** Which models stand for each tier, the first one first. */
export type Tiers = Readonly<Record<Tier, readonly ModelRef[]>>;

export const nameOfModel = ({ provider, model }: ModelRef): string => `${provider}:${model}`;

/** Reads `provider:model`. Throws MODEL_INVALID. */
export function modelRefOf(text: string): ModelRef {
  const colon = text.indexOf(':');
  const ref = { provider: text.slice(0, Math.max(colon, 0)).trim(), model: text.slice(colon + 1).trim() };
  if (ref.provider !== '' && ref.model !== '') return ref;
  const shown = JSON.stringify(text.slice(0, 100));
  throw new UserError('MODEL_INVALID', `${shown} is no model: write provider:model, as in anthropic:claude-haiku-5-5`);
}

/** Reads a list of them, separated by commas. */
export const modelRefsOf = (text: string): ModelRef[] => text.split(',').map(modelRefOf);

export function providerOf(ref: ModelRef, providers: ReadonlyMap<string, ModelProvider>): ModelProvider {
  const provider = providers.get(ref.provider);
  if (provider) return provider;
  const known = [...providers.keys()].join(', ') || 'none';
  throw new UserError(
    'MODEL_NOT_PROVIDED',
    `nobody here provides ${nameOfModel(ref)}; providers that are set up: ${known}. Give ${ref.provider} its key or address, or choose another model: by QRALPH_MODEL_SMALL, _MEDIUM and _LARGE, or by \`models\` of the project.`,
    { model: nameOfModel(ref) },
  );
}

import { UserError } from '#kernel';
import type { ModelRef, Tier } from '../model.port.js';

/** What stands for the tiers where configuration does not say. */
export const DEFAULT_TIERS: Readonly<Record<Tier, string>> = {
  small: 'anthropic:claude-haiku-5-5',
  medium: 'anthropic:claude-sonnet-5-5',
  large: 'anthropic:claude-opus-5-5',
};

const MOST_MODELS = 10;

/** Reads `provider:model`, or several of them, comma-separated, the first one first. */
export function parseModels(text: string, providers: Iterable<string>, where: string): ModelRef[] {
  const known = [...providers];
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MOST_MODELS) throw bad(where, `names more than ${MOST_MODELS} models`);
  const refs = parts.map((part) => {
    const [, provider, model] = /^([a-z][a-z0-9-]{0,63}):(\S{1,200})$/.exec(part) ?? [];
    if (provider === undefined || model === undefined) {
      throw bad(where, `has "${part.slice(0, 100)}", which is not provider:model, as in ${DEFAULT_TIERS.small}`);
    }
    if (!known.includes(provider)) {
      throw bad(
        where,
        `names the provider "${provider}", which is not configured; there is ${known.join(', ') || 'none'}`,
      );
    }
    return { provider, model };
  });
  return refs.filter(
    ({ provider, model }, at) => at === refs.findIndex((r) => r.provider === provider && r.model === model),
  );
}

/** Which models stand for a tier, the first one first. Throws a UserError for one that nobody provides. */
export type TierModels = (tier: Tier) => readonly ModelRef[];

/** Read when asked for: a tier that nothing uses need not be provided for. */
export function tiersOf(configured: Readonly<Record<Tier, string | null>>, providers: ReadonlySet<string>): TierModels {
  // The playbook alone: it stands in for every tier, whatever was meant to.
  const isSimulated = providers.size === 1 && providers.has('playbook');
  return (tier) => {
    if (isSimulated) return [{ provider: 'playbook', model: 'playbook' }];
    const variable = `QRALPH_MODEL_${tier.toUpperCase()}`;
    const told = configured[tier];
    if (told !== null) return parseModels(told, providers, variable);
    return parseModels(DEFAULT_TIERS[tier], providers, `${variable} is not set, and its default`);
  };
}

function bad(where: string, what: string): UserError {
  return new UserError('MODEL_NOT_PROVIDED', `${where} ${what}`);
}

import { type ModelProvider, TIERS, type Tier } from '../model.port.js';
import { modelRefsOf, type Tiers } from '../money/model-refs.js';
import { PLAYBOOK_MODEL } from '../playbook/playbook-answer.js';

/** What stands for the tiers where configuration does not say. */
export const DEFAULT_TIERS: Readonly<Record<Tier, string>> = {
  small: 'anthropic:claude-haiku-5-5',
  medium: 'anthropic:claude-sonnet-5-5',
  large: 'anthropic:claude-opus-5-5',
};

/**
 * The models of each tier as configured. Whether somebody provides them is asked where one is used: a tier that nothing
 * uses need not be provided for. Where every provider is simulated it stands in for all tiers, whatever was meant to.
 */
export function tiersOf(
  configured: Readonly<Record<Tier, string | null>>,
  providers: ReadonlyMap<string, ModelProvider>,
): Tiers {
  const simulated = [...providers.values()].every(({ isSimulated }) => isSimulated) ? [...providers.keys()] : [];
  const standIns = simulated.map((provider) => ({ provider, model: PLAYBOOK_MODEL }));
  const models = (tier: Tier) =>
    standIns.length > 0 ? standIns : modelRefsOf(configured[tier] ?? DEFAULT_TIERS[tier]);
  return Object.fromEntries(TIERS.map((tier) => [tier, models(tier)])) as unknown as Tiers;
}

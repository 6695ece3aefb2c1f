import { type ModelProvider, TIERS, type Tier } from '../model.port.js';
import { modelRefsOf, type Tiers } from '../money/model-refs.js';
import { PLAYBOOK_MODEL } from '../playbook/playbook-answer.js';

/** What stands for the tiers where configuration does not say: of the first of these providers that is there. */
const DEFAULTS: readonly (Readonly<Record<Tier, string>> & { readonly provider: string })[] = [
  {
    provider: 'anthropic',
    small: 'anthropic:claude-haiku-5-5',
    medium: 'anthropic:claude-sonnet-5-5',
    large: 'anthropic:claude-opus-5-5',
  },
  { provider: 'openai', small: 'openai:gpt-6-luna', medium: 'openai:gpt-6-sol', large: 'openai:gpt-6-astra' },
];

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
  // Where neither is there, the refusal of a call says what is missing.
  const usual = DEFAULTS.find(({ provider }) => providers.has(provider)) ?? DEFAULTS[0];
  const models = (tier: Tier) =>
    standIns.length > 0 ? standIns : modelRefsOf(configured[tier] ?? usual?.[tier] ?? '');
  return Object.fromEntries(TIERS.map((tier) => [tier, models(tier)])) as unknown as Tiers;
}

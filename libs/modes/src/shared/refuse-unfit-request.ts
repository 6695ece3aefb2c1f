import { UserError } from '#kernel';
import type { ChatWish, ModelDesk, Tier } from '#models';

const MOST_EXAMPLES = 5;

export interface WantedModels {
  readonly request: string;
  readonly tiers: readonly Tier[];
  readonly models: ChatWish['models'];
}

/** Refuses a request that a simulated model would answer, and that its playbook does not fit. */
export function refuseUnfitRequest(
  desk: Pick<ModelDesk, 'candidates'>,
  { request, tiers, models }: WantedModels,
): void {
  for (const tier of tiers) {
    const [model] = desk.candidates(tier, models);
    if (!model?.isSimulated || !model.scope || model.scope.fits(request)) continue;
    const examples = model.scope.examples.slice(0, MOST_EXAMPLES);
    throw new UserError(
      'SIMULATED_MODEL_CANNOT_DO_THIS',
      `A simulated model would answer, and it cannot do this request. It can do: ${examples.map((one) => `"${one}"`).join(', ')}. For any other request set ANTHROPIC_API_KEY, OPENAI_API_KEY, ANTHROPIC_BASE_URL, OPENAI_BASE_URL or QRALPH_COMPATIBLE_URL, or set QRALPH_PLAYBOOK to a playbook of your own. Then start the service again.`,
      { examples },
    );
  }
}

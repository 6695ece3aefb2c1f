import { type Redactor, UserError } from '#kernel';
import type { ModelProvider } from '../model.port.js';
import { openPlaybook, shippedPlaybook } from '../playbook/open-playbook.js';
import { anthropicProvider } from './anthropic/provider.js';
import { compatibleProvider } from './compatible/provider.js';
import type { SettingNames } from './explain.js';
import { openaiProvider } from './openai/provider.js';

export interface ProviderPlace {
  readonly key: string | null;
  readonly baseUrl: string | null;
}

export interface ProviderSettings {
  readonly anthropic: ProviderPlace;
  readonly openai: ProviderPlace;
  /** A server of one's own that speaks OpenAI's chat completions. */
  readonly compatible: ProviderPlace;
  /** Null: the one that comes with the project, where the playbook stands in. */
  readonly playbookFile: string | null;
}

/** The providers by name. One with a key or an address is there; with none at all the playbook stands in for them. */
export function openProviders(settings: ProviderSettings, redactor: Redactor): Map<string, ModelProvider> {
  const { anthropic, openai, compatible, playbookFile } = settings;
  const providers = new Map<string, ModelProvider>();
  if (isThere(anthropic))
    providers.set('anthropic', anthropicProvider({ ...placeOf(SETTINGS.anthropic, anthropic), redactor }));
  if (isThere(openai)) providers.set('openai', openaiProvider({ ...placeOf(SETTINGS.openai, openai), redactor }));
  if (isThere(compatible)) {
    const { baseUrl, ...place } = placeOf(SETTINGS.compatible, compatible);
    if (baseUrl === undefined) {
      throw new UserError('MODEL_ADDRESS_INVALID', 'QRALPH_COMPATIBLE_KEY is set, but QRALPH_COMPATIBLE_URL is not');
    }
    providers.set('compatible', compatibleProvider({ name: 'compatible', ...place, baseUrl, redactor }));
  }
  if (playbookFile !== null || providers.size === 0) {
    providers.set('playbook', openPlaybook(playbookFile ?? shippedPlaybook()));
  }
  return providers;
}

const isThere = ({ key, baseUrl }: ProviderPlace): boolean => key !== null || baseUrl !== null;

const SETTINGS = {
  anthropic: { baseUrl: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY' },
  openai: { baseUrl: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' },
  compatible: { baseUrl: 'QRALPH_COMPATIBLE_URL', key: 'QRALPH_COMPATIBLE_KEY' },
} as const;

interface Place {
  readonly apiKey: string | null;
  readonly baseUrl?: string;
  readonly settings: SettingNames;
}

function placeOf(settings: SettingNames, { key, baseUrl }: ProviderPlace): Place {
  if (baseUrl === null) return { apiKey: key, settings };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  // What stands in an address ends up in logs: a password has no place there.
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UserError(
      'MODEL_ADDRESS_INVALID',
      `${settings.baseUrl} must be an http or https address without user and password`,
    );
  }
  return { apiKey: key, baseUrl, settings };
}

import type { Upstream } from '#agents';
import type { Config } from '#config';

type Providers = Pick<Config['models'], 'anthropic' | 'openai' | 'compatible'>;

/** Providers whose protocol a CLI can speak, and which this service has a key or an address for. */
export function upstreamsOf({ anthropic, openai, compatible }: Providers): Record<string, Upstream> {
  return {
    ...(isThere(anthropic) && {
      anthropic: {
        wire: 'anthropic',
        baseUrl: anthropic.baseUrl ?? 'https://api.anthropic.com',
        apiKey: anthropic.key ?? '',
      },
    }),
    ...(isThere(openai) && {
      openai: { wire: 'openai', baseUrl: openai.baseUrl ?? 'https://api.openai.com/v1', apiKey: openai.key ?? '' },
    }),
    ...(compatible.baseUrl !== null && {
      compatible: { wire: 'compatible', baseUrl: compatible.baseUrl, apiKey: compatible.key ?? '' },
    }),
  };
}

const isThere = ({ key, baseUrl }: Providers['anthropic']): boolean => key !== null || baseUrl !== null;

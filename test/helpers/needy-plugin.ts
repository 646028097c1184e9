import {
  Authenticator,
  type JsonObject,
  type Plugin,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type Spi,
  type StepPage,
} from '@keyhost/spi';
import { type ConformanceOptions, conforms } from '@keyhost/spi/testing';
import type { ExecutionContext } from 'ava';

/** Required settings: with an example, a choice, a bound, a pattern and a format. */
export const NEEDED = {
  type: 'object',
  properties: {
    url: { type: 'string', title: 'URL', examples: ['http://127.0.0.1:9/'] },
    mode: { type: 'string', title: 'Mode', enum: ['strict', 'lax'] },
    size: { type: 'integer', title: 'Size', minimum: 3 },
    hosts: { type: 'array', title: 'Hosts', items: { type: 'string' }, minItems: 2 },
    prefix: { type: 'string', title: 'Prefix', pattern: '^[A-Z]{2}$' },
    address: { type: 'string', title: 'Address', format: 'email' },
  },
  required: ['url', 'mode', 'size', 'hosts', 'prefix', 'address'],
  additionalProperties: false,
} as const;

/** How it is displayed. */
export const describe = { displayName: 'Needy' };

/** Asserts that all settings are present, as values or as texts of a realm. */
export function requireAll(config: unknown): void {
  const { url, mode, size, prefix } = config as JsonObject;
  const found = [url, mode, size, prefix].map((value) => [value].flat().map(String).join());
  if (found.join(' ') !== 'http://127.0.0.1:9/ strict 3 XX') throw new Error(`its settings are ${found.join(' ')}`);
}

/** Wraps a provider in a factory that requires its configuration of plugins.json and of the realm. */
export function opens(provider: object): never {
  const open = (config: unknown) => {
    requireAll(config);
    return {
      create: (_: unknown, realmConfig: unknown) => {
        // At load it is called once, without any.
        if (Object.keys(realmConfig as object).length > 0) requireAll(realmConfig);
        return provider;
      },
    };
  };
  return open as never;
}

export const both = { config: NEEDED, realmConfig: NEEDED } as const;

/** A plugin of these providers. */
function plugin(...providers: ProviderDefinition[]): Plugin {
  return { name: 'needy', api: 1, providers };
}

export const PAGE: StepPage = { page: 'form', title: { key: 'Needy' }, fields: [], submit: { key: 'Continue' } };

/** A first step that cannot be completed, so that later steps are never reached. */
export const guard = provide(Authenticator, {
  id: 'guard',
  describe: { ...describe, proves: true },
  settings: NEEDED,
  open: () => ({
    create: () => ({
      authenticate: async ({ form }) =>
        form === undefined
          ? { outcome: 'challenge', page: PAGE }
          : { outcome: 'failure', error: 'access_denied', message: { key: 'accessDenied' } },
      action: async () => ({ outcome: 'challenge', page: PAGE, error: 'access_denied' }),
    }),
  }),
});

/** An action that is required at each login and never completes. */
export const endless = provide(RequiredAction, {
  id: 'endless',
  displayText: 'Endless',
  open: () => ({
    create: () => ({
      triggered: async () => true,
      challenge: async () => ({ outcome: 'challenge', page: PAGE }),
      action: async () => ({ outcome: 'challenge', page: PAGE }),
    }),
  }),
});

/** The methods of an SPI's providers that the kit calls. */
export async function called(
  t: ExecutionContext,
  spi: Spi,
  providers: ProviderDefinition[],
  options: ConformanceOptions = {},
) {
  return conforms(t, spi, plugin(...providers), options);
}

import { ASYMMETRIC_ALGORITHMS, ENCRYPTION_ALGORITHMS, SYMMETRIC_ALGORITHMS } from '../../keys/algorithms.js';
import { defined } from '../../model/defined.js';
import { IDENTITY_PROVIDER_MAPPERS } from '../../model/identity-provider.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { AdminTexts } from '../admin-texts.js';
import { FORM_STEPS } from '../authentication/step-catalogue.js';
import {
  isUnsupportedStep,
  UNSUPPORTED_AUTHENTICATORS,
  UNSUPPORTED_CLIENT_AUTHENTICATORS,
  UNSUPPORTED_FORM_ACTIONS,
} from '../authentication/unsupported-steps.js';
import { SUPPORTED_PROVIDER_TYPES } from '../identity-providers/provider-types.js';
import { BUILT_IN_KEY_PROVIDER_TYPES } from './key-provider-types.js';

/** The host's providers for SPIs of Keycloak that are not extension points of this host. */
const KEYCLOAK_SPI_PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  'login-protocol': ['openid-connect'],
  signature: [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS],
  clientSignature: [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS],
  cekmanagement: ENCRYPTION_ALGORITHMS,
  contentencryption: [],
  hash: ['SHA-256', 'SHA-384', 'SHA-512'],
  keys: BUILT_IN_KEY_PROVIDER_TYPES.map(({ id }) => id),
  'form-authenticator': FORM_STEPS,
  'client-registration': ['default', 'openid-connect'],
  identity_provider: SUPPORTED_PROVIDER_TYPES.map(({ id }) => id),
  'identity-provider-mapper': IDENTITY_PROVIDER_MAPPERS,
};

interface SpiInfo {
  readonly internal: boolean;
  readonly providers: Record<string, { order: number; operationalInfo?: Record<string, string> }>;
}

/**
 * Keycloak's SpiInfoRepresentation of each SPI. For a plugin's provider it contains the plugin and the display name.
 */
export function providerInfo(registry: ProviderRegistry, texts: AdminTexts): Record<string, SpiInfo> {
  const spis = new Map<string, SpiInfo>();
  for (const [name, ids] of Object.entries(KEYCLOAK_SPI_PROVIDERS)) {
    spis.set(name, { internal: true, providers: Object.fromEntries(ids.map((id) => [id, infoOf(id)])) });
  }
  for (const id of registry.current.spis.keys()) spis.set(id, { internal: false, providers: {} });
  for (const provider of registry.list()) {
    const { spi, id, plugin } = provider;
    const name = spi.infoName ?? spi.id;
    const info = spis.get(name) ?? { internal: false, providers: {} };
    spis.set(name, info);
    info.providers[id] = plugin.builtin
      ? { order: 0 }
      : { order: 0, operationalInfo: { plugin: plugin.name, version: plugin.version, ...nameOf(provider, texts) } };
  }
  for (const [spi, unsupported] of Object.entries({
    authenticator: UNSUPPORTED_AUTHENTICATORS,
    'client-authenticator': UNSUPPORTED_CLIENT_AUTHENTICATORS,
    'form-action': UNSUPPORTED_FORM_ACTIONS,
  })) {
    const { providers = {} } = spis.get(spi) ?? {};
    for (const id of Object.keys(unsupported)) providers[id] ??= infoOf(id);
  }
  return Object.fromEntries(spis);
}

function nameOf(provider: RegisteredProvider, texts: AdminTexts) {
  return defined({ displayName: texts.description(provider)?.displayName });
}

/** Describes a provider. One that flows can contain but that this host does not support is marked. */
function infoOf(id: string): SpiInfo['providers'][string] {
  return { order: 0, ...(isUnsupportedStep(id) ? { operationalInfo: { supported: 'false' } } : {}) };
}

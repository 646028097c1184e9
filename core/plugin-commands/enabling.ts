import type { ProviderDefinition } from '@keyhost/spi';
import { spiOf } from '../registry/plugin-shape.js';

/** The line of a realm file that switches a provider on, with what its configuration needs. */
export function enablingLine(definition: ProviderDefinition): string {
  const { id } = definition;
  const kind = spiOf(definition);
  const config = Object.fromEntries((definition.realmConfig?.required ?? []).map((name) => [name, '…']));
  const hasConfig = Object.keys(config).length > 0;
  const entry = (value: object) => `"providers": { "${kind.id}": { "${id}": ${JSON.stringify(value)} } }`;
  if (kind.enabledBy === 'providers') return entry({ enabled: true, ...(hasConfig ? { config } : {}) });
  const line = REALM_KEYS[kind.id]?.(id) ?? `the realm's own key for ${kind.id}`;
  return hasConfig ? `${line}, ${entry({ config })}` : line;
}

/** Kinds that Keycloak's own keys switch. */
const REALM_KEYS: Readonly<Record<string, (id: string) => string>> = {
  'events-listener': (id) => `"eventsListeners": ["${id}"]`,
  theme: (id) => `"loginTheme": "${id}"`,
  'protocol-mapper': (id) =>
    `"protocolMappers": [{ "name": "${id}", "protocol": "openid-connect", "protocolMapper": "${id}", "config": { "access.token.claim": "true" } }] of a client or client scope`,
  authenticator: (id) =>
    `{ "authenticator": "${id}", "requirement": "REQUIRED" } among the authenticationExecutions of a flow`,
  'required-action': (id) =>
    `"requiredActions": [{ "alias": "${id}", "providerId": "${id}", "name": "${id}", "enabled": true }]`,
};

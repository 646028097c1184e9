import type { PolicyClient } from '@keyhost/spi';
import { CLIENT_DEFAULTS } from '../../model/client-defaults.js';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';

/** Attributes about the secret. Some are times, which the host changes by itself. */
const SECRET_ATTRIBUTE = /^client\.secret\./;

/** Returns a client as plugins see it: with defaults, and without secrets. */
export function clientForPlugins(client: ClientRepresentation): PolicyClient {
  const { secret, registrationAccessToken, registrationTokenId, protocolMappers, attributes, ...visible } =
    client as typeof client & { readonly registrationTokenId?: unknown };
  const mappers = protocolMappers?.map(({ config, ...mapper }) => ({ ...mapper, config: withoutSecrets(config) }));
  const complete = { ...CLIENT_DEFAULTS, ...visible, protocolMappers: mappers, attributes: withoutSecrets(attributes) };
  return JSON.parse(JSON.stringify(complete));
}

function withoutSecrets(texts: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !isSecret(name)));
}

/**
 * True for a secret, and for the salt of pairwise subjects. Each attempt of a change creates another salt, but must ask
 * plugins the same question.
 */
function isSecret(name: string): boolean {
  return isSecretName(name) || SECRET_ATTRIBUTE.test(name) || name === PAIRWISE.salt;
}

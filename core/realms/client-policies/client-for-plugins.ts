import type { PolicyClient } from '@keyhost/spi';
import { CLIENT_DEFAULTS } from '../../model/client-defaults.js';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';

/** Attributes about the secret. Times among them change by themselves. */
const OF_SECRET = /^client\.secret\./;

/** A client as plugins see it: complete, and without its secrets. */
export function clientForPlugins(client: ClientRepresentation): PolicyClient {
  const { secret, registrationAccessToken, registrationTokenId, protocolMappers, attributes, ...told } =
    client as typeof client & { readonly registrationTokenId?: unknown };
  const mappers = protocolMappers?.map(({ config, ...mapper }) => ({ ...mapper, config: withoutSecrets(config) }));
  const whole = { ...CLIENT_DEFAULTS, ...told, protocolMappers: mappers, attributes: withoutSecrets(attributes) };
  return JSON.parse(JSON.stringify(whole));
}

function withoutSecrets(texts: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !isSecret(name)));
}

/** A salt is made with each try of a change, and a change that is tried again is the same question. */
function isSecret(name: string): boolean {
  return isSecretName(name) || OF_SECRET.test(name) || name === PAIRWISE.salt;
}

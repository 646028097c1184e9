import { outboundGet } from '../../keys/outbound/outbound-request.js';
import { PAIRWISE, redirectHosts } from '../../model/pairwise-subject.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { AdminError } from '../admin.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

const invalid = (description: string) =>
  new AdminError(400, { error: 'invalid_input', error_description: description });

/**
 * With pairwise subjects, the redirect URIs of a client must have one host, or be listed at its sector identifier URI
 * (OpenID Connect Core §8.1). Otherwise an application could join the sector of another application and learn its
 * subjects.
 * @throws AdminError 400
 */
export async function requireSector(client: ClientRepresentation, privateNetworks: PrivateNetworks): Promise<void> {
  for (const { protocolMapper, config = {} } of client.protocolMappers ?? []) {
    if (protocolMapper !== PAIRWISE.mapper) continue;
    const uri = config[PAIRWISE.sector];
    if (uri) {
      const listed = await addressesAt(uri, privateNetworks);
      const { redirectUris = [], rootUrl = '' } = client;
      const whole = redirectUris.map((one) => (one.startsWith('/') ? rootUrl.replace(/\/$/, '') + one : one));
      if (whole.some((one) => !listed.includes(one))) {
        throw invalid('Client redirect URIs does not match redirect URIs fetched from the Sector Identifier URI.');
      }
      continue;
    }
    const hosts = redirectHosts(client);
    if (hosts.length === 0) throw invalid('Client redirect URIs must contain a valid host component.');
    if (hosts.length > 1) {
      throw invalid(
        'Without a configured Sector Identifier URI, client redirect URIs must not contain multiple host components.',
      );
    }
  }
}

/** @throws AdminError 400 */
async function addressesAt(uri: string, privateNetworks: PrivateNetworks): Promise<readonly unknown[]> {
  if (!URL.canParse(uri)) throw invalid('Malformed Sector Identifier URI.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await outboundGet(uri, { signal, maxBytes: MAX_BYTES, privateNetworks });
    const listed: unknown = response.status === 200 ? JSON.parse(await response.text()) : undefined;
    if (Array.isArray(listed)) return listed;
  } catch {
    // Throw the same error for every cause: the caller chose the address and must not learn how it answered.
  }
  throw invalid('Failed to get redirect URIs from the Sector Identifier URI.');
}

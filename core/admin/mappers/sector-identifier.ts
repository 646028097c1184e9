import { outboundGet } from '../../keys/outbound/outbound-request.js';
import { PAIRWISE, redirectHosts } from '../../model/pairwise-subject.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { AdminError } from '../admin.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

const invalidInput = (description: string) =>
  new AdminError(400, { error: 'invalid_input', error_description: description });

/**
 * Checks the redirect URIs of a client with pairwise subjects: they must have one host, or be listed at its sector
 * identifier URI (OpenID Connect Core §8.1). Otherwise an application could join the sector of another application and
 * learn its subjects.
 * @throws AdminError 400
 */
export async function requireSector(client: ClientRepresentation, privateNetworks: PrivateNetworks): Promise<void> {
  for (const { protocolMapper, config = {} } of client.protocolMappers ?? []) {
    if (protocolMapper !== PAIRWISE.mapper) continue;
    const uri = config[PAIRWISE.sector];
    if (uri) {
      const listedUris = await fetchRedirectUris(uri, privateNetworks);
      const { redirectUris = [], rootUrl = '' } = client;
      const absoluteUris = redirectUris.map((redirectUri) =>
        redirectUri.startsWith('/') ? rootUrl.replace(/\/$/, '') + redirectUri : redirectUri,
      );
      if (absoluteUris.some((redirectUri) => !listedUris.includes(redirectUri))) {
        throw invalidInput('Client redirect URIs does not match redirect URIs fetched from the Sector Identifier URI.');
      }
      continue;
    }
    const hosts = redirectHosts(client);
    if (hosts.length === 0) throw invalidInput('Client redirect URIs must contain a valid host component.');
    if (hosts.length > 1) {
      throw invalidInput(
        'Without a configured Sector Identifier URI, client redirect URIs must not contain multiple host components.',
      );
    }
  }
}

/** Fetches the list of redirect URIs. @throws AdminError 400 */
async function fetchRedirectUris(uri: string, privateNetworks: PrivateNetworks): Promise<readonly unknown[]> {
  if (!URL.canParse(uri)) throw invalidInput('Malformed Sector Identifier URI.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await outboundGet(uri, { signal, maxBytes: MAX_BYTES, privateNetworks });
    const listed: unknown = response.status === 200 ? JSON.parse(await response.text()) : undefined;
    if (Array.isArray(listed)) return listed;
  } catch {
    // All causes result in the same error: the caller chose the address, and must not learn how it answered.
  }
  throw invalidInput('Failed to get redirect URIs from the Sector Identifier URI.');
}

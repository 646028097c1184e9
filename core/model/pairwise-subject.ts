import { hash } from 'node:crypto';
import type { ClientRepresentation } from './representation.js';

/** Keycloak's mapper that gives a client pairwise subjects, and the keys of its configuration. */
export const PAIRWISE = {
  mapper: 'oidc-sha256-pairwise-sub-mapper',
  sector: 'sectorIdentifierUri',
  salt: 'pairwiseSubAlgorithmSalt',
} as const;

interface Mapper {
  readonly providerId: string;
  readonly config: Readonly<Record<string, string>>;
}

/**
 * Returns a function that computes the subject of a user for this client (OpenID Connect Core §8.1), as Keycloak does.
 * SHA-256 over the sector, the user's ID and the salt becomes a name-based UUID (RFC 9562 §5.3).
 * @param mappers the mappers of the client and its default client scopes
 * @returns undefined if the subject is the user's ID
 */
export function pairwiseSubject(
  client: ClientRepresentation,
  mappers: readonly Mapper[],
): ((userId: string) => string) | undefined {
  const config = mappers.find(({ providerId }) => providerId === PAIRWISE.mapper)?.config;
  if (config === undefined) return undefined;
  const uri = config[PAIRWISE.sector];
  // A client without redirect URIs is its own sector.
  const sector = (uri && URL.canParse(uri) ? new URL(uri).hostname : redirectHosts(client)[0]) ?? client.clientId;
  const salt = config[PAIRWISE.salt] ?? '';
  return (userId) => nameBasedUuid(hash('sha256', sector + userId + salt, 'buffer'));
}

/** The distinct hosts of a client's redirect URIs. */
export function redirectHosts({ redirectUris = [], rootUrl = '' }: ClientRepresentation): string[] {
  const absolute = redirectUris.map((uri) => (uri.startsWith('/') ? rootUrl : uri)).filter((uri) => URL.canParse(uri));
  return [...new Set(absolute.map((uri) => new URL(uri).hostname))].filter((host) => host !== '');
}

function nameBasedUuid(name: Buffer): string {
  const bytes = hash('md5', name, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x30, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request, requestTagged } from './request.ts';

/** Keycloak's ClientRepresentation, limited to the members that the admin console uses. */
export interface Client {
  readonly id: string;
  readonly clientId: string;
  readonly name?: string;
  readonly description?: string;
  readonly enabled: boolean;
  readonly protocol: string;
  readonly rootUrl?: string;
  readonly baseUrl?: string;
  readonly redirectUris: readonly string[];
  readonly webOrigins: readonly string[];
  readonly publicClient: boolean;
  readonly bearerOnly: boolean;
  readonly standardFlowEnabled: boolean;
  readonly implicitFlowEnabled: boolean;
  readonly directAccessGrantsEnabled: boolean;
  readonly serviceAccountsEnabled: boolean;
  readonly clientAuthenticatorType: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly defaultClientScopes: readonly string[];
  readonly optionalClientScopes: readonly string[];
  /** The signed-in user's rights on this client. */
  readonly access: { readonly manage: boolean };
}

/** Absent members stay unchanged; an attribute that is null is removed. */
export type ClientChange = Partial<Omit<Client, 'id' | 'access' | 'attributes'>> & {
  readonly attributes?: Readonly<Record<string, string | null>>;
};

export const CLIENT_READERS = ['view-clients', 'manage-clients'];
export const CLIENT_WRITERS = ['manage-clients'];

const clientsPath = (realm: string) => `/realms/${encodeSegment(realm)}/clients`;
export const clientPath = (realm: string, id: string) => `${clientsPath(realm)}/${encodeSegment(id)}`;
export const clientsKey = (realm: string) => ['realm', realm, 'clients'] as const;
export const clientKey = (realm: string, id: string) => [...clientsKey(realm), 'one', id] as const;

/**
 * The client with the secrets that the host sends to users who may manage it. The admin console does not store them.
 */
type ClientWithSecrets = Client & { readonly secret?: string; readonly registrationAccessToken?: string };

/** Attributes that the admin console uses. It drops all others, since some contain rotated secrets. */
export const LIFESPAN = 'access.token.lifespan';
export const PKCE = 'pkce.code.challenge.method';
/** The signing settings of a client's JWTs, and the location of its keys. */
export const SIGNING_ALGORITHM = 'token.endpoint.auth.signing.alg';
export const SIGNING_MAX_AGE = 'token.endpoint.auth.signing.max.exp';
export const USES_JWKS_URL = 'use.jwks.url';
export const JWKS_URL = 'jwks.url';
/** Seconds since the epoch until which the previous secret is valid. */
export const ROTATED_UNTIL = 'client.secret.rotated.expiration.time';
const KEPT_ATTRIBUTES = new Set([
  LIFESPAN,
  PKCE,
  SIGNING_ALGORITHM,
  SIGNING_MAX_AGE,
  USES_JWKS_URL,
  JWKS_URL,
  ROTATED_UNTIL,
]);

function withoutSecrets({ secret: _, registrationAccessToken: __, ...client }: ClientWithSecrets): Client {
  const kept = Object.entries(client.attributes ?? {}).filter(([name]) => KEPT_ATTRIBUTES.has(name));
  return { ...client, attributes: Object.fromEntries(kept) };
}

/** Clients by client ID, a page at a time. @param search a part of the client ID */
export function clientsOf(realm: string, { search, first, max }: { search: string; first: number; max: number }) {
  return queryOptions({
    queryKey: [...clientsKey(realm), 'list', search, first, max],
    queryFn: async ({ signal }) => {
      const query = { clientId: search, search: true, first, max };
      const roles = [...CLIENT_READERS, 'query-clients'];
      return (await request<readonly ClientWithSecrets[]>(clientsPath(realm), { query, roles, signal })).map(
        withoutSecrets,
      );
    },
    placeholderData: keepPreviousData,
  });
}

/** @param id the internal ID */
export function oneClient(realm: string, id: string) {
  return queryOptions({
    queryKey: [...clientKey(realm, id), 'client'],
    queryFn: async ({ signal }) => {
      const { body, tag } = await requestTagged<ClientWithSecrets>(clientPath(realm, id), {
        roles: CLIENT_READERS,
        signal,
      });
      return { body: withoutSecrets(body), tag };
    },
  });
}

export function changeClient(
  realm: string,
  id: string,
  { change, ifMatch }: { change: ClientChange; ifMatch: string | undefined },
): Promise<void> {
  return request(clientPath(realm, id), { method: 'PUT', body: change, ifMatch, roles: CLIENT_WRITERS });
}

interface Secret {
  readonly value?: string;
}

/** Reads the secret on demand; it is never cached. */
export async function readSecret(realm: string, id: string): Promise<string> {
  return (await request<Secret>(`${clientPath(realm, id)}/client-secret`, { roles: CLIENT_WRITERS })).value ?? '';
}

/** Creates a new secret. @returns the secret */
export async function renewSecret(realm: string, id: string, ifMatch: string | undefined): Promise<string> {
  const path = `${clientPath(realm, id)}/client-secret`;
  return (await request<Secret>(path, { method: 'POST', ifMatch, roles: CLIENT_WRITERS })).value ?? '';
}

/** Revokes the previous secret. */
export function revokeRotatedSecret(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  const path = `${clientPath(realm, id)}/client-secret/rotated`;
  return request(path, { method: 'DELETE', ifMatch, roles: CLIENT_WRITERS });
}

export function removeClient(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(clientPath(realm, id), { method: 'DELETE', ifMatch, roles: CLIENT_WRITERS });
}

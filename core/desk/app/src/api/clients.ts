import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { segment } from '../address.ts';
import { request, requestTagged } from './request.ts';

/** Keycloak's ClientRepresentation, as far as the desk has it. */
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
  /** What the reader may do with this client. */
  readonly access: { readonly manage: boolean };
}

/** What is absent stays; an attribute that is null is taken back. */
export type SentClient = Partial<Omit<Client, 'id' | 'access' | 'attributes'>> & {
  readonly attributes?: Readonly<Record<string, string | null>>;
};

export const CLIENT_READERS = ['view-clients', 'manage-clients'];
export const CLIENT_WRITERS = ['manage-clients'];

const clientsPath = (realm: string) => `/realms/${segment(realm)}/clients`;
export const clientPath = (realm: string, id: string) => `${clientsPath(realm)}/${segment(id)}`;
export const clientsKey = (realm: string) => ['realm', realm, 'clients'] as const;
export const clientKey = (realm: string, id: string) => [...clientsKey(realm), 'one', id] as const;

/** What the host shows to who manages the client: the desk keeps none of it. */
type ShownClient = Client & { readonly secret?: string; readonly registrationAccessToken?: string };

/** Attributes that the desk has; among the others are secrets that were replaced. */
export const LIFESPAN = 'access.token.lifespan';
export const PKCE = 'pkce.code.challenge.method';
/** How a client signs what it authenticates with, and where its keys are. */
export const SIGNING_ALGORITHM = 'token.endpoint.auth.signing.alg';
export const SIGNING_MAX_AGE = 'token.endpoint.auth.signing.max.exp';
export const USES_JWKS_URL = 'use.jwks.url';
export const JWKS_URL = 'jwks.url';
/** Seconds since the epoch, until which the secret before the current one is valid. */
export const ROTATED_UNTIL = 'client.secret.rotated.expiration.time';
const KEPT = new Set([LIFESPAN, PKCE, SIGNING_ALGORITHM, SIGNING_MAX_AGE, USES_JWKS_URL, JWKS_URL, ROTATED_UNTIL]);

function withoutSecrets({ secret: _, registrationAccessToken: __, ...client }: ShownClient): Client {
  const kept = Object.entries(client.attributes ?? {}).filter(([name]) => KEPT.has(name));
  return { ...client, attributes: Object.fromEntries(kept) };
}

/** Clients by clientId, a page at a time. @param search a part of the clientId */
export function clientsOf(realm: string, { search, first, max }: { search: string; first: number; max: number }) {
  return queryOptions({
    queryKey: [...clientsKey(realm), 'list', search, first, max],
    queryFn: async ({ signal }) => {
      const query = { clientId: search, search: true, first, max };
      const roles = [...CLIENT_READERS, 'query-clients'];
      return (await request<readonly ShownClient[]>(clientsPath(realm), { query, roles, signal })).map(withoutSecrets);
    },
    placeholderData: keepPreviousData,
  });
}

/** @param id the internal one */
export function oneClient(realm: string, id: string) {
  return queryOptions({
    queryKey: [...clientKey(realm, id), 'client'],
    queryFn: async ({ signal }) => {
      const { body, tag } = await requestTagged<ShownClient>(clientPath(realm, id), { roles: CLIENT_READERS, signal });
      return { body: withoutSecrets(body), tag };
    },
  });
}

export function changeClient(
  realm: string,
  id: string,
  { change, ifMatch }: { change: SentClient; ifMatch: string | undefined },
): Promise<void> {
  return request(clientPath(realm, id), { method: 'PUT', body: change, ifMatch, roles: CLIENT_WRITERS });
}

interface Secret {
  readonly value?: string;
}

/** The secret, which is asked for when somebody wants to see it and kept nowhere. */
export async function readSecret(realm: string, id: string): Promise<string> {
  return (await request<Secret>(`${clientPath(realm, id)}/client-secret`, { roles: CLIENT_WRITERS })).value ?? '';
}

/** Makes another secret. @returns it */
export async function renewSecret(realm: string, id: string, ifMatch: string | undefined): Promise<string> {
  const path = `${clientPath(realm, id)}/client-secret`;
  return (await request<Secret>(path, { method: 'POST', ifMatch, roles: CLIENT_WRITERS })).value ?? '';
}

/** Revokes the secret before the current one. */
export function revokeRotatedSecret(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  const path = `${clientPath(realm, id)}/client-secret/rotated`;
  return request(path, { method: 'DELETE', ifMatch, roles: CLIENT_WRITERS });
}

export function removeClient(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(clientPath(realm, id), { method: 'DELETE', ifMatch, roles: CLIENT_WRITERS });
}

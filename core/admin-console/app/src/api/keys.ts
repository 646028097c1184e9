import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request, requestNew } from './request.ts';

/** A key of a realm, without its secret. */
export interface RealmKey {
  readonly kid: string;
  /** The ID of the component that represents the key; absent if there is none. */
  readonly providerId?: string;
  readonly providerPriority: number;
  readonly status: 'ACTIVE' | 'PASSIVE' | 'DISABLED';
  readonly algorithm: string;
  readonly use: 'SIG' | 'ENC';
  readonly type: 'RSA' | 'EC' | 'OKP' | 'OCT';
  /** Milliseconds since the epoch; absent for a key of a plugin. */
  readonly createdAt?: number;
  /** Base64 of the SubjectPublicKeyInfo; absent for a secret. */
  readonly publicKey?: string;
  /** Base64 of the certificate. */
  readonly certificate?: string;
  /** When the certificate expires, in milliseconds since the epoch. */
  readonly validTo?: number;
}

export interface RealmKeys {
  /** The kid of the key that signs or encrypts, by algorithm. */
  readonly active: Readonly<Record<string, string>>;
  readonly keys: readonly RealmKey[];
}

/** A component with a key: Keycloak's ComponentRepresentation. */
export interface KeyComponent {
  readonly id: string;
  readonly name?: string;
  /** The key provider, such as `rsa-generated`. */
  readonly providerId: string;
  readonly config: Readonly<Record<string, readonly string[]>>;
}

/** The uses of the keys of an algorithm. */
export interface KeyUse {
  readonly algorithm: string;
  readonly isDefault: boolean;
  readonly isInternal: boolean;
  readonly clients: readonly { readonly id: string; readonly clientId: string; readonly uses: readonly string[] }[];
  readonly moreClients: number;
  readonly identityProviders: readonly string[];
  /** The number of identity providers that the user may not view. */
  readonly moreIdentityProviders: number;
  /** How long tokens of a key stay valid at most, in seconds. */
  readonly lifespan?: number;
  readonly isUnlimited: boolean;
}

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
const READERS = ['view-realm', 'manage-realm'];
const WRITERS = ['manage-realm'];
/** An admin who has a key could sign tokens of any user. */
const ALL_RIGHTS = ['realm-admin'];

const realmPath = (realm: string) => `/realms/${encodeSegment(realm)}`;
const componentPath = (realm: string, id: string) => `${realmPath(realm)}/components/${encodeSegment(id)}`;
export const keysKey = (realm: string) => ['realm', realm, 'keys'] as const;

export function keysOf(realm: string) {
  return queryOptions({
    queryKey: [...keysKey(realm), 'keys'],
    queryFn: ({ signal }) => request<RealmKeys>(`${realmPath(realm)}/keys`, { roles: READERS, signal }),
  });
}

export function keyUsesOf(realm: string) {
  return queryOptions({
    queryKey: [...keysKey(realm), 'uses'],
    queryFn: ({ signal }) => request<readonly KeyUse[]>(`${realmPath(realm)}/keys/uses`, { roles: READERS, signal }),
  });
}

export function keyComponentsOf(realm: string) {
  return queryOptions({
    queryKey: [...keysKey(realm), 'components'],
    queryFn: ({ signal }) =>
      request<readonly KeyComponent[]>(`${realmPath(realm)}/components`, {
        query: { type: KEY_PROVIDER },
        roles: READERS,
        signal,
      }),
  });
}

interface NewKey {
  readonly name: string;
  readonly providerId: string;
  readonly config: Readonly<Record<string, readonly string[]>>;
}

/** Generates a key. */
export function createKey(realm: string, key: NewKey): Promise<string> {
  const body = { ...key, providerType: KEY_PROVIDER };
  return requestNew(`${realmPath(realm)}/components`, { body, roles: WRITERS });
}

/** Imports a private key, which the host never returns. */
export function importKey(realm: string, key: NewKey): Promise<string> {
  const body = { ...key, providerType: KEY_PROVIDER };
  return requestNew(`${realmPath(realm)}/components`, { body, roles: ALL_RIGHTS });
}

/** Changes the state of the key of a component. Absent members stay unchanged. */
export function changeKeyState(
  realm: string,
  componentId: string,
  { active, enabled }: { active?: boolean; enabled?: boolean },
): Promise<void> {
  const config = {
    ...(active === undefined ? {} : { active: [String(active)] }),
    ...(enabled === undefined ? {} : { enabled: [String(enabled)] }),
  };
  return request(componentPath(realm, componentId), { method: 'PUT', body: { config }, roles: WRITERS });
}

/** Deletes a component with its key. */
export function removeKey(realm: string, componentId: string): Promise<void> {
  return request(componentPath(realm, componentId), { method: 'DELETE', roles: WRITERS });
}

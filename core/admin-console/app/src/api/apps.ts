import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { CLIENT_READERS, clientPath, clientsKey } from './clients.ts';
import { request, requestNew } from './request.ts';

export const APP_KINDS = ['web-app', 'single-page-app', 'native', 'machine', 'api', 'software'] as const;
export type AppKind = (typeof APP_KINDS)[number];

export interface AppKindFacts {
  readonly id: AppKind;
  /** True if users are redirected to an address of the app. */
  readonly redirects: boolean;
  /** Its redirect URIs follow from its URL. */
  readonly hasUrl: boolean;
  readonly url?: string;
}

export interface Framework {
  readonly id: string;
  readonly name: string;
  readonly library: string;
  readonly kind: AppKind;
  readonly url: string;
  readonly groups: boolean;
  /** `test`, the date of a trial, or `no`. */
  readonly tried: string;
}

export interface AppCatalogue {
  readonly kinds: readonly AppKindFacts[];
  readonly frameworks: readonly Framework[];
}

/** The input from which the host derives a client. Absent members are derived from the others. */
export interface App {
  readonly kind: AppKind;
  readonly framework?: string | undefined;
  readonly name: string;
  readonly clientId?: string | undefined;
  readonly url?: string | undefined;
  readonly productionUrl?: string | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  readonly groups?: boolean | undefined;
  readonly audiences?: readonly string[] | undefined;
  readonly offlineAccess?: boolean | undefined;
}

/** The client for an app, and client scopes that must be created before it. */
export interface DerivedClient {
  readonly client: {
    readonly clientId: string;
    readonly redirectUris?: readonly string[];
    readonly attributes?: Readonly<Record<string, string>>;
  };
  readonly clientScopes: readonly object[];
}

/** A block of instructions. Texts may contain `code` and <https://links>. */
export interface InstructionBlock {
  readonly kind: 'heading' | 'text' | 'note' | 'item' | 'code';
  readonly text: string;
  readonly language?: string;
}

export interface Instructions {
  readonly kind: AppKind;
  readonly framework?: string;
  readonly tried?: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly secret?: string;
  readonly redirectUris: readonly string[];
  readonly url?: string;
  /** Types of the events that complete a sign-in. Absent if the app has no sign-ins. */
  readonly signInEvents?: readonly string[];
  readonly blocks: readonly InstructionBlock[];
  readonly realmFile: { readonly clientScopes?: readonly object[]; readonly clients: readonly object[] };
}

export interface SignIns {
  /** Sign-ins in the last 24 hours after which the app fetched its tokens. */
  readonly connected: number;
  readonly failures: readonly { readonly error: string; readonly count: number }[];
}

/** Roles one of which allows the user to create a client. */
export const CLIENT_CREATORS = ['create-client', 'manage-clients'];

const realmPath = (realm: string) => `/realms/${encodeSegment(realm)}`;

export function appCatalogue(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'apps'],
    queryFn: ({ signal }) =>
      request<AppCatalogue>(`${realmPath(realm)}/apps/frameworks`, { roles: CLIENT_CREATORS, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The client that the host derives from the current input. */
export function derivedClient(realm: string, app: App) {
  return queryOptions({
    queryKey: ['realm', realm, 'needed client', app],
    queryFn: () => deriveClient(realm, app),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function deriveClient(realm: string, app: App): Promise<DerivedClient> {
  return request(`${realmPath(realm)}/apps/client`, { method: 'POST', body: app, roles: CLIENT_CREATORS });
}

/** Creates the client of an app with Keycloak's own operations. @returns its internal ID */
export async function createApp(realm: string, app: App): Promise<string> {
  const { client, clientScopes } = await deriveClient(realm, app);
  for (const scope of clientScopes) {
    await requestNew(`${realmPath(realm)}/client-scopes`, { body: scope, roles: ['manage-clients'] });
  }
  return createClient(realm, client);
}

/** @returns its internal ID */
export function createClient(realm: string, client: object): Promise<string> {
  return requestNew(`${realmPath(realm)}/clients`, { body: client, roles: CLIENT_CREATORS });
}

/**
 * Instructions to write the app of a client. They contain the secret, and are removed from the cache when the page is
 * left.
 */
export function instructionsOf(realm: string, id: string, query: { framework: string; offlineAccess: boolean }) {
  return queryOptions({
    queryKey: [...clientsKey(realm), 'instructions', id, query],
    queryFn: ({ signal }) =>
      request<Instructions>(`${clientPath(realm, id)}/instructions`, { query, roles: CLIENT_READERS, signal }),
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function signInsOf(realm: string, id: string): Promise<SignIns> {
  return request(`${clientPath(realm, id)}/sign-ins`, { roles: [['view-clients', 'view-events']] });
}

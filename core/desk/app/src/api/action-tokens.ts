import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { segment } from '../address.ts';
import type { JsonSchema } from './providers.ts';
import { request } from './request.ts';

export interface ActionToken {
  readonly id: string;
  readonly type: string;
  readonly clientId?: string;
  /** Milliseconds since the epoch, as is `expiresAt`. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface ListedToken extends ActionToken {
  readonly userId: string;
  readonly username: string;
}

export interface TokenPage {
  readonly actionTokens: readonly ListedToken[];
  /** Where the next page begins; absent: this is the last. */
  readonly next?: string;
}

export interface TokenFilter {
  readonly type: string;
  readonly userId: string;
  readonly clientId: string;
  /** The `next` of the page before; empty: the newest. */
  readonly after: string;
}

/** A type that the realm has a handler for: `GET …/action-token-types`. */
export interface TokenType {
  readonly id: string;
  readonly displayName?: string;
  readonly helpText?: string;
  readonly isMintable: boolean;
  readonly isListed: boolean;
  /** Seconds, as is `maxLifespan`. */
  readonly lifespan: number;
  readonly maxLifespan: number;
  /** Absent: any. */
  readonly claims?: JsonSchema;
}

export interface MintRequest {
  readonly type: string;
  /** Seconds. */
  readonly lifespan?: number;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface Minted {
  readonly id: string;
  readonly type: string;
  readonly expiresAt: number;
  readonly link: string;
}

export interface Happening {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly what: 'issued' | 'failed' | 'followed' | 'refused' | 'used' | 'revoked' | 'ended';
  /** Id of the event. */
  readonly event: string;
  readonly error?: string;
  readonly reason?: string;
  readonly clientId?: string;
  readonly ipAddress?: string;
  /** The admin who did it. */
  readonly by?: {
    readonly realmId: string;
    readonly userId: string;
    /** For who may see the users of that realm. */
    readonly realm?: string;
    readonly username?: string;
  };
}

export interface TokenHistory extends Partial<ActionToken> {
  readonly id: string;
  readonly issuedAt: number;
  /** Absent: it is kept no account of the token, or no longer. */
  readonly state?: 'out' | 'used' | 'revoked' | 'ended' | 'expired';
  readonly eventsEnabled: boolean;
  readonly adminEventsEnabled: boolean;
  readonly isComplete: boolean;
  readonly history: readonly Happening[];
}

/** Tokens that the host looks at for a page, and pages without any that are passed over before somebody is asked. */
const LOOKED_AT = 50;
const PASSED_OVER = 20;

const READERS = ['view-users', 'manage-users'];
const realmPath = (realm: string) => `/realms/${segment(realm)}`;
const tokensPath = (realm: string, userId: string) => `${realmPath(realm)}/users/${segment(userId)}/action-tokens`;
export const tokensKey = (realm: string) => ['realm', realm, 'action tokens'];

/** Links of a realm that are out, newest first. Pages on which nothing is out any more are passed over. */
export function tokensOf(realm: string, filter: TokenFilter) {
  return queryOptions({
    queryKey: [...tokensKey(realm), filter],
    queryFn: async ({ signal }) => {
      let page: TokenPage = { actionTokens: [], next: filter.after };
      for (let passed = 0; passed < PASSED_OVER; passed += 1) {
        const query = { ...filter, after: page.next, max: LOOKED_AT };
        page = await request<TokenPage>(`${realmPath(realm)}/action-tokens`, { query, roles: READERS, signal });
        if (page.actionTokens.length > 0 || page.next === undefined) break;
      }
      return page;
    },
    placeholderData: keepPreviousData,
  });
}

export function tokenTypes(realm: string) {
  return queryOptions({
    queryKey: [...tokensKey(realm), 'types'],
    queryFn: ({ signal }) =>
      request<readonly TokenType[]>(`${realmPath(realm)}/action-token-types`, { roles: READERS, signal }),
  });
}

/** @returns the token, whose link is in this answer alone */
export function mintToken(realm: string, userId: string, body: MintRequest): Promise<Minted> {
  return request(tokensPath(realm, userId), { method: 'POST', body, roles: ['manage-users'] });
}

export function revokeToken(realm: string, userId: string, id: string): Promise<void> {
  return request(`${tokensPath(realm, userId)}/${segment(id)}`, { method: 'DELETE', roles: ['manage-users'] });
}

export function historyOf(realm: string, userId: string, id: string) {
  return queryOptions({
    queryKey: [...tokensKey(realm), 'history', userId, id],
    queryFn: ({ signal }) =>
      request<TokenHistory>(`${tokensPath(realm, userId)}/${segment(id)}/history`, {
        roles: [['view-users', 'view-events']],
        signal,
      }),
  });
}

/** The page of one token. */
export function tokenHref(realm: string, userId: string, id: string): string {
  return `/realms/${segment(realm)}/action-tokens/${segment(userId)}/${segment(id)}`;
}

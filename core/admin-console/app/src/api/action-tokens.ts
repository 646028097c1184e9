import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
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
  /** The position of the next page; absent on the last one. */
  readonly next?: string;
}

export interface TokenFilter {
  readonly type: string;
  readonly userId: string;
  readonly clientId: string;
  /** The `next` of the previous page; empty for the newest tokens. */
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
  /** Absent if any claims are allowed. */
  readonly claims?: JsonSchema;
}

export interface MintRequest {
  readonly type: string;
  /** In seconds. */
  readonly lifespan?: number;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface MintedToken {
  readonly id: string;
  readonly type: string;
  readonly expiresAt: number;
  readonly link: string;
}

export interface TokenEvent {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly what: 'issued' | 'failed' | 'followed' | 'refused' | 'used' | 'revoked' | 'ended';
  /** ID of the event. */
  readonly event: string;
  readonly error?: string;
  readonly reason?: string;
  readonly clientId?: string;
  readonly ipAddress?: string;
  /** The admin who did it. */
  readonly by?: {
    readonly realmId: string;
    readonly userId: string;
    /** Only for callers who may see the users of that realm. */
    readonly realm?: string;
    readonly username?: string;
  };
}

export interface TokenHistory extends Partial<ActionToken> {
  readonly id: string;
  readonly issuedAt: number;
  /** Absent if there is no record of the token, or no longer one. */
  readonly state?: 'out' | 'used' | 'revoked' | 'ended' | 'expired';
  readonly eventsEnabled: boolean;
  readonly adminEventsEnabled: boolean;
  readonly isComplete: boolean;
  readonly history: readonly TokenEvent[];
}

/**
 * The number of tokens that the host examines for a page. Up to `MAX_EMPTY_PAGES` pages are read until one is not
 * empty.
 */
const MAX_EXAMINED = 50;
const MAX_EMPTY_PAGES = 20;

const READERS = ['view-users', 'manage-users'];
const realmPath = (realm: string) => `/realms/${encodeSegment(realm)}`;
const tokensPath = (realm: string, userId: string) =>
  `${realmPath(realm)}/users/${encodeSegment(userId)}/action-tokens`;
export const tokensKey = (realm: string) => ['realm', realm, 'action tokens'];

/** The valid links of a realm, newest first. Pages without any valid link are skipped. */
export function tokensOf(realm: string, filter: TokenFilter) {
  return queryOptions({
    queryKey: [...tokensKey(realm), filter],
    queryFn: async ({ signal }) => {
      let page: TokenPage = { actionTokens: [], next: filter.after };
      for (let pageCount = 0; pageCount < MAX_EMPTY_PAGES; pageCount += 1) {
        const query = { ...filter, after: page.next, max: MAX_EXAMINED };
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

/** @returns the token; only this answer contains its link */
export function mintToken(realm: string, userId: string, body: MintRequest): Promise<MintedToken> {
  return request(tokensPath(realm, userId), { method: 'POST', body, roles: ['manage-users'] });
}

export function revokeToken(realm: string, userId: string, id: string): Promise<void> {
  return request(`${tokensPath(realm, userId)}/${encodeSegment(id)}`, { method: 'DELETE', roles: ['manage-users'] });
}

export function historyOf(realm: string, userId: string, id: string) {
  return queryOptions({
    queryKey: [...tokensKey(realm), 'history', userId, id],
    queryFn: ({ signal }) =>
      request<TokenHistory>(`${tokensPath(realm, userId)}/${encodeSegment(id)}/history`, {
        roles: [['view-users', 'view-events']],
        signal,
      }),
  });
}

/** The path of a token's page. */
export function tokenHref(realm: string, userId: string, id: string): string {
  return `/realms/${encodeSegment(realm)}/action-tokens/${encodeSegment(userId)}/${encodeSegment(id)}`;
}

import type { AdminEvent, Event } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/**
 * Events in the history of an action token.
 *
 * - `failed`: the token was not mailed, or not issued.
 * - `followed`: the action token endpoint accepted the link.
 * - `used`: an action was done in the login that the link opened.
 * - `ended`: the token was revoked together with all tokens of its user.
 */
export const TOKEN_EVENTS = ['issued', 'failed', 'followed', 'refused', 'used', 'revoked', 'ended'] as const;

export interface TokenHistoryAdmin {
  readonly realmId: string;
  readonly userId: string;
  /** The names of the admin's realm and of the admin. Set only for callers who may see the users of that realm. */
  readonly realm?: string;
  readonly username?: string;
}

/** One entry in the history of an action token. */
export interface TokenHistoryEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly what: (typeof TOKEN_EVENTS)[number];
  /** ID of the event from which the entry was created. */
  readonly event: string;
  /** The type of the user event, or `ADMIN` for an admin event. */
  readonly type: string;
  readonly error?: string;
  readonly reason?: string;
  readonly clientId?: string;
  readonly ipAddress?: string;
  /** The admin who caused the event. */
  readonly by?: TokenHistoryAdmin;
}

/** Orders by time. Within a millisecond, entries have the order in which their events can happen. */
export function compareEntries(a: TokenHistoryEntry, b: TokenHistoryEntry): number {
  return a.time - b.time || TOKEN_EVENTS.indexOf(a.what) - TOKEN_EVENTS.indexOf(b.what);
}

/**
 * Converts the user events that contain the token.
 * @param id the ID of the token
 */
export function entriesOfUserEvents(records: readonly EventRecord[], id: string): TokenHistoryEntry[] {
  return records
    .filter(({ kind }) => kind === 'user')
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ details }) => details?.token_id === id)
    .map((event) => {
      const { time, type, error, clientId, ipAddress, details } = event;
      const members = { event: event.id, type, error, reason: details?.reason, clientId, ipAddress };
      return { time, what: kindOfUserEvent(event), ...defined(members) };
    });
}

/**
 * Converts the admin events that concern the token.
 * @param token.path the path of the user's tokens, relative to the realm
 */
export function entriesOfAdminEvents(
  records: readonly EventRecord[],
  token: { readonly path: string; readonly id: string; readonly issuedAt: number },
): TokenHistoryEntry[] {
  return records.flatMap(({ body }) => {
    const event = JSON.parse(body) as AdminEvent;
    const kind = kindOfAdminEvent(event, token);
    if (kind === undefined) return [];
    const { realmId, userId, ipAddress } = event.authDetails;
    const members = { event: event.id, type: 'ADMIN', ipAddress, by: { realmId, userId } };
    return [{ time: event.time, what: kind, ...defined(members) }];
  });
}

/**
 * Returns the step in the token's history that a user event shows. An event of a login has a response type, and one of
 * the action token endpoint has the token's action.
 */
function kindOfUserEvent({ details = {}, error }: Event): TokenHistoryEntry['what'] {
  const hasFailed = error !== undefined;
  if (details.response_type !== undefined) return hasFailed ? 'refused' : 'used';
  if (details.action !== undefined) return hasFailed ? 'refused' : 'followed';
  return hasFailed ? 'failed' : 'issued';
}

function kindOfAdminEvent(
  { resourcePath, representation, time }: AdminEvent,
  { path, id, issuedAt }: { readonly path: string; readonly id: string; readonly issuedAt: number },
): TokenHistoryEntry['what'] | undefined {
  if (resourcePath === `${path}/${id}`) return 'revoked';
  if (resourcePath !== path) return undefined;
  const issuedId = (representation as { readonly id?: unknown } | undefined)?.id;
  if (issuedId === id) return 'issued';
  return issuedId === undefined && time >= issuedAt ? 'ended' : undefined;
}

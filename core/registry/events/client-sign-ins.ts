import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { StatisticsStore } from '../../store/store.js';
import type { EventCounts } from './event-counts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A client that signs in for itself (client credentials) has an event type of its own. */
const SIGN_IN_TYPES = ['LOGIN', 'CLIENT_LOGIN'];
/** Types of failed sign-ins: before the login, during it, or when the app redeems its code. */
const FAILURE_TYPES = [
  'PUSHED_AUTHORIZATION_REQUEST_ERROR',
  'LOGIN_ERROR',
  'CLIENT_LOGIN_ERROR',
  'CODE_TO_TOKEN_ERROR',
  'OAUTH2_DEVICE_CODE_TO_TOKEN_ERROR',
];
/**
 * Types of events after which the app has its tokens. Before these it may still fail, for example with a wrong secret.
 */
const TOKEN_TYPES = ['CODE_TO_TOKEN', 'OAUTH2_DEVICE_CODE_TO_TOKEN', 'CLIENT_LOGIN'];
/** The prefix of `NewEvent.counted` for a login at the token endpoint, such as the password grant. */
const GRANT_PREFIX = 'grant:';
/** This error is not a failure: the device polls too often. */
const SLOW_DOWN = 'slow_down';

/**
 * The sign-ins to one client in the last 24 hours, counted even if the realm saves no events. Events are counted by the
 * hour, so the hour in which this time began is included.
 */
export interface ClientSignIns {
  /** The number of LOGIN and CLIENT_LOGIN events. */
  readonly signIns: number;
  /** The number of sign-ins after which the app has got its tokens. If there is one, the app is connected correctly. */
  readonly connected: number;
  readonly failures: readonly { readonly error: string; readonly count: number }[];
}

/**
 * Returns the types of the events after which an app has its tokens; undefined if the client cannot sign users in. A
 * login at the token endpoint, such as the password grant, has a `grant_type` in its details. A LOGIN event of a login
 * page, which has none, completes the sign-in only if the client gets no codes.
 */
export function signInEventTypes(client: Client): string[] | undefined {
  if (client.bearerOnly) return undefined;
  return [
    ...(client.standardFlowEnabled ? ['CODE_TO_TOKEN'] : []),
    ...(client.deviceGrantEnabled ? ['OAUTH2_DEVICE_CODE_TO_TOKEN'] : []),
    ...(client.serviceAccountsEnabled ? ['CLIENT_LOGIN'] : []),
    'LOGIN',
  ];
}

/** Counts the sign-ins to a client, including the latest ones. */
export async function countClientSignIns(
  parts: { eventCounts: EventCounts; clock: Clock; statistics: StatisticsStore },
  realm: string,
  clientId: string,
): Promise<ClientSignIns> {
  await parts.eventCounts.flush();
  const now = parts.clock.now();
  const counts = await parts.statistics.counts(realm, { from: now - DAY_MS - (now % HOUR_MS), to: now + HOUR_MS });
  const failures = new Map<string, number>();
  let signIns = 0;
  let connected = 0;
  for (const { type, about, total, clientId: countedClientId } of counts) {
    if (countedClientId !== clientId) continue;
    if (SIGN_IN_TYPES.includes(type)) signIns += total;
    const isGrantLogin = type === 'LOGIN' && about.startsWith(GRANT_PREFIX);
    if (isGrantLogin || TOKEN_TYPES.includes(type)) connected += total;
    if (FAILURE_TYPES.includes(type) && about !== SLOW_DOWN) failures.set(about, (failures.get(about) ?? 0) + total);
  }
  return { signIns, connected, failures: [...failures].map(([error, count]) => ({ error, count })) };
}

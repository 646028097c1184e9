import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { StatisticsStore } from '../../store/store.js';
import type { EventCounts } from './event-counts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A client that authenticates for itself has its own event type. */
const SIGNED_IN = ['LOGIN', 'CLIENT_LOGIN'];
/** Errors of a sign-in: before the login, during it, or when the app redeems its code. */
const FAILED = [
  'PUSHED_AUTHORIZATION_REQUEST_ERROR',
  'LOGIN_ERROR',
  'CLIENT_LOGIN_ERROR',
  'CODE_TO_TOKEN_ERROR',
  'OAUTH2_DEVICE_CODE_TO_TOKEN_ERROR',
];
/** Events at which the app has its tokens. Before that, it may still fail with a wrong client secret. */
const GOT_TOKENS = ['CODE_TO_TOKEN', 'OAUTH2_DEVICE_CODE_TO_TOKEN', 'CLIENT_LOGIN'];
/** The prefix of `counted` for a login at the token endpoint, such as the password grant. */
const GRANT_PREFIX = 'grant:';
/** Not a failure: the device polls too often. */
const SLOW_DOWN = 'slow_down';

/** Sign-ins to one client in the last 24 hours, whether or not the realm saves its events. */
export interface ClientSignIns {
  /** LOGIN and CLIENT_LOGIN. */
  readonly signIns: number;
  /** Sign-ins after which the app has its tokens: one proves that the app is connected. */
  readonly connected: number;
  readonly failures: readonly { readonly error: string; readonly count: number }[];
}

/**
 * The types of the events after which an app has its tokens. Undefined if the client cannot sign users in. A login at
 * the token endpoint, such as the password grant, has a `grant_type` in its details. A login at a page completes the
 * sign-in only if the client gets no codes.
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

/** @param parts.statistics the statistics of the store */
export async function clientSignIns(
  parts: { eventCounts: EventCounts; clock: Clock; statistics: StatisticsStore },
  realm: string,
  clientId: string,
): Promise<ClientSignIns> {
  await parts.eventCounts.flushed();
  const now = parts.clock.now();
  const counts = await parts.statistics.counts(realm, { from: now - DAY_MS - (now % HOUR_MS), to: now + HOUR_MS });
  const failures = new Map<string, number>();
  let signIns = 0;
  let connected = 0;
  for (const { type, about, total, clientId: of } of counts) {
    if (of !== clientId) continue;
    if (SIGNED_IN.includes(type)) signIns += total;
    const isOfGrant = type === 'LOGIN' && about.startsWith(GRANT_PREFIX);
    if (isOfGrant || GOT_TOKENS.includes(type)) connected += total;
    if (FAILED.includes(type) && about !== SLOW_DOWN) failures.set(about, (failures.get(about) ?? 0) + total);
  }
  return { signIns, connected, failures: [...failures].map(([error, count]) => ({ error, count })) };
}

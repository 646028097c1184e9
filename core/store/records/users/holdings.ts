import type { UserRepresentation } from '../../../model/representation.js';
import { all, get, lock, type Operation, run, runAll } from '../../engine/operation.js';
import type { NameChange } from '../../store.js';

/** A name that belongs to the realm and occurs in a user's representation. */
export interface HoldingRow {
  /** `client` and `clientScope`: the user has consented to it; `identity`: an account at an identity provider. */
  readonly kind: 'role' | 'group' | 'client' | 'clientScope' | 'identity';
  /** The client ID of a client role, or the alias of an identity provider; otherwise empty. */
  readonly container: string;
  readonly name: string;
}

const INSERT_HOLDING =
  'INSERT INTO user_holdings (realm, kind, container, name, user_id) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING';
const DELETE_HOLDINGS = 'DELETE FROM user_holdings WHERE realm = $1 AND user_id = $2';

export function holdingsOf({
  realmRoles,
  clientRoles,
  groups,
  clientConsents: consents = [],
  federatedIdentities: identities = [],
}: UserRepresentation): HoldingRow[] {
  const scopes = new Set(consents.flatMap(({ grantedClientScopes }) => grantedClientScopes ?? []));
  return [
    ...(realmRoles ?? []).map((name) => ({ kind: 'role' as const, container: '', name })),
    ...Object.entries(clientRoles ?? {}).flatMap(([container, names]) =>
      names.map((name) => ({ kind: 'role' as const, container, name })),
    ),
    ...(groups ?? []).map((name) => ({ kind: 'group' as const, container: '', name })),
    ...consents.map(({ clientId }) => ({ kind: 'client' as const, container: '', name: clientId })),
    ...[...scopes].map((name) => ({ kind: 'clientScope' as const, container: '', name })),
    // The driver cuts off a text at its first NUL, and maps all invalid characters to the same one: it would find
    // another user.
    ...identities
      .filter(({ identityProvider, userId }) => isStorable(identityProvider) && isStorable(userId))
      .map(({ identityProvider, userId }) => ({
        kind: 'identity' as const,
        container: identityProvider,
        name: userId,
      })),
  ];
}

export function isStorable(text: unknown): boolean {
  return typeof text === 'string' && text.isWellFormed() && !text.includes('\0');
}

/** True if another user is linked to one of these accounts at identity providers. */
export function* isIdentityTaken(
  realm: string,
  holdings: readonly HoldingRow[],
  isOwner: (userId: string) => boolean,
): Operation<boolean> {
  for (const { kind, container, name } of holdings) {
    if (kind !== 'identity') continue;
    const sql =
      "SELECT user_id FROM user_holdings WHERE realm = $1 AND kind = 'identity' AND container = $2 AND name = $3";
    const holder = yield* get<{ user_id: string }>(sql, realm, container, name);
    if (holder !== undefined && !isOwner(holder.user_id)) return true;
  }
  return false;
}

/** Replaces the names that are stored for a user. */
export function* putHoldings(realm: string, userId: string, holdings: readonly HoldingRow[]): Operation<void> {
  yield* runAll([[DELETE_HOLDINGS, realm, userId], ...holdingInserts(realm, userId, holdings)]);
}

export function holdingInserts(realm: string, userId: string, holdings: readonly HoldingRow[]) {
  return holdings.map(({ kind, container, name }) => [INSERT_HOLDING, realm, kind, container, name, userId] as const);
}

export function* removeHoldings(realm: string, userId: string): Operation<void> {
  yield* run(DELETE_HOLDINGS, realm, userId);
}

/** Applies a change of a name to every user that uses it. */
export function* renameInUsers(realm: string, change: NameChange): Operation<void> {
  for (const id of yield* findHolders(realm, change)) {
    const row = yield* lock<{ representation: string }>(
      'SELECT representation FROM users WHERE realm = $1 AND id = $2',
      realm,
      id,
    );
    if (row === undefined) continue;
    const user = JSON.parse(row.representation) as UserRepresentation;
    applyChange(user, change);
    yield* run(
      'UPDATE users SET version = version + 1, representation = $3 WHERE realm = $1 AND id = $2',
      realm,
      id,
      JSON.stringify(user),
    );
    yield* putHoldings(realm, id, holdingsOf(user));
  }
}

function* findHolders(realm: string, change: NameChange): Operation<string[]> {
  const select = 'SELECT DISTINCT user_id FROM user_holdings WHERE realm = $1';
  switch (change.what) {
    case 'role':
      return yield* userIds(
        `${select} AND kind = 'role' AND container = $2 AND name = $3`,
        realm,
        change.clientId ?? '',
        change.from,
      );
    case 'client':
      return yield* userIds(
        `${select} AND ((kind = 'role' AND container = $2) OR (kind = 'client' AND container = '' AND name = $2))`,
        realm,
        change.from,
      );
    case 'clientScope':
      return yield* userIds(`${select} AND kind = 'clientScope' AND container = '' AND name = $2`, realm, change.from);
    case 'identityProvider':
      return yield* userIds(`${select} AND kind = 'identity' AND container = $2`, realm, change.from);
    case 'group':
      // `0` is the character after `/`, so this matches everything below the path.
      return yield* userIds(
        `${select} AND kind = 'group' AND container = '' AND (name = $2 OR (name >= $3 AND name < $4))`,
        realm,
        change.from,
        `${change.from}/`,
        `${change.from}0`,
      );
  }
}

function* userIds(sql: string, ...parameters: string[]): Operation<string[]> {
  return (yield* all<{ user_id: string }>(sql, ...parameters)).map(({ user_id }) => user_id);
}

function applyChange(user: UserRepresentation, { what, from, to, ...more }: NameChange): void {
  const rename = (names: readonly string[] | undefined) => [
    ...new Set((names ?? []).flatMap((name) => (name === from ? (to === undefined ? [] : [to]) : [name]))),
  ];
  if (what === 'group') {
    user.groups = (user.groups ?? []).flatMap((path) => {
      if (path !== from && !path.startsWith(`${from}/`)) return [path];
      return to === undefined ? [] : [to + path.slice(from.length)];
    });
    return;
  }
  if (what === 'identityProvider') {
    user.federatedIdentities =
      user.federatedIdentities?.filter(({ identityProvider }) => identityProvider !== from) ?? [];
    return;
  }
  if (what === 'clientScope') {
    for (const consent of user.clientConsents ?? []) consent.grantedClientScopes = rename(consent.grantedClientScopes);
    return;
  }
  const clientId = 'clientId' in more ? more.clientId : undefined;
  if (what === 'role' && clientId === undefined) {
    user.realmRoles = rename(user.realmRoles);
    return;
  }
  const clientRoles = new Map(Object.entries(user.clientRoles ?? {}));
  if (what === 'role' && clientId !== undefined) {
    clientRoles.set(clientId, rename(clientRoles.get(clientId)));
  } else {
    const roles = clientRoles.get(from);
    clientRoles.delete(from);
    if (to !== undefined && roles !== undefined) clientRoles.set(to, roles);
    renameInConsents(user, from, to);
  }
  user.clientRoles = Object.fromEntries([...clientRoles].filter(([, names]) => names.length > 0));
}

function renameInConsents(user: UserRepresentation, from: string, to: string | undefined): void {
  if (user.clientConsents === undefined) return;
  user.clientConsents = user.clientConsents.flatMap((consent) => {
    if (consent.clientId !== from) return [consent];
    return to === undefined ? [] : [{ ...consent, clientId: to }];
  });
}

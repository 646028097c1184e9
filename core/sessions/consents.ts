import type { ConsentedScope } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { permittedScope } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import type { ConsentRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { Users } from '../users/users.js';

/** The names of the client scopes that the user has yet to agree to. */
export function missingConsents(realm: Realm, user: User, client: Client, scope: string | undefined): string[] {
  const granted = new Set(consentOf(user, client)?.grantedClientScopes ?? []);
  return shownScopes(realm, user, client, scope)
    .map(({ name }) => name)
    .filter((name) => !granted.has(name));
}

/** The scopes as the consent page shows them. */
export function consentTexts(realm: Realm, user: User, client: Client, scope: string | undefined): ConsentedScope[] {
  const inOrder = shownScopes(realm, user, client, scope).sort((a, b) => order(a.guiOrder, b.guiOrder));
  return inOrder.map(({ consentText, description = '' }) => {
    const key = /^\$\{(.+)\}$/.exec(consentText)?.[1] ?? consentText;
    // The descriptions of Keycloak's own scopes are for administrators, so show users an explanation of our own
    // instead.
    const help = /ScopeConsentText$/.test(key) ? key.replace(/Text$/, 'Help') : undefined;
    if (help !== undefined) return { key, description: { key: help, texts: { en: description } } };
    return description === '' ? { key } : { key, description: { key: description } };
  });
}

/** Compares numbers that may both be infinite. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Stores the user's consent to everything that this request asks for. */
export async function grantConsent(
  users: Users,
  clock: Clock,
  realm: Realm,
  user: User,
  client: Client,
  scope: string | undefined,
): Promise<void> {
  const before = consentOf(user, client);
  const names = shownScopes(realm, user, client, scope).map(({ name }) => name);
  const now = clock.now();
  const consent: ConsentRepresentation = {
    clientId: client.clientId,
    grantedClientScopes: [...new Set([...(before?.grantedClientScopes ?? []), ...names])],
    createdDate: before?.createdDate ?? now,
    lastUpdatedDate: now,
  };
  const others = user.consents.filter(({ clientId }) => clientId !== client.clientId);
  await users.update(realm, user, { ...user.representation, clientConsents: [...others, consent] });
}

/** Excludes client scopes that the user's roles do not permit: the user is not asked for them. */
function shownScopes(realm: Realm, user: User, client: Client, scope: string | undefined) {
  return permittedScope(realm, client, user, scope).scopes.filter(({ asksForConsent }) => asksForConsent);
}

function consentOf(user: User, client: Client): ConsentRepresentation | undefined {
  return user.consents.find(({ clientId }) => clientId === client.clientId);
}

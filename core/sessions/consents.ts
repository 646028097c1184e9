import type { ConsentedScope } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { selectPermittedScope } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import type { ConsentRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { Users } from '../users/users.js';

/** The names of the requested client scopes that the user has not yet agreed to. */
export function missingConsents(realm: Realm, user: User, client: Client, scope: string | undefined): string[] {
  const granted = new Set(consentOf(user, client)?.grantedClientScopes ?? []);
  return scopesToConfirm(realm, user, client, scope)
    .map(({ name }) => name)
    .filter((name) => !granted.has(name));
}

/** The texts for the requested scopes on the consent page, in their order. */
export function consentTexts(realm: Realm, user: User, client: Client, scope: string | undefined): ConsentedScope[] {
  const sortedScopes = scopesToConfirm(realm, user, client, scope).sort((a, b) =>
    compareNumbers(a.guiOrder, b.guiOrder),
  );
  return sortedScopes.map(({ consentText, description = '' }) => {
    const key = /^\$\{(.+)\}$/.exec(consentText)?.[1] ?? consentText;
    // The descriptions of Keycloak's own scopes are for administrators, so show users the host's explanations instead.
    const help = /ScopeConsentText$/.test(key) ? key.replace(/Text$/, 'Help') : undefined;
    if (help !== undefined) return { key, description: { key: help, texts: { en: description } } };
    return description === '' ? { key } : { key, description: { key: description } };
  });
}

/** Compares two numbers, which may be infinite. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Stores the user's consent to all scopes of this request. */
export async function grantConsent(
  users: Users,
  clock: Clock,
  realm: Realm,
  user: User,
  client: Client,
  scope: string | undefined,
): Promise<void> {
  const previous = consentOf(user, client);
  const names = scopesToConfirm(realm, user, client, scope).map(({ name }) => name);
  const now = clock.now();
  const consent: ConsentRepresentation = {
    clientId: client.clientId,
    grantedClientScopes: [...new Set([...(previous?.grantedClientScopes ?? []), ...names])],
    createdDate: previous?.createdDate ?? now,
    lastUpdatedDate: now,
  };
  const otherConsents = user.consents.filter(({ clientId }) => clientId !== client.clientId);
  await users.update(realm, user, { ...user.representation, clientConsents: [...otherConsents, consent] });
}

/** The requested scopes that require consent. Scopes that the user's roles do not permit are excluded. */
function scopesToConfirm(realm: Realm, user: User, client: Client, scope: string | undefined) {
  return selectPermittedScope(realm, client, user, scope).scopes.filter(({ asksForConsent }) => asksForConsent);
}

function consentOf(user: User, client: Client): ConsentRepresentation | undefined {
  return user.consents.find(({ clientId }) => clientId === client.clientId);
}

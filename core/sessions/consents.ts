import type { ConsentedScope } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { permittedScope } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import type { ConsentRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { Users } from '../users/users.js';

/** The names of the client scopes that the user must still agree to. */
export function missingConsents(realm: Realm, user: User, client: Client, scope: string | undefined): string[] {
  const granted = new Set(consentOf(user, client)?.grantedClientScopes ?? []);
  return shownScopes(realm, user, client, scope)
    .map(({ name }) => name)
    .filter((name) => !granted.has(name));
}

/** What the consent page says of them. */
export function consentTexts(realm: Realm, user: User, client: Client, scope: string | undefined): ConsentedScope[] {
  const inOrder = shownScopes(realm, user, client, scope).sort((a, b) => order(a.guiOrder, b.guiOrder));
  return inOrder.map(({ consentText, description = '' }) => {
    const key = /^\$\{(.+)\}$/.exec(consentText)?.[1] ?? consentText;
    // Keycloak's own scopes describe themselves to administrators alone: what they mean for people is told beside their names.
    const help = /ScopeConsentText$/.test(key) ? key.replace(/Text$/, 'Help') : undefined;
    if (help !== undefined) return { key, description: { key: help, texts: { en: description } } };
    return description === '' ? { key } : { key, description: { key: description } };
  });
}

/** Both may be infinite. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Remembers that the user agreed to everything that this request asks for. */
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

/** The user is not asked for client scopes that the user's roles do not permit. */
function shownScopes(realm: Realm, user: User, client: Client, scope: string | undefined) {
  return permittedScope(realm, client, user, scope).scopes.filter(({ asksForConsent }) => asksForConsent);
}

function consentOf(user: User, client: Client): ConsentRepresentation | undefined {
  return user.consents.find(({ clientId }) => clientId === client.clientId);
}

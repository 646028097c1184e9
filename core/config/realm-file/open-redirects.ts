import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** The clients of a realm that take their users' logins to any address, as one can say in Keycloak: by `*` alone. */
export function openRedirects({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap(({ clientId, redirectUris = [] }, index) => {
    const at = redirectUris.indexOf('*');
    const message = `client ${clientId} accepts every redirect URI: an attacker can send its users a link and sign in as them`;
    return at < 0 ? [] : [{ path: ['clients', index, 'redirectUris', at], message }];
  });
}

/** Sentences about those that a change of a realm has added. @param before undefined for a new realm */
export function newOpenRedirects(before: RealmRepresentation | undefined, after: RealmRepresentation): string[] {
  const known = new Set(before === undefined ? [] : openRedirects(before).map(({ message }) => message));
  return openRedirects(after).flatMap(({ message }) => (known.has(message) ? [] : [message]));
}

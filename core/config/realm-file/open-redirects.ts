import { isOpenPattern, redirectHint } from '../../model/redirect-pattern.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { addedSentences } from '../added-sentences.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** Finds clients that accept every redirect URI, by a pattern such as `*`. */
export function openRedirectUris({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap(({ clientId, redirectUris = [] }, index) => {
    const openIndex = redirectUris.findIndex(isOpenPattern);
    const message = `client ${clientId} accepts every redirect URI: an attacker can send its users a link and sign in as them`;
    return openIndex < 0 ? [] : [{ path: ['clients', index, 'redirectUris', openIndex], message }];
  });
}

/** Finds redirect URIs that are valid but match fewer addresses than their author may expect. */
export function unusableRedirectUris({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap(({ redirectUris = [] }, client) =>
    redirectUris.flatMap((uri, index) => {
      const message = redirectHint(uri);
      return message === undefined ? [] : [{ path: ['clients', client, 'redirectUris', index], message }];
    }),
  );
}

/** Sentences about the open redirects that a change of a realm added. @param before undefined for a new realm */
export function newOpenRedirects(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
): readonly string[] {
  return addedSentences(before, after, (realm) => openRedirectUris(realm).map(({ message }) => message));
}

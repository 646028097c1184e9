import type { RealmRepresentation } from '../../core/model/representation.js';

/**
 * An export of Keycloak as both hosts have it after an import. A claim of ID tokens is in userinfo, too, unless the
 * file sets that.
 */
export function asImported(exported: RealmRepresentation): RealmRepresentation {
  const realm = structuredClone(exported);
  for (const { protocolMappers = [] } of [...(realm.clients ?? []), ...(realm.clientScopes ?? [])]) {
    for (const { config = {} } of protocolMappers) {
      const told = config['id.token.claim'];
      if (told !== undefined) config['userinfo.token.claim'] ??= told;
    }
  }
  return realm;
}

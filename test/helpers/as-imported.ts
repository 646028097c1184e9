import type { RealmRepresentation } from '../../core/model/representation.js';

/**
 * An export of Keycloak as an import has it, there and here: what a mapper's ID tokens say, userinfo says too, where the file does
 * not say otherwise.
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

import { isOfTokens } from '../../model/client-scope.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** Its mapper adds `sub`, which the scope `basic` has. */
const SUBJECT = 'oidc-sub-mapper';

const MESSAGE =
  'a client that names only optional client scopes has no default ones: its access tokens have no "sub" (add "defaultClientScopes")';

/** Clients whose tokens lack what their authors take for granted, since naming scopes of one kind leaves none of the other. */
export function scopeHints({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap((client, index) => {
    const { defaultClientScopes, optionalClientScopes, protocolMappers = [], bearerOnly, protocol } = client;
    if (optionalClientScopes === undefined || defaultClientScopes !== undefined) return [];
    if (bearerOnly === true || (protocol ?? 'openid-connect') !== 'openid-connect') return [];
    if (protocolMappers.some((mapper) => mapper.protocolMapper === SUBJECT && isOfTokens(mapper))) return [];
    return [{ path: ['clients', index, 'optionalClientScopes'], message: MESSAGE }];
  });
}

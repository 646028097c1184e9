import { appliesToTokens } from '../../model/client-scope.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** The mapper that adds `sub`. The scope `basic` has it. */
const SUBJECT_MAPPER = 'oidc-sub-mapper';

const MESSAGE =
  'a client that names only optional client scopes has no default ones: its access tokens have no "sub" (add "defaultClientScopes")';

/**
 * Finds clients whose access tokens have no `sub`, since a client that lists only optional client scopes has no default
 * ones.
 */
export function scopeHints({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap((client, index) => {
    const { defaultClientScopes, optionalClientScopes, protocolMappers = [], bearerOnly, protocol } = client;
    if (optionalClientScopes === undefined || defaultClientScopes !== undefined) return [];
    if (bearerOnly === true || (protocol ?? 'openid-connect') !== 'openid-connect') return [];
    if (protocolMappers.some((mapper) => mapper.protocolMapper === SUBJECT_MAPPER && appliesToTokens(mapper)))
      return [];
    return [{ path: ['clients', index, 'optionalClientScopes'], message: MESSAGE }];
  });
}

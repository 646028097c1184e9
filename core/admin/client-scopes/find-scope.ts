import type { ClientScopeRepresentation, RealmRepresentation } from '../../model/representation.js';
import { AdminError, notFoundError } from '../admin.js';

export const SCOPE_LIST = {
  status: 200,
  body: { type: 'array', items: { $ref: 'ClientScopeRepresentation' } },
} as const;

/**
 * Finds a client scope.
 * @param message Keycloak's message, which depends on the path
 * @throws AdminError 404
 */
export function requireScope(
  { clientScopes }: RealmRepresentation,
  id: string | undefined,
  message = 'Could not find client scope',
): ClientScopeRepresentation {
  const scope = clientScopes?.find((candidate) => candidate.id === id);
  if (scope === undefined) throw notFoundError(message);
  return scope;
}

/** The ID, name and protocol of each of these scopes. Names that do not exist are ignored. */
export function scopeSummaries({ clientScopes = [] }: RealmRepresentation, names: readonly string[]): object[] {
  const byName = new Map(clientScopes.map((scope) => [scope.name, scope]));
  return names.flatMap((name) => {
    const scope = byName.get(name);
    return scope === undefined ? [] : [{ id: scope.id, name, protocol: scope.protocol ?? 'openid-connect' }];
  });
}

/**
 * Rejects a dynamic scope as a default scope, because it needs a value from the request.
 * @throws AdminError 400
 */
export function refuseDynamicScope({ attributes }: ClientScopeRepresentation, holder: 'Client' | 'Realm'): void {
  if (attributes?.['is.dynamic.scope'] !== 'true') return;
  throw new AdminError(400, {
    error: 'invalid_request',
    error_description: `Can't assign a Dynamic Scope to a ${holder} as a Default Scope`,
  });
}

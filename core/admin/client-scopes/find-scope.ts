import type { ClientScopeRepresentation, RealmRepresentation } from '../../model/representation.js';
import { AdminError, notFound } from '../admin.js';

export const SCOPE_LIST = {
  status: 200,
  body: { type: 'array', items: { $ref: 'ClientScopeRepresentation' } },
} as const;

/** @param words Keycloak's message, which depends on the path @throws AdminError 404 */
export function scopeWithId(
  { clientScopes }: RealmRepresentation,
  id: string | undefined,
  words = 'Could not find client scope',
): ClientScopeRepresentation {
  const scope = clientScopes?.find((candidate) => candidate.id === id);
  if (scope === undefined) throw notFound(words);
  return scope;
}

/** The ID, name and protocol of each named scope. */
export function listedScopes({ clientScopes = [] }: RealmRepresentation, names: readonly string[]): object[] {
  const byName = new Map(clientScopes.map((scope) => [scope.name, scope]));
  return names.flatMap((name) => {
    const scope = byName.get(name);
    return scope === undefined ? [] : [{ id: scope.id, name, protocol: scope.protocol ?? 'openid-connect' }];
  });
}

/**
 * A dynamic scope needs a value from the request, so it cannot be a default scope.
 * @throws AdminError 400
 */
export function requireStatic({ attributes }: ClientScopeRepresentation, holder: 'Client' | 'Realm'): void {
  if (attributes?.['is.dynamic.scope'] !== 'true') return;
  throw new AdminError(400, {
    error: 'invalid_request',
    error_description: `Can't assign a Dynamic Scope to a ${holder} as a Default Scope`,
  });
}

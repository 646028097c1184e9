import { defaultRoleName } from '../../model/default-role-name.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { type Admin, badRequest, forbidden } from '../admin.js';
import { graphOf, type RoleWithClient } from './role-with-client.js';

/**
 * Requires the caller to hold the administration rights that roles carry.
 * @throws AdminError 403
 */
export function requireCoversRoles(admin: Admin, draft: RealmRepresentation, roles: readonly RoleWithClient[]): void {
  const graph = graphOf(draft);
  const realm = { name: draft.realm };
  if (!admin.covers(realm, roles.flatMap(graph))) throw forbidden();
}

/** The default role cannot be renamed or removed. @throws AdminError 400 */
export function requireFreeName(
  draft: RealmRepresentation,
  { clientId, role: { name } }: RoleWithClient,
  done: string,
) {
  if (clientId === undefined && name === defaultRoleName(draft)) {
    throw badRequest(`${name} is default role of the realm and cannot be ${done}.`);
  }
}

import { defaultRoleName } from '../../model/default-role-name.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { type Admin, badRequest, forbiddenError } from '../admin.js';
import { createRoleLookup, type RoleWithClient } from './role-with-client.js';

/**
 * Requires that the caller has the administration rights of these roles, composites included.
 * @throws AdminError 403
 */
export function requireRightsOfRoles(admin: Admin, draft: RealmRepresentation, roles: readonly RoleWithClient[]): void {
  const findRoles = createRoleLookup(draft);
  const realm = { name: draft.realm };
  if (!admin.covers(realm, roles.flatMap(findRoles))) throw forbiddenError();
}

/**
 * Rejects a change of the default role, which cannot be renamed or removed.
 * @param participle describes the rejected change in the message, such as `removed`
 * @throws AdminError 400
 */
export function requireNotDefaultRole(
  draft: RealmRepresentation,
  { clientId, role: { name } }: RoleWithClient,
  participle: string,
) {
  if (clientId === undefined && name === defaultRoleName(draft)) {
    throw badRequest(`${name} is default role of the realm and cannot be ${participle}.`);
  }
}

import { groupName } from '../../model/group-path.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { ClientChange, Updater } from '../../realms/client-policies/happenings.js';
import { compilePolicies } from '../../realms/client-policies/policies.js';
import type { AdminCall } from '../operation.js';

/** A client that was just made or changed in a draft of its realm. */
interface Changed {
  /** In the draft. */
  readonly client: ClientRepresentation;
  /** A copy of it as it was. Absent for a new one. */
  readonly before?: ClientRepresentation;
  readonly sent: ClientChange['sent'];
  readonly updater: Updater;
  readonly keepRegistrationToken?: () => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Has the realm's client policies put the client right, and judge it.
 * @throws OAuthError 400, in Keycloak's words
 */
export function judgeClient(draft: RealmRepresentation, changed: Changed): void {
  compilePolicies(draft)?.change({
    ...changed,
    event: changed.before === undefined ? 'REGISTER' : 'UPDATE',
    realm: draft,
  });
}

/** Has the realm's client policies say what becomes of the secret that the client had before. */
export function keepSecretBefore(draft: RealmRepresentation, changed: Omit<Changed, 'sent'>): void {
  compilePolicies(draft)?.renewed({ ...changed, sent: {}, event: 'UPDATE', realm: draft });
}

/** An admin, an application that acts as one, or a plugin. */
export function updaterOf({ admin: { assigned }, caller: { ip } }: Pick<AdminCall, 'admin' | 'caller'>): Updater {
  const { realmRoles = [], clientRoles = {}, groups = [] } = assigned;
  return {
    context: 'ByAuthenticatedUser',
    roles: [...realmRoles, ...Object.values(clientRoles).flat()],
    groups: groups.map(groupName),
    ip,
  };
}

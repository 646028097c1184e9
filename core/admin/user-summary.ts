import type { UserRepresentation } from '../model/representation.js';

const BRIEF = ['id', 'username', 'firstName', 'lastName', 'email', 'emailVerified', 'enabled', 'createdTimestamp'];
const FULL = [...BRIEF, 'attributes', 'requiredActions', 'serviceAccountClientId', 'notBefore'];

/** A user beside something else: without credentials, roles and groups. `brief` leaves out the attributes too. */
export function userSummary(user: UserRepresentation, brief = false): object {
  return Object.fromEntries(
    (brief ? BRIEF : FULL).flatMap((key) => (user[key] === undefined ? [] : [[key, user[key]]])),
  );
}

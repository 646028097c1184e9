import type { RealmRepresentation } from '../../model/representation.js';

/** What needs each address to be one user's. */
const NEED_ONE_OWNER = ['loginWithEmailAllowed', 'registrationEmailAsUsername'] as const;

/**
 * Settles what cannot be on together, as Keycloak does: `duplicateEmailsAllowed`, if it is set to true, turns off what needs one
 * owner of an address; otherwise each of these turns it off.
 * @param realm changed in place
 * @param said what was set just now
 * @returns the settings that were set to true, and are off
 */
export function exclusiveEmails(
  realm: RealmRepresentation,
  said: Readonly<Record<string, unknown>>,
): readonly (typeof NEED_ONE_OWNER)[number][] {
  if (said.duplicateEmailsAllowed !== true) {
    if (NEED_ONE_OWNER.some((name) => said[name] === true)) realm.duplicateEmailsAllowed = false;
    return [];
  }
  const off = NEED_ONE_OWNER.filter((name) => said[name] === true);
  for (const name of NEED_ONE_OWNER) realm[name] = false;
  return off;
}

import type { RealmRepresentation } from '../../model/representation.js';

/** Settings that require an email address to belong to one user. */
const NEED_ONE_OWNER = ['loginWithEmailAllowed', 'registrationEmailAsUsername'] as const;

/**
 * Resolves settings that cannot be on together, as Keycloak does. If `duplicateEmailsAllowed` is set to true, it
 * disables those that need one owner of an address. Otherwise each of these disables it.
 * @param realm changed in place
 * @param changes the members that were just set
 * @returns the settings that were set to true and are now off
 */
export function resolveEmailSettings(
  realm: RealmRepresentation,
  changes: Readonly<Record<string, unknown>>,
): readonly (typeof NEED_ONE_OWNER)[number][] {
  if (changes.duplicateEmailsAllowed !== true) {
    if (NEED_ONE_OWNER.some((name) => changes[name] === true)) realm.duplicateEmailsAllowed = false;
    return [];
  }
  const enabledSettings = NEED_ONE_OWNER.filter((name) => changes[name] === true);
  for (const name of NEED_ONE_OWNER) realm[name] = false;
  return enabledSettings;
}

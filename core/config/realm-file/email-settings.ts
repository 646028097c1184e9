import type { RealmRepresentation } from '../../model/representation.js';

/** Settings that require every email address to belong to a single user. */
const SETTINGS_OF_UNIQUE_EMAILS = ['loginWithEmailAllowed', 'registrationEmailAsUsername'] as const;

/**
 * Resolves settings that exclude each other, as Keycloak does. If `duplicateEmailsAllowed` was set to true, the
 * settings that require unique email addresses become false. Otherwise, if one of these was set to true,
 * `duplicateEmailsAllowed` becomes false.
 * @param realm changed in place
 * @param changes the members that were just set
 * @returns the settings that were true in `changes` and became false
 */
export function resolveEmailSettings(
  realm: RealmRepresentation,
  changes: Readonly<Record<string, unknown>>,
): readonly (typeof SETTINGS_OF_UNIQUE_EMAILS)[number][] {
  if (changes.duplicateEmailsAllowed !== true) {
    if (SETTINGS_OF_UNIQUE_EMAILS.some((name) => changes[name] === true)) realm.duplicateEmailsAllowed = false;
    return [];
  }
  const enabledSettings = SETTINGS_OF_UNIQUE_EMAILS.filter((name) => changes[name] === true);
  for (const name of SETTINGS_OF_UNIQUE_EMAILS) realm[name] = false;
  return enabledSettings;
}

import type { RequiredActionRepresentation } from '../../model/representation.js';

/** Keycloak's required actions in their order: alias, name, and whether it is enabled. */
const ACTIONS: readonly (readonly [string, string, boolean])[] = [
  ['CONFIGURE_TOTP', 'Configure OTP', true],
  ['TERMS_AND_CONDITIONS', 'Terms and Conditions', false],
  ['UPDATE_PASSWORD', 'Update Password', true],
  ['UPDATE_PROFILE', 'Update Profile', true],
  ['VERIFY_EMAIL', 'Verify Email', true],
  ['delete_account', 'Delete Account', false],
  ['UPDATE_EMAIL', 'Update Email', false],
  ['webauthn-register', 'Webauthn Register', true],
  ['webauthn-register-passwordless', 'Webauthn Register Passwordless', true],
  // In Keycloak it is on. Here only realms that say so ask users for what their profile leaves out.
  ['VERIFY_PROFILE', 'Verify Profile', false],
  ['delete_credential', 'Delete Credential', true],
  ['idp_link', 'Linking Identity Provider', true],
  ['CONFIGURE_RECOVERY_AUTHN_CODES', 'Recovery Authentication Codes', true],
  ['update_user_locale', 'Update User Locale', true],
];

/** Keycloak's required actions, for a realm whose `requiredActions` are silent. */
export const BUILT_IN_REQUIRED_ACTIONS: readonly RequiredActionRepresentation[] = ACTIONS.map(
  ([alias, name, enabled], index) => ({
    alias,
    name,
    providerId: alias,
    enabled,
    defaultAction: false,
    priority: alias === 'update_user_locale' ? 1000 : (index + 1) * 10,
    config: {},
  }),
);

import type { RequiredActionRepresentation } from '../../model/representation.js';

/** Keycloak's required actions in their order: alias, name, priority, and whether it is enabled. */
const ACTIONS: readonly (readonly [alias: string, name: string, priority: number, enabled: boolean])[] = [
  ['TERMS_AND_CONDITIONS', 'Terms and Conditions', 20, false],
  ['UPDATE_PROFILE', 'Update Profile', 40, true],
  ['VERIFY_EMAIL', 'Verify Email', 50, true],
  ['CONFIGURE_TOTP', 'Configure OTP', 54, true],
  ['UPDATE_PASSWORD', 'Update Password', 57, true],
  ['delete_account', 'Delete Account', 60, false],
  ['UPDATE_EMAIL', 'Update Email', 70, false],
  ['webauthn-register', 'Webauthn Register', 80, true],
  ['webauthn-register-passwordless', 'Webauthn Register Passwordless', 90, true],
  // Enabled in Keycloak. Here only realms that enable it ask users for missing attributes.
  ['VERIFY_PROFILE', 'Verify Profile', 100, false],
  ['delete_credential', 'Delete Credential', 110, true],
  ['idp_link', 'Linking Identity Provider', 120, true],
  ['CONFIGURE_RECOVERY_AUTHN_CODES', 'Recovery Authentication Codes', 130, true],
  ['update_user_locale', 'Update User Locale', 1000, true],
];

/** Keycloak's required actions, for a realm that does not declare `requiredActions`. */
export const BUILT_IN_REQUIRED_ACTIONS: readonly RequiredActionRepresentation[] = ACTIONS.map(
  ([alias, name, priority, enabled]) => ({
    alias,
    name,
    providerId: alias,
    enabled,
    defaultAction: false,
    priority,
    config: {},
  }),
);

/** The profiles that are built into Keycloak (26.7). Each requires something that Keyhost does not support. */
export const GLOBAL_PROFILES: readonly string[] = [
  'fapi-1-baseline',
  'fapi-1-advanced',
  'fapi-ciba',
  'fapi-2-security-profile',
  'fapi-2-message-signing',
  'fapi-2-dpop-security-profile',
  'fapi-2-dpop-message-signing',
  'oauth-2-1-for-confidential-client',
  'oauth-2-1-for-public-client',
  'saml-security-profile',
];

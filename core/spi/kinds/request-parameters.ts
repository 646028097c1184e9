/**
 * What clients ask with where they must say who they are: at the token endpoint, for introspection, revocation, pushed requests and
 * devices. Of OAuth 2.0 (RFC 6749, 7009, 7521, 7636, 7662, 8628, 8693, 9126), OpenID Connect, and Keycloak.
 */
export const REQUEST_PARAMETERS: ReadonlySet<string> = new Set([
  ...['client_id', 'grant_type', 'scope', 'audience', 'resource', 'authorization_details'],
  ...['code', 'code_verifier', 'device_code', 'user_code', 'refresh_token', 'assertion'],
  // What steps of a direct grant read.
  ...['username', 'password', 'totp', 'otp'],
  ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type'],
  ...['requested_subject', 'requested_issuer', 'subject_issuer'],
  ...['token', 'token_type_hint'],
  // Of authorization requests.
  ...['response_type', 'response_mode', 'redirect_uri', 'state', 'nonce', 'code_challenge', 'code_challenge_method'],
  ...['prompt', 'max_age', 'acr_values', 'claims', 'claims_locales', 'display', 'id_token_hint', 'login_hint'],
  ...['ui_locales', 'request', 'request_uri', 'registration', 'kc_action', 'kc_idp_hint'],
]);

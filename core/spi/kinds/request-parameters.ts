/**
 * The parameters of requests with client authentication: token, introspection, revocation, pushed authorization and
 * device endpoints. They are those of OAuth 2.0 (RFC 6749, 7009, 7521, 7636, 7662, 8628, 8693, 9126), OpenID Connect,
 * and Keycloak.
 */
export const REQUEST_PARAMETERS: ReadonlySet<string> = new Set([
  ...['client_id', 'grant_type', 'scope', 'audience', 'resource', 'authorization_details'],
  ...['code', 'code_verifier', 'device_code', 'user_code', 'refresh_token', 'assertion'],
  // Steps of a direct grant read these.
  ...['username', 'password', 'totp', 'otp'],
  ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type'],
  ...['requested_subject', 'requested_issuer', 'subject_issuer'],
  ...['token', 'token_type_hint'],
  // Authorization requests, which can be pushed.
  ...['response_type', 'response_mode', 'redirect_uri', 'state', 'nonce', 'code_challenge', 'code_challenge_method'],
  ...['prompt', 'max_age', 'acr_values', 'claims', 'claims_locales', 'display', 'id_token_hint', 'login_hint'],
  ...['ui_locales', 'request', 'request_uri', 'registration', 'kc_action', 'kc_idp_hint'],
]);

const OAUTH2 = 'RFC 6749';
const DEVICE = 'RFC 8628';
const OIDC = 'OpenID Connect Core';
const REGISTRATION = 'RFC 7591';
const KEYCLOAK = 'Keycloak';

/**
 * The meaning of each error of the OAuth endpoints, and the specification that defines it. `npm run reference` fails
 * for a code that is thrown and not explained here, and for a code here that is no longer thrown.
 */
export const OAUTH_MEANINGS: Readonly<Record<string, readonly [meaning: string, definedIn: string]>> = {
  access_denied: [
    'The user or Keyhost denied the request. 403 for a client, a role or a realm without the right.',
    OAUTH2,
  ],
  authorization_pending: ['The user has not yet confirmed the device. Ask again after the interval.', DEVICE],
  expired_token: ['The device code has expired.', DEVICE],
  insufficient_scope: ['The access token lacks a scope or a right. 403.', 'RFC 6750'],
  insufficient_user_authentication: ['The account page requires a more recent authentication. 401.', 'RFC 9470'],
  interaction_required: ['`prompt=none` was sent, and the user must act first.', OIDC],
  invalid_client: ['The client is unknown, disabled or not authenticated. 401 if its credentials failed.', OAUTH2],
  invalid_client_metadata: ['A member of a client registration is invalid.', REGISTRATION],
  invalid_grant: ['The code, refresh token, password or session is invalid or expired.', OAUTH2],
  invalid_redirect_uri: ['A redirect URI of a client registration is invalid.', REGISTRATION],
  invalid_registration: ['A client policy refuses the settings of a client.', KEYCLOAK],
  invalid_request: [
    'A parameter is missing, repeated or invalid. 413 for a body that is too large, 415 for its content type, 403 without HTTPS.',
    OAUTH2,
  ],
  invalid_request_object: ['A parameter stands beside the `request_uri` that the pushed request does not have.', OIDC],
  invalid_scope: ['A scope is unknown, or the client may not request it.', OAUTH2],
  invalid_token: ['The access token is invalid or expired. 401.', 'RFC 6750'],
  login_required: ['`prompt=none` was sent, and the user is not signed in.', OIDC],
  not_allowed: ['The client or the user may not have offline tokens.', KEYCLOAK],
  registration_not_supported: ['The parameter `registration` is not supported.', OIDC],
  request_not_supported: ['Request objects are not supported.', OIDC],
  request_uri_not_supported: ['`request_uri` is supported for pushed authorization requests only.', OIDC],
  slow_down: ['The device asks more often than the interval allows.', DEVICE],
  too_many_requests: ['The client sends too many requests. 429 with `Retry-After`.', 'Keyhost'],
  unauthorized_client: [
    'The client may not use this grant type, or its secret is wrong. 401 for a wrong secret.',
    OAUTH2,
  ],
  unmet_authentication_requirements: ['The requested authentication level cannot be reached.', 'OpenID Connect'],
  unsupported_grant_type: ['The grant type is unknown or disabled in the realm.', OAUTH2],
  unsupported_response_type: ['The response type is not `code` or `none`.', OAUTH2],
  unsupported_token_type: ['The revocation endpoint does not know this type of token.', 'RFC 7009'],
};

interface Moment {
  readonly when: string;
  readonly details?: readonly string[];
}

/** Groups of details that are written together, by their name in the table. */
export const DETAIL_GROUPS: Readonly<Record<string, readonly string[]>> = {
  tokens: ['grant_type', 'client_auth_method', 'token_id', 'scope', 'refresh_token_id', 'refresh_token_type'],
  login: ['auth_method', 'redirect_uri', 'response_type', 'identity_provider', 'identity_provider_identity'],
  email: ['username', 'email', 'token_id'],
  link: ['action', 'token_id', 'username'],
};

const TOKENS = ['*tokens*'];
const LOGIN = ['*login*'];
const ACTION = ['*login*', 'custom_required_action'];
const MAIL = ['*email*'];
const LINK = ['*link*'];

/**
 * The moment and the details of each event. `npm run reference` fails on a type that the code writes and this table
 * lacks.
 */
export const EVENT_MOMENTS: Readonly<Record<string, Moment>> = {
  CLIENT_DELETE: { when: 'a client is deleted at the client registration endpoint' },
  CLIENT_INFO: { when: 'a client is read at the client registration endpoint' },
  CLIENT_LOGIN: { when: 'a client gets tokens for its service account', details: [...TOKENS, 'username'] },
  CLIENT_REGISTER: { when: 'a client is created at the client registration endpoint' },
  CLIENT_UPDATE: { when: 'a client is changed at the client registration endpoint' },
  CODE_TO_TOKEN: { when: 'a client exchanges an authorization code for tokens', details: [...TOKENS, 'code_id'] },
  CUSTOM_REQUIRED_ACTION: {
    when: 'a user completes a required action that has no specific event type, or cancels an action that an app asked for (`rejected_by_user`)',
    details: ACTION,
  },
  DELETE_ACCOUNT: { when: 'a user deletes their account', details: [...ACTION, 'username'] },
  EXECUTE_ACTIONS: {
    when: 'an admin sends a user an email with required actions, or the user opens its link',
    details: [...MAIL, ...LINK],
  },
  EXECUTE_ACTION_TOKEN: {
    when: 'a user opens an action token whose handler has no specific event type',
    details: LINK,
  },
  FEDERATED_IDENTITY_LINK: { when: 'a user links an account of an identity provider', details: ACTION },
  FEDERATED_IDENTITY_OVERRIDE_LINK: {
    when: 'a user replaces the linked account of an identity provider by another one',
    details: [...ACTION, 'previous_identity_provider_identity'],
  },
  IDENTITY_PROVIDER_FIRST_LOGIN: {
    when: 'a step of the first login of an identity provider fails',
    details: [...LOGIN, 'existing_email', 'existing_username'],
  },
  IDENTITY_PROVIDER_LINK_ACCOUNT: {
    when: 'a user confirms by email that an account of an identity provider is theirs',
    details: LINK,
  },
  IDENTITY_PROVIDER_LOGIN: { when: 'a login at an identity provider fails', details: ['identity_provider'] },
  IDENTITY_PROVIDER_POST_LOGIN: { when: 'a step after a login of an identity provider fails', details: LOGIN },
  IDENTITY_PROVIDER_RETRIEVE_TOKEN: {
    when: 'an application reads a stored token of an identity provider',
    details: ['identity_provider'],
  },
  IMPERSONATE: { when: 'an admin signs in as a user', details: ['impersonator', 'impersonator_realm'] },
  INTROSPECT_TOKEN: { when: 'a client introspects a token' },
  LOGIN: {
    when: 'a user signs in, in a browser or with the password grant',
    details: [...LOGIN, ...TOKENS, 'username', 'credential_type'],
  },
  LOGOUT: {
    when: 'a user session ends: by the user, the account page, a refresh token or an identity provider',
    details: ['redirect_uri', 'identity_provider'],
  },
  OAUTH2_DEVICE_AUTH: { when: 'a device requests a code', details: ['scope'] },
  OAUTH2_DEVICE_CODE_TO_TOKEN: { when: 'a device exchanges its code for tokens', details: TOKENS },
  OAUTH2_DEVICE_VERIFY_USER_CODE: { when: 'a user enters the code of a device', details: ['scope'] },
  PUSHED_AUTHORIZATION_REQUEST: { when: 'a client pushes an authorization request' },
  REFRESH_TOKEN: {
    when: 'a client refreshes its tokens',
    details: [...TOKENS, 'updated_refresh_token_id', 'refresh_token_sub'],
  },
  REGISTER: {
    when: 'a user registers, or a first login of an identity provider creates a user',
    details: ['username', 'email', 'register_method', 'auth_method', 'identity_provider', 'identity_provider_identity'],
  },
  REMOVE_CREDENTIAL: {
    when: 'a user deletes a credential, or the link to reset a password removes an authenticator app',
    details: ['credential_type', 'credential_user_label', 'credential_id'],
  },
  REMOVE_FEDERATED_IDENTITY: {
    when: 'a user unlinks an account of an identity provider',
    details: ['identity_provider', 'identity_provider_identity'],
  },
  REMOVE_TOTP: {
    when: 'a user deletes a one-time password',
    details: ['credential_type', 'credential_user_label', 'credential_id'],
  },
  RESET_PASSWORD: {
    when: 'a user opens the link to reset a password, or requesting the email fails',
    details: LINK,
  },
  REVOKE_GRANT: { when: 'a client revokes a token, or a user revokes the access of an application' },
  SEND_IDENTITY_PROVIDER_LINK: {
    when: 'Keyhost sends the email that confirms an account of an identity provider',
    details: MAIL,
  },
  SEND_RESET_PASSWORD: { when: 'Keyhost sends the email to reset a password', details: MAIL },
  SEND_VERIFY_EMAIL: { when: 'Keyhost sends an email that verifies an email address', details: MAIL },
  TOKEN_EXCHANGE: {
    when: 'a client exchanges a token, or gets a token for a user',
    details: [
      ...TOKENS,
      'audience',
      'requested_token_type',
      'subject_token_client_id',
      'requested_subject',
      'impersonator',
      'username',
    ],
  },
  UPDATE_CREDENTIAL: {
    when: 'a user adds a passkey, recovery codes, or a credential of a plugin',
    details: [
      ...ACTION,
      'credential_type',
      'credential_id',
      'credential_user_label',
      'public_key_credential_id',
      'public_key_credential_aaguid',
    ],
  },
  UPDATE_EMAIL: {
    when: 'a user changes their email address',
    details: [...ACTION, 'previous_email', 'updated_email', 'updated_locale'],
  },
  UPDATE_PASSWORD: { when: 'a user changes their password', details: ACTION },
  UPDATE_PROFILE: { when: 'a user changes their profile', details: [...ACTION, 'previous_email', 'updated_email'] },
  UPDATE_TOTP: { when: 'a user sets up a one-time password', details: ACTION },
  USER_DISABLED_BY_PERMANENT_LOCKOUT: {
    when: 'failed login attempts disable a user until an admin enables the user',
    details: ['reason', 'num_failures'],
  },
  USER_DISABLED_BY_TEMPORARY_LOCKOUT: {
    when: 'failed login attempts lock a user for a time',
    details: ['reason', 'num_failures', 'not_before'],
  },
  USER_INFO_REQUEST: { when: 'a client calls the userinfo endpoint' },
  VERIFY_EMAIL: { when: 'a user verifies their email address', details: [...ACTION, ...LINK] },
  VERIFY_PROFILE: { when: 'a user completes a profile that lacked required attributes', details: ACTION },
};

/** The meaning of each detail. */
export const EVENT_DETAILS: Readonly<Record<string, string>> = {
  action: 'type of the action token',
  audience: 'client IDs in `aud` of the new token',
  auth_method: '`openid-connect`, or `oauth_credentials` for the password grant',
  client_auth_method: 'how the client authenticated',
  client_policy_error: 'error of the client policy that refused the request',
  client_policy_error_detail: 'its description',
  code_id: 'ID of the user session that the code belongs to',
  credential_type:
    '`password`, `otp`, `webauthn`, `webauthn-passwordless` or `recovery-authn-codes`; of a failed login, the credential that was refused, unless it is the password',
  credential_id: 'ID of the credential',
  credential_user_label: 'name that the user gave the credential',
  custom_required_action: 'alias of the required action',
  email: 'email address of the user, or the address that the email goes to',
  grant_type: 'grant type of the request',
  identity_provider: 'alias of the identity provider',
  identity_provider_identity: 'name of the account at the identity provider',
  existing_email: 'email address of the account, which a user of the realm has',
  existing_username: 'username of the account, which a user of the realm has',
  impersonator: 'admin, or client, that acts as the user',
  impersonator_realm: 'realm of that admin',
  num_failures: 'failed login attempts since the last successful one',
  not_before: 'time when the lock ends, in UTC',
  previous_email: 'email address before the change',
  public_key_credential_aaguid: 'model of the authenticator',
  previous_identity_provider_identity: 'name of the account that was linked before',
  public_key_credential_id: 'ID of the passkey',
  reason: 'why it failed, in English',
  redirect_uri: 'redirect URI of the request',
  refresh_token_id: 'ID (`jti`) of the refresh token',
  refresh_token_sub: 'user in the refresh token',
  refresh_token_type: '`Refresh` or `Offline`',
  register_method: '`form`, or `broker` for an identity provider',
  requested_subject: 'user that the client requested a token for',
  requested_token_type: 'type of the requested token',
  response_type: 'response type of the request',
  scope: 'scopes of the token or of the request',
  subject_token_client_id: 'client that the exchanged token was issued to',
  token_id: 'ID of the access token, or of the action token that led here',
  updated_email: 'email address after the change',
  updated_locale: 'language that the user chose',
  updated_refresh_token_id: 'ID of the new refresh token',
  username: 'username',
};

import type { UserEventSentences } from './user-sentence.ts';

const CREDENTIALS: Readonly<Record<string, string>> = {
  password: 'the password',
  otp: 'an authenticator app',
  webauthn: 'a passkey as second factor',
  'webauthn-passwordless': 'a passkey',
  'recovery-authn-codes': 'recovery codes',
};

/** One sentence for the success and one for the failure of each event type, before the reason of the failure. */
export const userEventTexts: UserEventSentences = {
  wordsOf: ({ user, client, details }) => ({
    user: user ?? 'An unknown user',
    of: user === undefined ? ' of an unknown user' : ` of ${user}`,
    client: client ?? 'An unknown application',
    to: client === undefined ? '' : ` to ${client}`,
    from: client === undefined ? '' : ` from ${client}`,
    provider: details.identity_provider ?? 'an identity provider',
    credential: CREDENTIALS[details.credential_type ?? ''] ?? details.credential_type ?? 'a credential',
    action: details.custom_required_action ?? details.action ?? 'of a plugin',
    impersonator: details.impersonator ?? 'An admin',
    email: details.updated_email === undefined ? '' : ` to ${details.updated_email}`,
    revoked: details.revoked_client,
    isLink: details.action !== undefined,
  }),
  because: (sentence, reason) => `${sentence}: ${reason}`,
  unknownType: (type, { user, client }) =>
    [`Event ${type}`, user === undefined ? '' : `of ${user}`, client === undefined ? '' : `at ${client}`]
      .filter(Boolean)
      .join(' '),
  types: {
    CLIENT_DELETE: ({ client }) => [
      `${client} was deleted by client registration`,
      `Client registration could not delete ${client}`,
    ],
    CLIENT_INFO: ({ client }) => [
      `${client} was read by client registration`,
      `Client registration could not read ${client}`,
    ],
    CLIENT_LOGIN: ({ client }) => [
      `${client} signed in with its service account`,
      `${client} could not sign in with its service account`,
    ],
    CLIENT_REGISTER: ({ client }) => [`${client} was registered`, `A client could not be registered`],
    CLIENT_UPDATE: ({ client }) => [
      `${client} was changed by client registration`,
      `Client registration could not change ${client}`,
    ],
    CODE_TO_TOKEN: ({ client, of }) => [
      `${client} got the tokens${of}`,
      `${client} could not exchange a code for tokens`,
    ],
    CUSTOM_REQUIRED_ACTION: ({ user, action }) => [
      `${user} completed the required action ${action}`,
      `${user} did not complete the required action ${action}`,
    ],
    DELETE_ACCOUNT: ({ user }) => [`${user} deleted their account`, `${user} could not delete their account`],
    EXECUTE_ACTIONS: ({ user, of, isLink }) =>
      isLink
        ? [`${user} opened the link with required actions`, `The link with required actions${of} did not work`]
        : [`${user} got an email with required actions`, `The email with required actions${of} was not sent`],
    EXECUTE_ACTION_TOKEN: ({ user, of, action }) => [
      `${user} opened a link (${action})`,
      `A link${of} did not work (${action})`,
    ],
    FEDERATED_IDENTITY_LINK: ({ user, provider }) => [
      `${user} linked an account of ${provider}`,
      `${user} could not link an account of ${provider}`,
    ],
    FEDERATED_IDENTITY_OVERRIDE_LINK: ({ user, provider }) => [
      `${user} replaced the linked account of ${provider}`,
      `${user} could not replace the linked account of ${provider}`,
    ],
    IDENTITY_PROVIDER_FIRST_LOGIN: ({ user, of, provider }) => [
      `${user} signed in by ${provider} for the first time`,
      `The first sign-in${of} by ${provider} failed`,
    ],
    IDENTITY_PROVIDER_LINK_ACCOUNT: ({ user, of, provider }) => [
      `${user} confirmed that an account of ${provider} is theirs`,
      `The link that confirms an account${of} did not work`,
    ],
    IDENTITY_PROVIDER_LOGIN: ({ user, provider }) => [
      `${user} signed in by ${provider}`,
      `A sign-in by ${provider} failed`,
    ],
    IDENTITY_PROVIDER_POST_LOGIN: ({ user, of, provider }) => [
      `${user} completed the steps after the login at ${provider}`,
      `A step after the login${of} at ${provider} failed`,
    ],
    IDENTITY_PROVIDER_RETRIEVE_TOKEN: ({ client, of, provider }) => [
      `${client} read the ${provider} token${of}`,
      `${client} could not read the ${provider} token${of}`,
    ],
    IMPERSONATE: ({ impersonator, user }) => [
      `${impersonator} signed in as ${user}`,
      `${impersonator} could not sign in as ${user}`,
    ],
    INTROSPECT_TOKEN: ({ client }) => [`${client} checked a token`, `${client} could not check a token`],
    LOGIN: ({ user, to }) => [`${user} signed in${to}`, `${user} could not sign in${to}`],
    LOGOUT: ({ user, from }) => [`${user} signed out${from}`, `A sign-out${from} failed`],
    OAUTH2_DEVICE_AUTH: ({ client }) => [
      `${client} requested a code for a device`,
      `${client} could not get a code for a device`,
    ],
    OAUTH2_DEVICE_CODE_TO_TOKEN: ({ client, of }) => [
      `${client} got the tokens${of} on a device`,
      `${client} could not get tokens on a device`,
    ],
    OAUTH2_DEVICE_VERIFY_USER_CODE: ({ to }) => [
      `The code of a device was entered, to sign in${to}`,
      `The code that was entered for a device did not work`,
    ],
    PUSHED_AUTHORIZATION_REQUEST: ({ client }) => [
      `${client} prepared a login (pushed authorization request)`,
      `${client} could not prepare a login (pushed authorization request)`,
    ],
    REFRESH_TOKEN: ({ client, of }) => [
      `${client} refreshed the tokens${of}`,
      `${client} could not refresh the tokens${of}`,
    ],
    REGISTER: ({ user }) => [`${user} signed up`, `${user} could not sign up`],
    REMOVE_CREDENTIAL: ({ user, credential }) => [
      `${user} removed ${credential}`,
      `${user} could not remove ${credential}`,
    ],
    REMOVE_FEDERATED_IDENTITY: ({ user, provider }) => [
      `${user} unlinked the account of ${provider}`,
      `${user} could not unlink the account of ${provider}`,
    ],
    REMOVE_TOTP: ({ user }) => [
      `${user} removed an authenticator app`,
      `${user} could not remove an authenticator app`,
    ],
    RESET_PASSWORD: ({ user }) => [
      `${user} opened the link to reset the password`,
      `${user} could not reset the password`,
    ],
    REVOKE_GRANT: ({ user, client, of, revoked }) =>
      revoked === undefined
        ? [`${client} revoked a token${of}`, `${client} could not revoke a token`]
        : [`${user} revoked the access of ${revoked}`, `${user} could not revoke the access of ${revoked}`],
    SEND_IDENTITY_PROVIDER_LINK: ({ user, of }) => [
      `${user} got an email to confirm a linked account`,
      `The email to confirm a linked account${of} was not sent`,
    ],
    SEND_RESET_PASSWORD: ({ user, of }) => [
      `${user} got an email to reset the password`,
      `The email to reset the password${of} was not sent`,
    ],
    SEND_VERIFY_EMAIL: ({ user, of }) => [
      `${user} got an email to verify the email address`,
      `The email to verify the address${of} was not sent`,
    ],
    TOKEN_EXCHANGE: ({ client, of }) => [
      `${client} exchanged a token${of}`,
      `${client} could not exchange a token${of}`,
    ],
    UPDATE_CREDENTIAL: ({ user, credential }) => [
      `${user} set up ${credential}`,
      `${user} could not set up ${credential}`,
    ],
    UPDATE_EMAIL: ({ user, email }) => [
      `${user} changed the email address${email}`,
      `${user} could not change the email address${email}`,
    ],
    UPDATE_PASSWORD: ({ user }) => [`${user} changed the password`, `${user} could not change the password`],
    UPDATE_PROFILE: ({ user }) => [`${user} changed the profile`, `${user} could not change the profile`],
    UPDATE_TOTP: ({ user }) => [`${user} set up an authenticator app`, `${user} could not set up an authenticator app`],
    USER_DISABLED_BY_PERMANENT_LOCKOUT: ({ user }) => [
      `${user} was disabled after too many failed sign-ins`,
      `${user} was disabled after too many failed sign-ins`,
    ],
    USER_DISABLED_BY_TEMPORARY_LOCKOUT: ({ user }) => [
      `${user} was locked for a time after too many failed sign-ins`,
      `${user} was locked for a time after too many failed sign-ins`,
    ],
    USER_INFO_REQUEST: ({ client, of }) => [
      `${client} read the profile${of}`,
      `An application could not read the profile of a user`,
    ],
    VERIFY_EMAIL: ({ user }) => [`${user} verified the email address`, `${user} could not verify the email address`],
    VERIFY_PROFILE: ({ user }) => [`${user} completed the profile`, `${user} could not complete the profile`],
  },
};

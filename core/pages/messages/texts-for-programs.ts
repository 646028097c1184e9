import { Texts, type TextTable } from './texts.js';

/** Keycloak's texts for keys that have other texts on the host's pages. */
const KEYCLOAK_TEXTS: TextTable = {
  invalidCodeMessage: 'An error occurred, please login again through your application.',
  invalidRequestMessage: 'Invalid Request',
  expiredActionTokenNoSessionMessage: 'Action expired.',
  staleCodeMessage: 'This page is no longer valid, please go back to your application and sign in again',
  staleEmailVerificationLink:
    'The link you clicked is an old stale link and is no longer valid. Maybe you have already verified your email.',
  emailVerifiedAlreadyMessage: 'Your email address has been verified already.',
  resetCredentialNotAllowedMessage: 'Reset Credential not allowed',
  sessionLimitExceeded: 'There are too many sessions',
  realmNotEnabledMessage: 'Realm not enabled',
  unknownLoginRequesterMessage: 'Unknown login requester',
  loginRequesterNotEnabledMessage: 'Login requester not enabled',
  invalidRedirectUriMessage: 'Invalid redirect uri',
  invalidTokenRequiredActions: 'Required actions included in the link are not valid',
  differentUserAuthenticated:
    "You are already authenticated as different user ''{0}'' in this session. Please sign out first.",
  clientNotFoundMessage: 'Client not found.',
  clientDisabledMessage: 'Client disabled.',
  bearerOnlyMessage: 'Bearer-only applications are not allowed to initiate browser login',
  cookieNotFoundMessage: 'Cookie not found. Please make sure cookies are enabled in your browser.',
  alreadyLoggedIn: 'You are already logged in.',
  failedLogout: 'Logout failed',
  httpsRequiredMessage: 'HTTPS required',
  pageNotFound: 'Page not found',
  internalServerError: 'An internal server error has occurred',
  accountDisabledMessage: 'Account is disabled, contact your administrator.',
  accountPermanentlyDisabledMessage: 'Account is disabled, contact your administrator.',
  accountNotFullySetUpMessage: 'Account is not fully set up, contact your administrator.',
  sessionNotActiveMessage: 'Session not active.',
  standardFlowDisabledMessage:
    'Client is not allowed to initiate browser login with given response_type. Standard flow is disabled for the client.',
  implicitFlowDisabledMessage:
    'Client is not allowed to initiate browser login with given response_type. Implicit flow is disabled for the client.',
  oauth2DeviceAuthorizationGrantDisabledMessage:
    'Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.',
  identityProviderNotFoundMessage: 'Could not find an identity provider with the identifier.',
  identityProviderUnexpectedErrorMessage: 'Unexpected error when authenticating with identity provider',
  identityProviderInvalidResponseMessage: 'Invalid response from identity provider.',
  identityProviderInvalidSignatureMessage: 'Invalid signature in response from identity provider.',
};

/** English texts for programs, events and logs. They are exactly Keycloak's, because programs may compare them. */
export const TEXTS_FOR_PROGRAMS = new Texts('en', [KEYCLOAK_TEXTS]);

/** English, by Keycloak's message keys. Every other language has the same keys. */
export const ENGLISH = {
  // Frame
  languages: 'Languages',
  errorTitle: 'We are sorry…',
  pageTitle: '{0} – {1}',
  backToApplication: 'Back to Application',
  doContinue: 'Continue',
  doCancel: 'Cancel',
  doSubmit: 'Submit',
  doYes: 'Yes',
  doNo: 'No',

  // Login
  loginTitle: 'Sign in to {0}',
  loginAccountTitle: 'Sign in to your account',
  continueToApplication: 'to continue to {0}',
  username: 'Username',
  usernameOrEmail: 'Username or email',
  email: 'Email',
  password: 'Password',
  rememberMe: 'Remember me',
  doLogIn: 'Sign In',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  reauthenticate: 'Please re-authenticate to continue',
  invalidUserMessage: 'Invalid username or password.',
  invalidUsernameMessage: 'Invalid username.',
  invalidUsernameOrEmailMessage: 'Invalid username or email.',
  invalidEmailMessage: 'Invalid email address.',
  invalidPasswordMessage: 'Invalid password.',
  missingUsernameMessage: 'Please specify username.',
  missingPasswordMessage: 'Please specify password.',
  accountDisabledMessage: 'Account is disabled, contact your administrator.',
  accountTemporarilyDisabledMessage: 'Invalid username or password.',
  accountPermanentlyDisabledMessage: 'Account is disabled, contact your administrator.',
  expiredCodeMessage: 'Login timeout. Please sign in again.',
  loginTimeout: 'Your login attempt timed out. Login will start from the beginning.',
  alreadyLoggedIn: 'You are already logged in.',
  differentUserAuthenticated:
    "You are already authenticated as different user ''{0}'' in this session. Please sign out first.",

  // Page expired
  pageExpiredTitle: 'Page has expired',
  pageExpiredText: 'This page is no longer current. Go on where you were, or start again.',
  restartLoginTooltip: 'Restart login',

  // Consent
  oauthGrantTitle: 'Grant Access to {0}',
  oauthGrantRequest: 'Do you grant these access privileges?',
  profileScopeConsentText: 'User profile',
  emailScopeConsentText: 'Email address',
  addressScopeConsentText: 'Address',
  phoneScopeConsentText: 'Phone number',
  offlineAccessScopeConsentText: 'Offline Access',
  rolesScopeConsentText: 'User roles',
  samlRoleListScopeConsentText: 'My Roles',
  organizationScopeConsentText: 'Organization',
  consentDenied: 'Consent denied.',

  // Device login
  oauth2DeviceVerificationTitle: 'Device Login',
  verifyOAuth2DeviceUserCode: 'Enter the code provided by your device and click Submit',
  oauth2DeviceUserCode: 'Code',
  oauth2DeviceInvalidUserCodeMessage: 'Invalid code, please try again.',
  oauth2DeviceExpiredUserCodeMessage: 'The code has expired. Please go back to your device and try connecting again.',
  oauth2DeviceTooManyUserCodesMessage: 'Too many wrong codes. Please wait a few minutes and try again.',
  oauth2DeviceCompareUserCode: 'A device wants to use your account. It must show this code:',
  oauth2DeviceRefuseUnknown: 'If you did not start this on a device in front of you, choose No.',
  oauth2DeviceVerificationCompleteHeader: 'Device Login Successful',
  oauth2DeviceVerificationCompleteMessage: 'You may close this browser window and go back to your device.',
  oauth2DeviceVerificationFailedHeader: 'Device Login Failed',
  oauth2DeviceVerificationFailedMessage:
    'You may close this browser window and go back to your device and try connecting again.',
  oauth2DeviceConsentDeniedMessage: 'Consent denied for connecting the device.',
  oauth2DeviceAuthorizationGrantDisabledMessage:
    'Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.',

  // Names of Keycloak's own clients
  client_account: 'Account',
  'client_account-console': 'Account Console',
  'client_security-admin-console': 'Security Admin Console',
  'client_admin-cli': 'Admin CLI',
  'client_realm-management': 'Realm Management',
  client_broker: 'Broker',

  // Form post
  'saml.post-form.title': 'Authentication Redirect',
  'saml.post-form.message': 'Redirecting, please wait.',

  // Logout
  logoutConfirmTitle: 'Logging out',
  logoutConfirmHeader: 'Do you want to log out?',
  doLogout: 'Logout',
  successLogout: 'You are logged out',
  failedLogout: 'Logout failed',
  sessionNotActiveMessage: 'Session not active.',
  'frontchannel-logout.title': 'Logging out',
  'frontchannel-logout.message': 'You are logging out from following apps',

  // Links with an action token
  actionTokenConfirmTitle: 'Continue',
  actionTokenConfirmText: 'You opened a link, made for the account {0}.',
  actionTokenConfirmForApplicationText: 'You opened a link for application {1}, made for the account {0}.',
  expiredActionMessage: 'Action expired. Please continue with login now.',
  expiredActionTokenNoSessionMessage: 'Action expired.',
  expiredActionTokenSessionExistsMessage: 'Action expired. Please start again.',
  staleCodeMessage: 'This page is no longer valid, please go back to your application and sign in again',
  accountUpdatedMessage: 'Your account has been updated.',

  // Mails
  linkExpiration: 'This link will expire within {0}.',
  passwordResetSubject: 'Reset password',
  passwordResetText:
    'Someone has asked to change the credentials of your account {0}. If this was you, follow the link.',
  passwordResetLink: 'Set a new password',
  passwordResetIgnore:
    'If you do not want to change your credentials, just ignore this message and nothing will be changed.',
  emailVerificationSubject: 'Verify email',
  emailVerificationText:
    'Someone has given this email address for the account {0}. If this was you, follow the link to verify it.',
  emailVerificationLink: 'Verify this address',
  emailVerificationIgnore: 'If this was not you, just ignore this message.',
  executeActionsSubject: 'Update your account',
  executeActionsText: 'Your administrator has asked you to update your account {0}: {1}. Follow the link to do so.',
  executeActionsLink: 'Update the account',
  executeActionsIgnore: 'If you did not expect this, just ignore this message and nothing will be changed.',
  emailSendErrorMessage: 'Failed to send email, please try again later.',

  // Refused requests
  invalidRequestMessage: 'Invalid Request',
  invalidCodeMessage: 'An error occurred, please login again through your application.',
  cookieNotFoundMessage: 'Cookie not found. Please make sure cookies are enabled in your browser.',
  clientNotFoundMessage: 'Client not found.',
  clientDisabledMessage: 'Client disabled.',
  unknownLoginRequesterMessage: 'Unknown login requester',
  loginRequesterNotEnabledMessage: 'Login requester not enabled',
  bearerOnlyMessage: 'Bearer-only applications are not allowed to initiate browser login',
  standardFlowDisabledMessage:
    'Client is not allowed to initiate browser login with given response_type. Standard flow is disabled for the client.',
  implicitFlowDisabledMessage:
    'Client is not allowed to initiate browser login with given response_type. Implicit flow is disabled for the client.',
  invalidRedirectUriMessage: 'Invalid redirect uri',
  invalidParameterMessage: 'Invalid parameter: {0}',
  missingParameterMessage: 'Missing parameters: {0}',
  realmNotEnabledMessage: 'Realm not enabled',
  httpsRequiredMessage: 'HTTPS required',
  pageNotFound: 'Page not found',
  internalServerError: 'An internal server error has occurred',
} as const satisfies Readonly<Record<string, string>>;

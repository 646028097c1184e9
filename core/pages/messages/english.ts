import { ENGLISH_PROFILE } from './english-profile.js';

/** English, by Keycloak's message keys. Every other language has the same keys. */
export const ENGLISH = {
  ...ENGLISH_PROFILE,

  // Frame
  languages: 'Languages',
  errorTitle: 'We are sorry…',
  pageTitle: '{0} – {1}',
  backToApplication: 'Back to the application',
  doContinue: 'Continue',
  doCancel: 'Cancel',
  doSubmit: 'Submit',
  doAllow: 'Allow',
  doNotAllow: 'Do not allow',

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
  'access-denied': 'Access denied',
  accountDisabledMessage: 'Account is disabled, contact your administrator.',
  accountTemporarilyDisabledMessage: 'Invalid username or password.',
  accountPermanentlyDisabledMessage: 'Account is disabled, contact your administrator.',
  expiredCodeMessage: 'Login timeout. Please sign in again.',
  loginTimeout: 'Your login attempt timed out. Login will start from the beginning.',
  alreadyLoggedIn: 'You are already logged in.',
  differentUserAuthenticated:
    "You are already authenticated as different user ''{0}'' in this session. Please sign out first.",

  // Identity providers
  'identity-provider-login-label': 'Or sign in with',
  accessDeniedWhenIdpAuth: 'Access denied when authenticating with {0}',
  identityProviderNotFoundMessage: 'Could not find an identity provider with the identifier.',
  identityProviderUnexpectedErrorMessage: 'Unexpected error when authenticating with identity provider',
  identityProviderInvalidResponseMessage: 'Invalid response from identity provider.',
  identityProviderInvalidSignatureMessage: 'Invalid signature in response from identity provider.',
  identityProviderDifferentUserMessage: 'Authenticated as another user than the one who began to sign in.',
  identityProviderAlreadyLinkedMessage: 'Federated identity returned by {0} is already linked to another user.',
  identityProviderOtherAccountMessage: 'You are linked with another account of {0} already.',
  reviewBrokeredProfile: 'Please check what we take over from {0}.',
  federatedIdentityExistsMessage:
    'User with {0} {1} already exists. Please login to account management to link the account.',
  confirmLinkIdpTitle: 'Account already exists',
  federatedIdentityConfirmLinkMessage: 'User with {0} {1} already exists. How do you want to continue?',
  confirmLinkIdpContinue: 'Add to existing account',
  confirmLinkIdpReviewProfile: 'Review profile',
  emailLinkIdpTitle: 'Link {0}',
  emailLinkIdp1:
    'An email with instructions to link {0} account {1} with your account {2} has been sent to you. Come back here when you have followed its link.',
  emailLinkIdpNotYet: 'The link in the email has not been followed yet.',
  federatedIdentityConfirmReauthenticateMessage:
    'Enter the password of your account {2} to link it with {0} account {1}.',
  confirmAccountLinking:
    'Somebody wants to sign in to your account {2} with the account {0} of {1}. Continue only if this is you.',
  identityProviderLinkSuccess:
    'You successfully verified your email. Please go back to your original browser and continue there with the login.',
  linkIdpTitle: 'Link {0}',
  linkIdpText:
    'Do you want to link your account {0} with the account {1} of {2}? You can sign in with it from then on.',
  doLink: 'Link',

  // Page expired
  pageExpiredTitle: 'Page has expired',
  pageExpiredText: 'This page is no longer current. Go on where you were, or start again.',
  restartLoginTooltip: 'Restart login',

  // Consent
  oauthGrantTitle: '{0} asks for access to your account',
  oauthGrantInformation: 'Make sure you trust {0} by learning how {0} will handle your data.',
  oauthGrantPolicy: 'Privacy policy',
  oauthGrantTos: 'Terms of service',
  oauthGrantRequest: 'If you allow it, this application gets:',
  signedInAs: 'You are signed in as {0}.',
  profileScopeConsentText: 'User profile',
  profileScopeConsentHelp: 'Your name, your username and what else your profile says of you.',
  emailScopeConsentText: 'Email address',
  emailScopeConsentHelp: 'Your email address, and whether it is verified.',
  addressScopeConsentText: 'Address',
  addressScopeConsentHelp: 'Your postal address.',
  phoneScopeConsentText: 'Phone number',
  phoneScopeConsentHelp: 'Your phone number, and whether it is verified.',
  offlineAccessScopeConsentText: 'Offline Access',
  offlineAccessScopeConsentHelp: 'It keeps its access while you are away, until you remove it in your account.',
  rolesScopeConsentText: 'User roles',
  rolesScopeConsentHelp: 'What you are allowed to do.',
  samlRoleListScopeConsentText: 'My Roles',
  samlRoleListScopeConsentHelp: 'What you are allowed to do.',
  organizationScopeConsentText: 'Organization',
  organizationScopeConsentHelp: 'Which organizations you belong to.',
  consentDenied: 'Consent denied.',

  // Device login
  oauth2DeviceVerificationTitle: 'Device Login',
  verifyOAuth2DeviceUserCode: 'Enter the code provided by your device and click Submit',
  oauth2DeviceUserCode: 'Code',
  oauth2DeviceInvalidUserCodeMessage: 'Invalid code, please try again.',
  oauth2DeviceExpiredUserCodeMessage: 'The code has expired. Please go back to your device and try connecting again.',
  oauth2DeviceTooManyUserCodesMessage: 'Too many wrong codes. Please wait a few minutes and try again.',
  oauth2DeviceCompareUserCode: 'A device wants to use your account. It must show this code:',
  oauth2DeviceRefuseUnknown: 'If you did not start this on a device in front of you, do not allow it.',
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
  accountUpdatedTitle: 'Account updated',
  accountNotUpdatedMessage: 'Your account has not been updated.',
  accountUpdatedMessage: 'Your account has been updated.',

  // Forgotten passwords
  doForgotPassword: 'Forgot password?',
  backToLogin: 'Back to Login',
  emailForgotTitle: 'Forgot Your Password?',
  emailInstruction:
    'Enter your username or email address and we will send you instructions on how to create a new password.',
  emailInstructionUsername: 'Enter your username and we will send you instructions on how to create a new password.',
  emailSentMessage: 'You should receive an email shortly with further instructions.',
  confirmResetText: 'You are about to choose a new password for the account of {0}.',
  resetCredentialNotAllowedMessage: 'Reset Credential not allowed',

  // Verified addresses
  emailVerifyTitle: 'Email verification',
  emailVerifyInstruction: 'You need to verify your email address. We sent an email with instructions to {0}.',
  emailVerifyResend: 'Send the email again',
  confirmEmailAddressVerification: 'Confirm validity of e-mail address {0}.',
  emailVerifiedMessage: 'Your email address has been verified.',
  emailVerifiedAlreadyMessage: 'Your email address has been verified already.',
  staleEmailVerificationLink:
    'The link you clicked is an old stale link and is no longer valid. Maybe you have already verified your email.',
  confirmExecutionOfActions: 'Your account {0} is about to be updated:',
  invalidTokenRequiredActions: 'Required actions included in the link are not valid',

  // One-time passwords
  loginOtpTitle: 'Enter your one-time code',
  loginOtpText: 'Open your authenticator app and enter the code that it shows for this account.',
  loginOtpOneTime: 'One-time code',
  invalidTotpMessage: 'Invalid authenticator code.',
  missingTotpMessage: 'Please specify authenticator code.',
  loginTotpTitle: 'Mobile Authenticator Setup',
  loginTotpText:
    'Scan the code with an authenticator app, or type the letters below it into the app. Then enter the one-time code that the app shows.',
  loginTotpImage: 'QR code for authenticator apps',
  loginTotpDeviceName: 'Device Name',

  // Other ways to go on with a login
  doTryAnotherWay: 'Try Another Way',
  'auth-username-password-form-display-name': 'Username and password',
  'otp-display-name': 'Authenticator Application',
  'webauthn-display-name': 'Passkey',
  'webauthn-passwordless-display-name': 'Passkey',
  'auth-recovery-authn-code-form-display-name': 'Recovery Authentication Code',
  'idp-email-verification-display-name': 'Confirm by email',
  'idp-username-password-form-display-name': 'Username and password',

  // Passkeys
  'webauthn-login-title': 'Passkey login',
  'webauthn-login-text': 'Confirm with your passkey that it is you.',
  'webauthn-doAuthenticate': 'Sign in with Passkey',
  'webauthn-registration-title': 'Passkey Registration',
  'webauthn-registration-text':
    'With a passkey you confirm each login on your device: by fingerprint, face, PIN or a security key.',
  'webauthn-passwordless-registration-text':
    'With a passkey you sign in without a password: by fingerprint, face, PIN or a security key.',
  'webauthn-registration-init-label': 'Passkey',
  'webauthn-registration-init-label-prompt': 'Name of the passkey',
  doRegisterSecurityKey: 'Register',
  'webauthn-needs-script': 'Passkeys need JavaScript, which is turned off in this browser.',
  'webauthn-unsupported-browser-text':
    'WebAuthn is not supported by this browser. Try another one or contact your administrator.',
  'webauthn-error-cancelled': 'That was cancelled or took too long. Please try again.',
  'webauthn-error-registered': 'This passkey is registered for your account already.',
  'webauthn-error-address':
    'Passkeys of {0} cannot be used at this address. They need a host name, and https everywhere but at localhost.',
  'webauthn-error-registration': 'Failed to register your Passkey.',
  'webauthn-error-register-verification': 'Passkey registration result is invalid.',
  'webauthn-error-api-get': 'Failed to authenticate by the Passkey.',
  'webauthn-error-auth-verification': 'Passkey authentication result is invalid.',

  // Recovery codes
  'auth-recovery-code-header': 'Login with a recovery authentication code',
  'auth-recovery-code-info-message': 'Enter the specified recovery code.',
  'auth-recovery-code-prompt': 'Recovery code #{0}',
  'auth-recovery-code-few-left': 'Recovery codes left, with this one: {0}. Make new ones soon.',
  'recovery-codes-error-invalid': 'Invalid recovery authentication code',
  'recovery-code-config-header': 'Recovery Authentication Codes',
  'recovery-code-config-warning-title': 'These recovery codes will not appear again after you leave this page',
  'recovery-code-config-warning-message':
    'Make sure to print, download, or copy them to a password manager. Each code lets you sign in once when you do not have your second factor.',
  'recovery-codes-print': 'Print',
  'recovery-codes-download': 'Download',
  'recovery-codes-copy': 'Copy',
  'recovery-codes-copied': 'Copied',
  'recovery-codes-confirmation-message': 'I have saved these codes somewhere safe',
  'recovery-codes-unconfirmed': 'Please confirm that you have saved the codes.',
  'recovery-codes-action-complete': 'Complete setup',
  'recovery-codes-action-cancel': 'Cancel setup',
  'recovery-codes-label-default': 'Recovery codes',

  // Required actions
  'requiredAction.UPDATE_PASSWORD': 'Update Password',
  'requiredAction.UPDATE_PROFILE': 'Update Profile',
  'requiredAction.VERIFY_EMAIL': 'Verify Email',
  'requiredAction.TERMS_AND_CONDITIONS': 'Terms and Conditions',
  'requiredAction.CONFIGURE_TOTP': 'Set up Authenticator App',
  'requiredAction.CONFIGURE_RECOVERY_AUTHN_CODES': 'Make Recovery Codes',
  'requiredAction.webauthn-register': 'Set up Passkey as Second Factor',
  'requiredAction.webauthn-register-passwordless': 'Set up Passkey',
  'requiredAction.idp_link': 'Link an account',
  accountNotFullySetUpMessage: 'Account is not fully set up, contact your administrator.',
  updatePasswordTitle: 'Update password',
  updatePasswordMessage: 'You need to change your password.',
  passwordNew: 'New Password',
  passwordConfirm: 'Confirm password',
  logoutOtherSessions: 'Sign out from other devices',
  notMatchPasswordMessage: "Passwords don''t match.",
  invalidPasswordMinLengthMessage: 'Invalid password: minimum length {0}.',
  invalidPasswordMaxLengthMessage: 'Invalid password: maximum length {0}.',
  invalidPasswordMinDigitsMessage: 'Invalid password: must contain at least {0} numerical digits.',
  invalidPasswordMinLowerCaseCharsMessage: 'Invalid password: must contain at least {0} lower case characters.',
  invalidPasswordMinUpperCaseCharsMessage: 'Invalid password: must contain at least {0} upper case characters.',
  invalidPasswordMinSpecialCharsMessage: 'Invalid password: must contain at least {0} special characters.',
  invalidPasswordNotUsernameMessage: 'Invalid password: must not be equal to the username.',
  invalidPasswordNotContainsUsernameMessage: 'Invalid password: must not contain the username.',
  invalidPasswordNotEmailMessage: 'Invalid password: must not be equal to the email.',
  invalidPasswordRegexPatternMessage: 'Invalid password: fails to match regex pattern(s).',
  invalidPasswordHistoryMessage: 'Invalid password: must not be equal to any of last {0} passwords.',
  loginProfileTitle: 'Update Account Information',
  updateProfileMessage: 'You need to update your user profile.',
  firstName: 'First name',
  lastName: 'Last name',
  missingEmailMessage: 'Please specify email.',
  missingFirstNameMessage: 'Please specify first name.',
  missingLastNameMessage: 'Please specify last name.',
  usernameExistsMessage: 'Username already exists.',
  emailExistsMessage: 'Email already exists.',
  'error-invalid-value': 'Invalid value.',
  termsTitle: 'Terms and Conditions',
  termsText: 'Terms and conditions to be defined',
  termsDeclined: 'The terms and conditions were declined.',
  doAccept: 'Accept',
  doDecline: 'Decline',

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
  executeActionsText: 'Your administrator has asked you to update your account {0}. Follow the link to do so:',
  executeActionsLink: 'Update the account',
  executeActionsIgnore: 'If you did not expect this, just ignore this message and nothing will be changed.',
  identityProviderLinkSubject: 'Link {2}',
  identityProviderLinkText:
    'Someone wants to link the account {1} of {2} with your account {0}. If this was you, follow the link.',
  identityProviderLinkLink: 'Link the accounts',
  identityProviderLinkIgnore:
    'If you do not want to link the accounts, just ignore this message. Whoever links them can sign in to your account by {2}.',
  emailSendErrorMessage: 'Failed to send email, please try again later.',

  // Refused requests
  applicationFaultMessage:
    'The application sent you here with a request that does not work. Please go back to it and try again. If that does not help, tell the people who run it.',
  applicationDisabledMessage: 'This application cannot be used at the moment.',
  faultForDevelopers: 'For developers: {0}',
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

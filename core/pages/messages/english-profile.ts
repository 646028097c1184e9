/** English texts about registering and about the user's own profile, by Keycloak's message keys. */
export const ENGLISH_PROFILE = {
  // Registration
  noAccount: 'New user?',
  doRegister: 'Register',
  registerTitle: 'Register',
  acceptTerms: 'I agree to the terms and conditions',
  termsAcceptanceRequired: 'You must agree to our terms and conditions.',
  invalidPasswordConfirmMessage: "Password confirmation doesn''t match.",
  registrationNotAllowedMessage: 'Registration not allowed',
  registrationNotPossibleMessage: 'Registration is not fully set up, contact your administrator.',
  tooManyRegistrationsMessage: 'Too many attempts. Please try again in an hour.',

  // What an attribute must be
  oneValuePerLine: 'One value per line.',
  'error-user-attribute-required': 'Please specify this field.',
  'error-user-attribute-read-only': 'This field is read only.',
  'error-invalid-length': 'Length must be between {1} and {2}.',
  'error-invalid-length-too-short': 'Minimal length is {1}.',
  'error-invalid-length-too-long': 'Maximal length is {2}.',
  'error-invalid-email': 'Invalid email address.',
  'error-invalid-integer': 'Invalid whole number.',
  'error-invalid-number': 'Invalid number.',
  'error-number-out-of-range': 'Number must be between {1} and {2}.',
  'error-pattern-no-match': 'Invalid value.',
  'error-invalid-uri': 'Invalid URL.',
  'error-invalid-date': 'Invalid date.',
  'error-username-invalid-character': 'Value contains invalid character.',
  'error-person-name-invalid-character': 'Value contains invalid character.',
  'error-invalid-multivalued-size': 'There must be at least {1} and at most {2} values.',

  // A changed address
  'requiredAction.UPDATE_EMAIL': 'Update Email',
  'requiredAction.VERIFY_PROFILE': 'Verify Profile',
  verifyProfileMessage: 'Your profile is not complete yet.',
  updateEmailTitle: 'Update email',
  updateEmailMessage: 'Enter your new email address.',
  updateEmailVerifyMessage:
    'Enter your new email address. We will send you an email there, with a link that changes it.',
  emailUpdateConfirmationSent:
    'A confirmation email has been sent to {0}. You must follow the link in it to change your email address.',
  emailUpdateConfirmationSentTitle: 'Confirmation email sent',
  emailUpdatedTitle: 'Email updated',
  emailUpdated: 'The account email has been successfully updated to {0}.',
  confirmEmailUpdate: 'Confirm {0} as the new email address of your account.',
  emailUpdateConfirmationSubject: 'Verify new email',
  emailUpdateConfirmationText:
    'Someone has given this address as the new email address of the account {0}. If this was you, follow the link to change it.',
  emailUpdateConfirmationLink: 'Change the email address',
  emailUpdateConfirmationIgnore: 'If this was not you, just ignore this message and nothing will be changed.',
} as const satisfies Readonly<Record<string, string>>;

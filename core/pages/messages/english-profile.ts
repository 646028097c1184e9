/** English texts about registering and about the user's own profile, by Keycloak's message keys. */
export const ENGLISH_PROFILE = {
  // Registration
  noAccount: 'New user?',
  doRegister: 'Register',
  registerTitle: 'Register',
  acceptTerms: 'I agree to the terms and conditions',
  termsAcceptanceRequired: 'You must agree to the terms and conditions.',
  invalidPasswordConfirmMessage: "Password confirmation doesn''t match.",
  registrationNotAllowedMessage: 'Registration is not allowed. Contact your administrator.',
  registrationNotPossibleMessage: 'Registration is not fully set up. Contact your administrator.',
  registrationFailedMessage: 'Registration is not possible at the moment. Please try again later.',
  tooManyRegistrationsMessage: 'Too many attempts. Please try again in an hour.',

  // What an attribute must be
  oneValuePerLine: 'One value per line.',
  'error-user-attribute-required': 'Please fill in this field.',
  'error-user-attribute-read-only': 'This field is read-only.',
  'error-invalid-blank': 'Please specify value.',
  'error-empty': 'Please specify value.',
  'error-invalid-length': 'Length must be between {1} and {2}.',
  'error-invalid-length-too-short': 'Minimum length is {1}.',
  'error-invalid-length-too-long': 'Maximum length is {2}.',
  'error-invalid-email': 'Invalid email address.',
  'error-invalid-integer': 'Invalid whole number.',
  'error-invalid-number': 'Invalid number.',
  'error-number-out-of-range': 'Number must be between {1} and {2}.',
  'error-pattern-no-match': 'Invalid value.',
  'error-invalid-uri': 'Invalid URL.',
  'error-invalid-date': 'Invalid date.',
  'error-username-invalid-character': 'Value contains an invalid character.',
  'error-person-name-invalid-character': 'Value contains an invalid character.',
  'error-invalid-multivalued-size': 'Enter at least {1} and at most {2} values.',

  // A changed address
  'requiredAction.UPDATE_EMAIL': 'Update email',
  'requiredAction.VERIFY_PROFILE': 'Verify profile',
  verifyProfileMessage: 'Complete your profile to continue.',
  updateEmailTitle: 'Update email',
  updateEmailMessage: 'Enter your new email address.',
  updateEmailVerifyMessage:
    'Enter your new email address. We will send a link to it. Follow the link to change your address.',
  emailUpdateConfirmationSent: 'We sent a confirmation email to {0}. Follow its link to change your email address.',
  emailUpdateConfirmationSentTitle: 'Confirmation email sent',
  emailUpdatedTitle: 'Email updated',
  emailUpdated: 'The email address of your account is now {0}.',
  confirmEmailUpdate: 'Confirm {0} as the new email address of your account.',
  emailUpdateConfirmationSubject: 'Verify new email',
  emailUpdateConfirmationText:
    'Someone entered this address as the new email address of the account {0}. If this was you, follow the link.',
  emailUpdateConfirmationLink: 'Change email address',
  emailUpdateConfirmationIgnore: 'If this was not you, ignore this message. Nothing will change.',
} as const satisfies Readonly<Record<string, string>>;

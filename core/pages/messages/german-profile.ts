import type { ENGLISH_PROFILE } from './english-profile.js';

/** German texts of registration and of the user's profile, by Keycloak's message keys. */
export const GERMAN_PROFILE: Readonly<Record<keyof typeof ENGLISH_PROFILE, string>> = {
  // Registration
  noAccount: 'Neu hier?',
  doRegister: 'Registrieren',
  registerTitle: 'Registrieren',
  acceptTerms: 'Ich stimme den Nutzungsbedingungen zu',
  termsAcceptanceRequired: 'Sie müssen den Nutzungsbedingungen zustimmen.',
  invalidPasswordConfirmMessage: 'Die Passwörter stimmen nicht überein.',
  registrationNotAllowedMessage: 'Die Registrierung ist nicht erlaubt. Bitte wenden Sie sich an Ihren Administrator.',
  registrationNotPossibleMessage:
    'Die Registrierung ist nicht vollständig eingerichtet. Bitte wenden Sie sich an Ihren Administrator.',
  registrationFailedMessage:
    'Die Registrierung ist im Moment nicht möglich. Bitte versuchen Sie es später noch einmal.',
  tooManyRegistrationsMessage: 'Zu viele Versuche. Bitte versuchen Sie es in einer Stunde erneut.',

  // Constraints on attributes
  oneValuePerLine: 'Ein Wert pro Zeile.',
  'error-user-attribute-required': 'Bitte füllen Sie dieses Feld aus.',
  'error-user-attribute-read-only': 'Dieses Feld ist schreibgeschützt.',
  'error-invalid-blank': 'Bitte geben Sie einen Wert an.',
  'error-empty': 'Bitte geben Sie einen Wert an.',
  'error-invalid-length': 'Die Länge muss zwischen {1} und {2} liegen.',
  'error-invalid-length-too-short': 'Die Mindestlänge ist {1}.',
  'error-invalid-length-too-long': 'Die Höchstlänge ist {2}.',
  'error-invalid-email': 'Ungültige E-Mail-Adresse.',
  'error-invalid-number': 'Ungültige Zahl.',
  'error-number-out-of-range': 'Die Zahl muss zwischen {1} und {2} liegen.',
  'error-number-out-of-range-too-small': 'Die Zahl muss mindestens {1} sein.',
  'error-number-out-of-range-too-big': 'Die Zahl darf höchstens {2} sein.',
  'error-pattern-no-match': 'Ungültiger Wert.',
  'error-invalid-uri': 'Ungültige URL.',
  'error-invalid-uri-scheme': 'Adressen, die mit {2}: beginnen, sind nicht erlaubt.',
  'error-invalid-uri-fragment': 'Die Adresse darf kein # enthalten.',
  'error-invalid-date': 'Ungültiges Datum.',
  'error-username-invalid-character': 'Der Wert enthält ein ungültiges Zeichen.',
  'error-person-name-invalid-character': 'Der Wert enthält ein ungültiges Zeichen.',
  'error-invalid-multivalued-size': 'Geben Sie mindestens {1} und höchstens {2} Werte ein.',

  // A changed address
  'requiredAction.UPDATE_EMAIL': 'E-Mail-Adresse ändern',
  'requiredAction.VERIFY_PROFILE': 'Profil vervollständigen',
  verifyProfileMessage: 'Vervollständigen Sie Ihr Profil, um fortzufahren.',
  updateEmailTitle: 'E-Mail-Adresse ändern',
  updateEmailMessage: 'Geben Sie Ihre neue E-Mail-Adresse ein.',
  updateEmailVerifyMessage:
    'Geben Sie Ihre neue E-Mail-Adresse ein. Wir senden einen Link dorthin. Folgen Sie ihm, um Ihre Adresse zu ändern.',
  emailUpdateConfirmationSent:
    'Wir haben eine E-Mail an {0} gesendet. Folgen Sie dem Link darin, um Ihre E-Mail-Adresse zu ändern.',
  emailUpdateConfirmationSentTitle: 'E-Mail zur Bestätigung gesendet',
  emailUpdatedTitle: 'E-Mail-Adresse geändert',
  emailUpdated: 'Die E-Mail-Adresse Ihres Kontos ist jetzt {0}.',
  confirmEmailUpdate: 'Bestätigen Sie {0} als neue E-Mail-Adresse Ihres Kontos.',
  emailUpdateConfirmationSubject: 'Neue E-Mail-Adresse bestätigen',
  emailUpdateConfirmationText:
    'Jemand hat diese Adresse als neue E-Mail-Adresse des Kontos {0} angegeben. Wenn Sie das waren, folgen Sie dem Link.',
  emailUpdateConfirmationLink: 'E-Mail-Adresse ändern',
  emailUpdateConfirmationIgnore: 'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Es ändert sich nichts.',
};

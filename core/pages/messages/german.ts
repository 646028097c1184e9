import type { ENGLISH } from './english.js';
import { GERMAN_PROFILE } from './german-profile.js';

/** German, by Keycloak's message keys. */
export const GERMAN: Readonly<Record<keyof typeof ENGLISH, string>> = {
  ...GERMAN_PROFILE,

  // Frame
  languages: 'Sprachen',
  errorTitle: 'Es tut uns leid…',
  pageTitle: '{0} – {1}',
  backToApplication: 'Zurück zur Anwendung',
  doContinue: 'Weiter',
  doCancel: 'Abbrechen',
  doSubmit: 'Absenden',
  doAllow: 'Erlauben',
  doNotAllow: 'Nicht erlauben',

  // Login
  loginTitle: 'Anmeldung bei {0}',
  loginAccountTitle: 'Bei Ihrem Konto anmelden',
  continueToApplication: 'weiter zu {0}',
  username: 'Benutzername',
  usernameOrEmail: 'Benutzername oder E-Mail',
  email: 'E-Mail',
  password: 'Passwort',
  rememberMe: 'Angemeldet bleiben',
  doLogIn: 'Anmelden',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  reauthenticate: 'Bitte melden Sie sich erneut an, um fortzufahren',
  invalidUserMessage: 'Ungültiger Benutzername oder Passwort.',
  invalidUsernameMessage: 'Ungültiger Benutzername.',
  invalidUsernameOrEmailMessage: 'Ungültiger Benutzername oder E-Mail-Adresse.',
  invalidEmailMessage: 'Ungültige E-Mail-Adresse.',
  invalidPasswordMessage: 'Ungültiges Passwort.',
  missingUsernameMessage: 'Bitte geben Sie einen Benutzernamen ein.',
  missingPasswordMessage: 'Bitte geben Sie ein Passwort ein.',
  'access-denied': 'Zugriff verweigert',
  accountDisabledMessage: 'Ihr Konto ist gesperrt, bitte wenden Sie sich an Ihren Administrator.',
  accountTemporarilyDisabledMessage: 'Ungültiger Benutzername oder Passwort.',
  accountPermanentlyDisabledMessage: 'Ihr Konto ist gesperrt, bitte wenden Sie sich an Ihren Administrator.',
  expiredCodeMessage: 'Zeitüberschreitung bei der Anmeldung. Bitte melden Sie sich erneut an.',
  loginTimeout: 'Ihr Anmeldeversuch hat zu lange gedauert. Die Anmeldung beginnt von vorn.',
  alreadyLoggedIn: 'Sie sind bereits angemeldet.',
  differentUserAuthenticated:
    'Sie sind in dieser Sitzung bereits als anderer Benutzer „{0}“ angemeldet. Bitte melden Sie sich zuerst ab.',

  // Identity providers
  'identity-provider-login-label': 'Oder anmelden mit',
  accessDeniedWhenIdpAuth: 'Zugriff verweigert bei der Anmeldung mit {0}',
  identityProviderNotFoundMessage: 'Diesen Identity-Provider gibt es nicht.',
  identityProviderUnexpectedErrorMessage: 'Unerwarteter Fehler bei der Anmeldung am Identity-Provider',
  identityProviderInvalidResponseMessage: 'Ungültige Antwort des Identity-Providers.',
  identityProviderInvalidSignatureMessage: 'Ungültige Signatur in der Antwort des Identity-Providers.',
  identityProviderDifferentUserMessage: 'Sie haben sich als jemand anderes angemeldet, als Sie begonnen haben.',
  identityProviderAlreadyLinkedMessage: 'Dieses Konto bei {0} ist bereits mit einem anderen Benutzer verknüpft.',
  identityProviderOtherAccountMessage: 'Sie sind bereits mit einem anderen Konto bei {0} verknüpft.',
  reviewBrokeredProfile: 'Bitte prüfen Sie, was wir von {0} übernehmen.',
  federatedIdentityExistsMessage:
    'Ein Benutzer mit {0} {1} existiert bereits. Bitte melden Sie sich dort an, um das Konto zu verknüpfen.',
  confirmLinkIdpTitle: 'Konto existiert bereits',
  federatedIdentityConfirmLinkMessage: 'Ein Benutzer mit {0} {1} existiert bereits. Wie möchten Sie fortfahren?',
  confirmLinkIdpContinue: 'Mit dem vorhandenen Konto verknüpfen',
  confirmLinkIdpReviewProfile: 'Profil prüfen',
  emailLinkIdpTitle: '{0} verknüpfen',
  emailLinkIdp1:
    'Wir haben Ihnen eine E-Mail geschickt, mit der Sie das Konto {1} bei {0} mit Ihrem Konto {2} verknüpfen. Kommen Sie hierher zurück, wenn Sie dem Link gefolgt sind.',
  emailLinkIdpNotYet: 'Dem Link in der E-Mail ist noch niemand gefolgt.',
  federatedIdentityConfirmReauthenticateMessage:
    'Geben Sie das Passwort Ihres Kontos {2} ein, um es mit dem Konto {1} bei {0} zu verknüpfen.',
  confirmAccountLinking:
    'Jemand möchte sich mit dem Konto {0} bei {1} an Ihrem Konto {2} anmelden. Fahren Sie nur fort, wenn Sie das sind.',
  identityProviderLinkSuccess:
    'Ihre E-Mail-Adresse ist bestätigt. Bitte kehren Sie zu Ihrem ursprünglichen Browser zurück und setzen Sie dort die Anmeldung fort.',
  linkIdpTitle: '{0} verknüpfen',
  linkIdpText: 'Möchten Sie Ihr Konto {0} mit dem Konto {1} bei {2} verknüpfen? Damit können Sie sich dann anmelden.',
  doLink: 'Verknüpfen',

  // Page expired
  pageExpiredTitle: 'Die Seite ist nicht mehr gültig',
  pageExpiredText: 'Diese Seite ist nicht mehr aktuell. Machen Sie weiter, wo Sie waren, oder beginnen Sie neu.',
  restartLoginTooltip: 'Anmeldung neu beginnen',

  // Consent
  oauthGrantTitle: '{0} bittet um Zugriff auf Ihr Konto',
  oauthGrantInformation: 'Lesen Sie, wie {0} mit Ihren Daten umgeht, und stimmen Sie nur zu, wenn Sie {0} vertrauen.',
  oauthGrantPolicy: 'Datenschutzerklärung',
  oauthGrantTos: 'Nutzungsbedingungen',
  oauthGrantRequest: 'Wenn Sie es erlauben, bekommt diese Anwendung:',
  signedInAs: 'Sie sind angemeldet als {0}.',
  profileScopeConsentText: 'Nutzerprofil',
  profileScopeConsentHelp: 'Ihren Namen, Ihren Benutzernamen und was Ihr Profil sonst über Sie sagt.',
  emailScopeConsentText: 'E-Mail-Adresse',
  emailScopeConsentHelp: 'Ihre E-Mail-Adresse und ob sie bestätigt ist.',
  addressScopeConsentText: 'Adresse',
  addressScopeConsentHelp: 'Ihre Postanschrift.',
  phoneScopeConsentText: 'Telefonnummer',
  phoneScopeConsentHelp: 'Ihre Telefonnummer und ob sie bestätigt ist.',
  offlineAccessScopeConsentText: 'Offline-Zugriff',
  offlineAccessScopeConsentHelp:
    'Sie behält den Zugriff, auch wenn Sie nicht da sind, bis Sie ihn in Ihrem Konto entziehen.',
  rolesScopeConsentText: 'Nutzerrollen',
  rolesScopeConsentHelp: 'Was Sie tun dürfen.',
  samlRoleListScopeConsentText: 'Meine Rollen',
  samlRoleListScopeConsentHelp: 'Was Sie tun dürfen.',
  organizationScopeConsentText: 'Organisation',
  organizationScopeConsentHelp: 'Zu welchen Organisationen Sie gehören.',
  consentDenied: 'Zustimmung verweigert.',

  // Device login
  oauth2DeviceVerificationTitle: 'Anmeldung eines Geräts',
  verifyOAuth2DeviceUserCode: 'Geben Sie den Code ein, den Ihr Gerät anzeigt, und klicken Sie auf „Absenden“',
  oauth2DeviceUserCode: 'Code',
  oauth2DeviceInvalidUserCodeMessage: 'Ungültiger Code, bitte versuchen Sie es erneut.',
  oauth2DeviceExpiredUserCodeMessage:
    'Der Code ist abgelaufen. Bitte gehen Sie zu Ihrem Gerät zurück und versuchen Sie die Verbindung erneut.',
  oauth2DeviceTooManyUserCodesMessage:
    'Zu viele falsche Codes. Bitte warten Sie einige Minuten und versuchen Sie es erneut.',
  oauth2DeviceCompareUserCode: 'Ein Gerät möchte Ihr Konto verwenden. Es muss diesen Code anzeigen:',
  oauth2DeviceRefuseUnknown: 'Wenn Sie das nicht an einem Gerät vor Ihnen begonnen haben, erlauben Sie es nicht.',
  oauth2DeviceVerificationCompleteHeader: 'Anmeldung des Geräts erfolgreich',
  oauth2DeviceVerificationCompleteMessage: 'Sie können dieses Browserfenster schließen und zu Ihrem Gerät zurückgehen.',
  oauth2DeviceVerificationFailedHeader: 'Anmeldung des Geräts fehlgeschlagen',
  oauth2DeviceVerificationFailedMessage:
    'Sie können dieses Browserfenster schließen, zu Ihrem Gerät zurückgehen und die Verbindung erneut versuchen.',
  oauth2DeviceConsentDeniedMessage: 'Sie haben der Verbindung des Geräts nicht zugestimmt.',
  oauth2DeviceAuthorizationGrantDisabledMessage:
    'Der Client darf keinen OAuth 2.0 Device Authorization Grant beginnen. Der Flow ist für ihn deaktiviert.',

  // Names of Keycloak's own clients
  client_account: 'Konto',
  'client_account-console': 'Kontoverwaltung',
  'client_security-admin-console': 'Administrationskonsole',
  'client_admin-cli': 'Admin CLI',
  'client_realm-management': 'Realm-Verwaltung',
  client_broker: 'Broker',

  // Form post
  'saml.post-form.title': 'Weiterleitung zur Anwendung',
  'saml.post-form.message': 'Sie werden weitergeleitet, bitte warten.',

  // Logout
  logoutConfirmTitle: 'Abmelden',
  logoutConfirmHeader: 'Möchten Sie sich abmelden?',
  doLogout: 'Abmelden',
  successLogout: 'Sie sind abgemeldet',
  failedLogout: 'Abmeldung fehlgeschlagen',
  sessionNotActiveMessage: 'Sitzung ist nicht aktiv.',
  'frontchannel-logout.title': 'Abmeldung läuft',
  'frontchannel-logout.message': 'Sie werden von diesen Anwendungen abgemeldet',

  // Links with an action token
  actionTokenConfirmTitle: 'Weiter',
  actionTokenConfirmText: 'Sie haben einen Link geöffnet, der für das Konto {0} erstellt wurde.',
  actionTokenConfirmForApplicationText:
    'Sie haben einen Link für die Anwendung {1} geöffnet, der für das Konto {0} erstellt wurde.',
  expiredActionMessage: 'Die Aktion ist abgelaufen. Bitte fahren Sie nun mit der Anmeldung fort.',
  expiredActionTokenNoSessionMessage: 'Die Aktion ist abgelaufen.',
  expiredActionTokenSessionExistsMessage: 'Die Aktion ist abgelaufen. Bitte beginnen Sie neu.',
  staleCodeMessage:
    'Diese Seite ist nicht mehr gültig, bitte kehren Sie zu Ihrer Anwendung zurück und melden Sie sich erneut an',
  accountUpdatedTitle: 'Konto aktualisiert',
  accountNotUpdatedMessage: 'Ihr Konto wurde nicht aktualisiert.',
  accountUpdatedMessage: 'Ihr Konto wurde aktualisiert.',

  // Forgotten passwords
  doForgotPassword: 'Passwort vergessen?',
  backToLogin: 'Zurück zur Anmeldung',
  emailForgotTitle: 'Passwort vergessen?',
  emailInstruction:
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wir senden Ihnen dann eine Anleitung, wie Sie ein neues Passwort festlegen.',
  emailInstructionUsername:
    'Geben Sie Ihren Benutzernamen ein. Wir senden Ihnen dann eine Anleitung, wie Sie ein neues Passwort festlegen.',
  emailSentMessage: 'Sie sollten in Kürze eine E-Mail mit weiteren Anweisungen erhalten.',
  confirmResetText: 'Sie können nun ein neues Passwort für das Konto von {0} festlegen.',
  resetCredentialNotAllowedMessage: 'Das Zurücksetzen von Zugangsdaten ist nicht erlaubt',

  // Verified addresses
  emailVerifyTitle: 'Bestätigung der E-Mail-Adresse',
  emailVerifyInstruction:
    'Sie müssen Ihre E-Mail-Adresse bestätigen. Wir haben eine E-Mail mit einer Anleitung an {0} gesendet.',
  emailVerifyResend: 'E-Mail noch einmal senden',
  confirmEmailAddressVerification: 'Bestätigen Sie, dass die E-Mail-Adresse {0} gültig ist.',
  emailVerifiedMessage: 'Ihre E-Mail-Adresse wurde bestätigt.',
  emailVerifiedAlreadyMessage: 'Ihre E-Mail-Adresse ist bereits bestätigt.',
  staleEmailVerificationLink:
    'Der Link ist veraltet und nicht mehr gültig. Vielleicht haben Sie Ihre E-Mail-Adresse schon bestätigt.',
  confirmExecutionOfActions: 'Ihr Konto {0} wird nun aktualisiert:',
  invalidTokenRequiredActions: 'Die Aktionen in diesem Link sind nicht gültig',

  // One-time passwords
  loginOtpTitle: 'Einmalcode eingeben',
  loginOtpText: 'Öffnen Sie Ihre Authentifizierungs-App und geben Sie den Code ein, den sie für dieses Konto anzeigt.',
  loginOtpOneTime: 'Einmalcode',
  invalidTotpMessage: 'Ungültiger Einmalcode.',
  missingTotpMessage: 'Bitte geben Sie den Einmalcode ein.',
  loginTotpTitle: 'Authentifizierungs-App einrichten',
  loginTotpText:
    'Scannen Sie den Code mit einer Authentifizierungs-App, oder tippen Sie die Buchstaben darunter in die App. Geben Sie dann den Einmalcode ein, den die App anzeigt.',
  loginTotpImage: 'QR-Code für Authentifizierungs-Apps',
  loginTotpDeviceName: 'Name des Geräts',

  // Other ways to go on with a login
  doTryAnotherWay: 'Auf andere Weise',
  'auth-username-password-form-display-name': 'Benutzername und Passwort',
  'otp-display-name': 'Authentifizierungs-App',
  'webauthn-display-name': 'Passkey',
  'webauthn-passwordless-display-name': 'Passkey',
  'auth-recovery-authn-code-form-display-name': 'Wiederherstellungscode',
  'idp-email-verification-display-name': 'Per E-Mail bestätigen',
  'idp-username-password-form-display-name': 'Benutzername und Passwort',

  // Passkeys
  'webauthn-login-title': 'Anmeldung mit Passkey',
  'webauthn-login-text': 'Bestätigen Sie mit Ihrem Passkey, dass Sie es sind.',
  'webauthn-doAuthenticate': 'Mit Passkey anmelden',
  'webauthn-registration-title': 'Passkey einrichten',
  'webauthn-registration-text':
    'Mit einem Passkey bestätigen Sie jede Anmeldung auf Ihrem Gerät: mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel.',
  'webauthn-passwordless-registration-text':
    'Mit einem Passkey melden Sie sich ohne Passwort an: mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel.',
  'webauthn-registration-init-label': 'Passkey',
  'webauthn-registration-init-label-prompt': 'Name des Passkeys',
  doRegisterSecurityKey: 'Einrichten',
  'webauthn-needs-script': 'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.',
  'webauthn-unsupported-browser-text':
    'WebAuthn wird von diesem Browser nicht unterstützt. Versuchen Sie es mit einem anderen, oder wenden Sie sich an Ihren Administrator.',
  'webauthn-error-cancelled': 'Das wurde abgebrochen oder hat zu lange gedauert. Bitte versuchen Sie es erneut.',
  'webauthn-error-registered': 'Dieser Passkey ist für Ihr Konto schon eingerichtet.',
  'webauthn-error-address':
    'Passkeys von {0} können unter dieser Adresse nicht verwendet werden. Sie brauchen einen Hostnamen und überall außer bei localhost https.',
  'webauthn-error-registration': 'Ihr Passkey konnte nicht eingerichtet werden.',
  'webauthn-error-register-verification': 'Das Ergebnis der Einrichtung des Passkeys ist ungültig.',
  'webauthn-error-api-get': 'Die Anmeldung mit dem Passkey ist fehlgeschlagen.',
  'webauthn-error-auth-verification': 'Das Ergebnis der Anmeldung mit dem Passkey ist ungültig.',

  // Recovery codes
  'auth-recovery-code-header': 'Anmeldung mit einem Wiederherstellungscode',
  'auth-recovery-code-info-message': 'Geben Sie den genannten Wiederherstellungscode ein.',
  'auth-recovery-code-prompt': 'Wiederherstellungscode Nr. {0}',
  'auth-recovery-code-few-left': 'Verbleibende Codes mit diesem: {0}. Erstellen Sie bald neue.',
  'recovery-codes-error-invalid': 'Ungültiger Wiederherstellungscode',
  'recovery-code-config-header': 'Wiederherstellungscodes',
  'recovery-code-config-warning-title':
    'Diese Wiederherstellungscodes werden nicht noch einmal angezeigt, wenn Sie die Seite verlassen',
  'recovery-code-config-warning-message':
    'Drucken Sie sie aus, laden Sie sie herunter oder kopieren Sie sie in einen Passwortmanager. Mit jedem Code können Sie sich einmal anmelden, wenn Sie Ihren zweiten Faktor nicht haben.',
  'recovery-codes-print': 'Drucken',
  'recovery-codes-download': 'Herunterladen',
  'recovery-codes-copy': 'Kopieren',
  'recovery-codes-copied': 'Kopiert',
  'recovery-codes-confirmation-message': 'Ich habe diese Codes sicher aufbewahrt',
  'recovery-codes-unconfirmed': 'Bitte bestätigen Sie, dass Sie die Codes aufbewahrt haben.',
  'recovery-codes-action-complete': 'Einrichtung abschließen',
  'recovery-codes-action-cancel': 'Einrichtung abbrechen',
  'recovery-codes-label-default': 'Wiederherstellungscodes',

  // Required actions
  'requiredAction.UPDATE_PASSWORD': 'Passwort ändern',
  'requiredAction.UPDATE_PROFILE': 'Profil aktualisieren',
  'requiredAction.VERIFY_EMAIL': 'E-Mail-Adresse bestätigen',
  'requiredAction.TERMS_AND_CONDITIONS': 'Nutzungsbedingungen',
  'requiredAction.CONFIGURE_TOTP': 'Authentifizierungs-App einrichten',
  'requiredAction.CONFIGURE_RECOVERY_AUTHN_CODES': 'Wiederherstellungscodes erstellen',
  'requiredAction.webauthn-register': 'Passkey als zweiten Faktor einrichten',
  'requiredAction.webauthn-register-passwordless': 'Passkey einrichten',
  'requiredAction.idp_link': 'Konto verknüpfen',
  accountNotFullySetUpMessage:
    'Ihr Konto ist noch nicht fertig eingerichtet, bitte wenden Sie sich an Ihren Administrator.',
  updatePasswordTitle: 'Passwort ändern',
  updatePasswordMessage: 'Sie müssen Ihr Passwort ändern.',
  passwordNew: 'Neues Passwort',
  passwordConfirm: 'Passwort bestätigen',
  logoutOtherSessions: 'Von anderen Geräten abmelden',
  notMatchPasswordMessage: 'Die Passwörter stimmen nicht überein.',
  invalidPasswordMinLengthMessage: 'Ungültiges Passwort: Es muss mindestens {0} Zeichen lang sein.',
  invalidPasswordMaxLengthMessage: 'Ungültiges Passwort: Es darf höchstens {0} Zeichen lang sein.',
  invalidPasswordMinDigitsMessage: 'Ungültiges Passwort: Es muss mindestens {0} Ziffern enthalten.',
  invalidPasswordMinLowerCaseCharsMessage: 'Ungültiges Passwort: Es muss mindestens {0} Kleinbuchstaben enthalten.',
  invalidPasswordMinUpperCaseCharsMessage: 'Ungültiges Passwort: Es muss mindestens {0} Großbuchstaben enthalten.',
  invalidPasswordMinSpecialCharsMessage: 'Ungültiges Passwort: Es muss mindestens {0} Sonderzeichen enthalten.',
  invalidPasswordNotUsernameMessage: 'Ungültiges Passwort: Es darf nicht gleich dem Benutzernamen sein.',
  invalidPasswordNotContainsUsernameMessage: 'Ungültiges Passwort: Es darf den Benutzernamen nicht enthalten.',
  invalidPasswordNotEmailMessage: 'Ungültiges Passwort: Es darf nicht gleich der E-Mail-Adresse sein.',
  invalidPasswordRegexPatternMessage: 'Ungültiges Passwort: Es entspricht nicht dem verlangten Muster.',
  invalidPasswordBlacklistedMessage: 'Ungültiges Passwort: Es steht auf der Liste gesperrter Passwörter.',
  invalidPasswordHistoryMessage: 'Ungültiges Passwort: Es darf keines der letzten {0} Passwörter sein.',
  loginProfileTitle: 'Kontoinformationen aktualisieren',
  updateProfileMessage: 'Sie müssen Ihr Benutzerprofil aktualisieren.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  missingEmailMessage: 'Bitte geben Sie eine E-Mail-Adresse ein.',
  missingFirstNameMessage: 'Bitte geben Sie einen Vornamen ein.',
  missingLastNameMessage: 'Bitte geben Sie einen Nachnamen ein.',
  usernameExistsMessage: 'Dieser Benutzername wird schon verwendet.',
  emailExistsMessage: 'Diese E-Mail-Adresse wird schon verwendet.',
  'error-invalid-value': 'Ungültiger Wert.',
  termsTitle: 'Nutzungsbedingungen',
  termsText: 'Die Nutzungsbedingungen sind noch festzulegen',
  termsDeclined: 'Die Nutzungsbedingungen wurden abgelehnt.',
  doAccept: 'Annehmen',
  doDecline: 'Ablehnen',

  // Mails
  linkExpiration: 'Dieser Link ist {0} gültig.',
  passwordResetSubject: 'Passwort zurücksetzen',
  passwordResetText:
    'Jemand möchte die Zugangsdaten Ihres Kontos {0} ändern. Wenn Sie das waren, folgen Sie bitte dem Link.',
  passwordResetLink: 'Neues Passwort festlegen',
  passwordResetIgnore:
    'Wenn Sie nichts ändern möchten, ignorieren Sie diese Nachricht einfach: Es bleibt alles, wie es ist.',
  emailVerificationSubject: 'E-Mail-Adresse bestätigen',
  emailVerificationText:
    'Jemand hat diese E-Mail-Adresse für das Konto {0} angegeben. Wenn Sie das waren, bestätigen Sie sie mit dem Link.',
  emailVerificationLink: 'Diese Adresse bestätigen',
  emailVerificationIgnore: 'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht einfach.',
  executeActionsSubject: 'Konto aktualisieren',
  executeActionsText: 'Ihr Administrator bittet Sie, Ihr Konto {0} zu aktualisieren. Folgen Sie dazu bitte dem Link:',
  executeActionsLink: 'Konto aktualisieren',
  executeActionsIgnore:
    'Wenn Sie das nicht erwartet haben, ignorieren Sie diese Nachricht einfach: Es bleibt alles, wie es ist.',
  identityProviderLinkSubject: '{2} verknüpfen',
  identityProviderLinkText:
    'Jemand möchte das Konto {1} bei {2} mit Ihrem Konto {0} verknüpfen. Wenn Sie das waren, folgen Sie dem Link.',
  identityProviderLinkLink: 'Konten verknüpfen',
  identityProviderLinkIgnore:
    'Wenn Sie die Konten nicht verknüpfen möchten, ignorieren Sie diese Nachricht. Wer sie verknüpft, kann sich mit {2} an Ihrem Konto anmelden.',
  emailSendErrorMessage: 'Die E-Mail konnte nicht gesendet werden, bitte versuchen Sie es später noch einmal.',

  // Refused requests
  applicationFaultMessage:
    'Die Anwendung hat Sie mit einer Anfrage hierher geschickt, die so nicht geht. Bitte gehen Sie zu ihr zurück und versuchen Sie es noch einmal. Hilft das nicht, sagen Sie es denen, die sie betreiben.',
  applicationDisabledMessage: 'Diese Anwendung kann zurzeit nicht benutzt werden.',
  faultForDevelopers: 'Für Entwickler: {0}',
  invalidRequestMessage: 'Ungültige Anfrage',
  invalidCodeMessage: 'Es ist ein Fehler aufgetreten, bitte melden Sie sich erneut über Ihre Anwendung an.',
  cookieNotFoundMessage: 'Cookie nicht gefunden. Bitte aktivieren Sie Cookies in Ihrem Browser.',
  clientNotFoundMessage: 'Client nicht gefunden.',
  clientDisabledMessage: 'Client deaktiviert.',
  unknownLoginRequesterMessage: 'Unbekannter Anmeldeclient',
  loginRequesterNotEnabledMessage: 'Anmeldeclient nicht aktiviert',
  bearerOnlyMessage: 'Bearer-only-Anwendungen dürfen keine Anmeldung im Browser beginnen',
  standardFlowDisabledMessage:
    'Der Client darf mit diesem response_type keine Anmeldung im Browser beginnen. Der Standard Flow ist für ihn deaktiviert.',
  implicitFlowDisabledMessage:
    'Der Client darf mit diesem response_type keine Anmeldung im Browser beginnen. Der Implicit Flow ist für ihn deaktiviert.',
  invalidRedirectUriMessage: 'Ungültige Redirect URI',
  invalidParameterMessage: 'Ungültiger Parameter: {0}',
  missingParameterMessage: 'Fehlende Parameter: {0}',
  realmNotEnabledMessage: 'Realm nicht aktiviert',
  httpsRequiredMessage: 'HTTPS erforderlich',
  pageNotFound: 'Seite nicht gefunden',
  internalServerError: 'Es ist ein interner Serverfehler aufgetreten',
};

import type { ENGLISH } from './english.js';
import { GERMAN_PROFILE } from './german-profile.js';

/** German texts, by Keycloak's message keys. */
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
  reauthenticate: 'Bitte melden Sie sich erneut an, um fortzufahren.',
  invalidUserMessage: 'Ungültiger Benutzername oder Passwort.',
  invalidUsernameMessage: 'Ungültiger Benutzername.',
  invalidUsernameOrEmailMessage: 'Ungültiger Benutzername oder E-Mail-Adresse.',
  invalidEmailMessage: 'Ungültige E-Mail-Adresse.',
  invalidPasswordMessage: 'Ungültiges Passwort.',
  missingUsernameMessage: 'Bitte geben Sie einen Benutzernamen ein.',
  missingPasswordMessage: 'Bitte geben Sie ein Passwort ein.',
  'access-denied': 'Zugriff verweigert',
  'requiredAction.delete_credential': 'Anmeldemittel entfernen',
  'requiredAction.update_user_locale': 'Sprache merken',
  deleteCredentialTitle: '{0} löschen',
  deleteCredentialMessage: 'Möchten Sie {0} löschen? Sie können sich damit dann nicht mehr anmelden.',
  doDeleteCredential: 'Löschen',
  resetOtpTitle: 'Authentifizierungs-App entfernen',
  resetOtpText: 'Wählen Sie die App, die Sie nicht mehr haben. Danach richten Sie eine andere ein.',
  resetOtpLabel: 'Authentifizierungs-App',
  sessionLimitExceeded:
    'Sie sind zu oft gleichzeitig angemeldet. Melden Sie sich an anderer Stelle ab und versuchen Sie es erneut.',
  accountDisabledMessage: 'Ihr Konto ist deaktiviert. Bitte wenden Sie sich an Ihren Administrator.',
  accountTemporarilyDisabledMessage: 'Ungültiger Benutzername oder Passwort.',
  accountPermanentlyDisabledMessage: 'Ihr Konto ist deaktiviert. Bitte wenden Sie sich an Ihren Administrator.',
  expiredCodeMessage: 'Zeitüberschreitung bei der Anmeldung. Bitte melden Sie sich erneut an.',
  loginTimeout: 'Ihr Anmeldeversuch hat zu lange gedauert. Die Anmeldung beginnt von vorn.',
  loginInterrupted: 'Ihre Anmeldung wurde unterbrochen. Sie beginnt von vorn.',
  alreadyLoggedIn: 'Sie sind bereits angemeldet',
  differentUserAuthenticated: 'Sie sind bereits als „{0}“ angemeldet. Bitte melden Sie sich zuerst ab.',

  // Identity providers
  'identity-provider-login-label': 'Oder anmelden mit',
  accessDeniedWhenIdpAuth:
    'Der Zugriff wurde bei {0} verweigert. Versuchen Sie es erneut oder melden Sie sich auf andere Weise an.',
  identityProviderNotFoundMessage:
    'Identity-Provider nicht gefunden. Gehen Sie zur Anwendung zurück und melden Sie sich erneut an.',
  identityProviderUnexpectedErrorMessage:
    'Die Anmeldung beim Identity-Provider ist fehlgeschlagen. Bitte versuchen Sie es erneut.',
  identityProviderInvalidResponseMessage: 'Ungültige Antwort des Identity-Providers. Bitte versuchen Sie es erneut.',
  identityProviderInvalidSignatureMessage:
    'Ungültige Signatur in der Antwort des Identity-Providers. Bitte wenden Sie sich an Ihren Administrator.',
  identityProviderDifferentUserMessage:
    'Sie haben sich beim Identity-Provider als ein anderer Benutzer angemeldet. Bitte beginnen Sie neu.',
  identityProviderAlreadyLinkedMessage: 'Dieses Konto bei {0} ist bereits mit einem anderen Benutzer verknüpft.',
  identityProviderOtherAccountMessage: 'Sie sind bereits mit einem anderen Konto bei {0} verknüpft.',
  reviewBrokeredProfile: 'Bitte prüfen Sie die Profildaten von {0}.',
  federatedIdentityExistsMessage:
    'Ein Benutzer mit {0} {1} existiert bereits. Um die Konten zu verknüpfen, melden Sie sich auf Ihrer Kontoseite an.',
  confirmLinkIdpTitle: 'Konto existiert bereits',
  federatedIdentityConfirmLinkMessage: 'Ein Benutzer mit {0} {1} existiert bereits. Wie möchten Sie fortfahren?',
  confirmOverrideIdpTitle: 'Ihr Konto ist bereits verknüpft',
  confirmOverrideIdpText:
    'Ihr Konto {0} ist mit dem Konto {3} bei {1} verknüpft. Möchten Sie es stattdessen mit dem Konto {2} verknüpfen?',
  confirmOverrideIdpContinue: 'Verknüpfung ersetzen',
  confirmLinkIdpContinue: 'Mit dem vorhandenen Konto verknüpfen',
  confirmLinkIdpReviewProfile: 'Profil prüfen',
  emailLinkIdpTitle: '{0} verknüpfen',
  emailLinkIdp1:
    'Wir haben Ihnen eine E-Mail gesendet. Folgen Sie dem Link darin, um das Konto {1} bei {0} mit Ihrem Konto {2} zu verknüpfen. Kommen Sie dann hierher zurück.',
  emailLinkIdpNotYet: 'Folgen Sie zuerst dem Link in der E-Mail.',
  federatedIdentityConfirmReauthenticateMessage:
    'Geben Sie das Passwort Ihres Kontos {2} ein, um es mit dem Konto {1} bei {0} zu verknüpfen.',
  confirmAccountLinking:
    'Jemand möchte sich mit dem Konto {0} bei {1} an Ihrem Konto {2} anmelden. Fahren Sie nur fort, wenn Sie das sind.',
  identityProviderLinkSuccess:
    'Ihre E-Mail-Adresse ist bestätigt. Gehen Sie zu dem Browser zurück, in dem Sie begonnen haben, und fahren Sie dort fort.',
  linkIdpTitle: '{0} verknüpfen',
  linkIdpText: 'Möchten Sie Ihr Konto {0} mit dem Konto {1} bei {2} verknüpfen? Sie können sich dann damit anmelden.',
  doLink: 'Verknüpfen',

  // Page expired
  pageExpiredTitle: 'Die Seite ist nicht mehr gültig',
  pageExpiredText: 'Diese Seite ist nicht mehr aktuell. Setzen Sie die Anmeldung fort oder beginnen Sie neu.',
  restartLoginTooltip: 'Anmeldung neu beginnen',

  // Consent
  oauthGrantTitle: 'Zugriff für {0} erlauben',
  oauthGrantInformation:
    'Informieren Sie sich, wie {0} mit Ihren Daten umgeht, und erlauben Sie den Zugriff nur, wenn Sie {0} vertrauen.',
  oauthGrantPolicy: 'Datenschutzerklärung',
  oauthGrantTos: 'Nutzungsbedingungen',
  oauthGrantRequest: 'Diese Anwendung bittet um Zugriff auf:',
  signedInAs: 'Sie sind angemeldet als {0}.',
  profileScopeConsentText: 'Nutzerprofil',
  profileScopeConsentHelp: 'Ihr Name, Ihr Benutzername und die übrigen Daten Ihres Profils.',
  emailScopeConsentText: 'E-Mail-Adresse',
  emailScopeConsentHelp: 'Ihre E-Mail-Adresse und ob sie bestätigt ist.',
  addressScopeConsentText: 'Adresse',
  addressScopeConsentHelp: 'Ihre Postanschrift.',
  phoneScopeConsentText: 'Telefonnummer',
  phoneScopeConsentHelp: 'Ihre Telefonnummer und ob sie bestätigt ist.',
  offlineAccessScopeConsentText: 'Offline-Zugriff',
  offlineAccessScopeConsentHelp:
    'Die Anwendung behält den Zugriff nach der Abmeldung, bis Sie ihn in Ihrem Konto entziehen.',
  rolesScopeConsentText: 'Nutzerrollen',
  rolesScopeConsentHelp: 'Was Sie tun dürfen.',
  samlRoleListScopeConsentText: 'Meine Rollen',
  samlRoleListScopeConsentHelp: 'Was Sie tun dürfen.',
  organizationScopeConsentText: 'Organisation',
  organizationScopeConsentHelp: 'Zu welchen Organisationen Sie gehören.',
  consentDenied: 'Zustimmung verweigert.',

  // Device login
  oauth2DeviceVerificationTitle: 'Geräteanmeldung',
  verifyOAuth2DeviceUserCode: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  oauth2DeviceUserCode: 'Code',
  oauth2DeviceInvalidUserCodeMessage: 'Ungültiger Code. Bitte versuchen Sie es erneut.',
  oauth2DeviceExpiredUserCodeMessage:
    'Der Code ist abgelaufen. Gehen Sie zu Ihrem Gerät zurück und verbinden Sie es erneut.',
  oauth2DeviceTooManyUserCodesMessage:
    'Zu viele ungültige Codes. Warten Sie einige Minuten und versuchen Sie es dann erneut.',
  oauth2DeviceCompareUserCode: 'Ein Gerät bittet um Zugriff auf Ihr Konto. Prüfen Sie, ob es diesen Code anzeigt:',
  oauth2DeviceRefuseUnknown:
    'Erlauben Sie den Zugriff nicht, wenn Sie das nicht an einem Gerät vor Ihnen begonnen haben.',
  oauth2DeviceVerificationCompleteHeader: 'Geräteanmeldung erfolgreich',
  oauth2DeviceVerificationCompleteMessage: 'Sie können dieses Browserfenster schließen und zu Ihrem Gerät zurückgehen.',
  oauth2DeviceVerificationFailedHeader: 'Geräteanmeldung fehlgeschlagen',
  oauth2DeviceVerificationFailedMessage:
    'Sie können dieses Browserfenster schließen. Gehen Sie zu Ihrem Gerät zurück und verbinden Sie es erneut.',
  oauth2DeviceConsentDeniedMessage: 'Sie haben die Verbindung des Geräts nicht erlaubt.',
  oauth2DeviceAuthorizationGrantDisabledMessage: 'Der Device Grant ist für diesen Client deaktiviert.',

  // Names of Keycloak's own clients
  client_account: 'Konto',
  'client_account-console': 'Kontoverwaltung',
  'client_security-admin-console': 'Administrationskonsole',
  'client_admin-cli': 'Admin CLI',
  'client_realm-management': 'Realm-Verwaltung',
  client_broker: 'Broker',

  // Form post
  'saml.post-form.title': 'Zurück zur Anwendung',
  'saml.post-form.message': 'Sie werden weitergeleitet, bitte warten.',

  // Logout
  logoutConfirmTitle: 'Abmelden',
  logoutConfirmHeader: 'Möchten Sie sich abmelden?',
  doLogout: 'Abmelden',
  successLogout: 'Sie sind abgemeldet',
  failedLogout: 'Die Abmeldung ist fehlgeschlagen. Gehen Sie zur Anwendung zurück und melden Sie sich erneut ab.',
  sessionNotActiveMessage: 'Ihre Sitzung ist nicht mehr aktiv.',
  'frontchannel-logout.title': 'Abmeldung läuft',
  'frontchannel-logout.message': 'Sie werden von diesen Anwendungen abgemeldet:',

  // Links with an action token
  actionTokenConfirmTitle: 'Weiter',
  actionTokenConfirmText: 'Sie haben einen Link für das Konto {0} geöffnet.',
  actionTokenConfirmForApplicationText: 'Sie haben einen Link der Anwendung {1} für das Konto {0} geöffnet.',
  expiredActionMessage: 'Die Aktion ist abgelaufen. Bitte fahren Sie nun mit der Anmeldung fort.',
  expiredActionTokenNoSessionMessage:
    'Die Aktion ist abgelaufen. Fordern Sie einen neuen Link an oder beginnen Sie neu.',
  expiredActionTokenSessionExistsMessage: 'Die Aktion ist abgelaufen. Bitte beginnen Sie neu.',
  staleCodeMessage:
    'Diese Seite ist nicht mehr gültig. Gehen Sie zu Ihrer Anwendung zurück und melden Sie sich erneut an.',
  accountUpdatedTitle: 'Konto aktualisiert',
  accountNotUpdatedMessage: 'Ihr Konto wurde nicht aktualisiert.',
  accountUpdatedMessage: 'Ihr Konto wurde aktualisiert.',

  // Links that sign in
  loginLinkTitle: 'Anmelden',
  loginLinkHereText: 'Sie haben einen Link geöffnet, der Sie als {0} bei {1} anmeldet.',
  loginLinkWaitingText:
    'Ein Browser wartet darauf, sich als {0} bei {1} anzumelden. Es ist {2} mit der Adresse {3}. Wählen Sie die Zahl, die sein Fenster zeigt. Wenn Sie das nicht begonnen haben, versucht jemand anderes, sich als Sie anzumelden.',
  loginLinkRefuse: 'Das war ich nicht',
  consoleLoginRefused: 'Dieser Link ist ungültig oder abgelaufen. Führen Sie npx keyhost console noch einmal aus.',
  loginLinkRefusedText: 'Niemand wurde angemeldet. Der Link ist nicht mehr gültig.',
  loginLinkWrongNumber:
    'Diese Zahl ist falsch, und der Link ist nicht mehr gültig. Beginnen Sie die Anmeldung noch einmal.',
  loginLinkApprovedText: 'Gehen Sie zurück zu dem Fenster, das die Zahl zeigt, und fahren Sie dort fort.',
  loginLinkInterrupted:
    'Die Anmeldung, zu der dieser Link gehört, ist beendet oder wurde unterbrochen. Gehen Sie zurück zu dem Fenster, in dem Sie sie begonnen haben, und melden Sie sich erneut an.',
  loginLinkDoneText: 'Sie sind angemeldet.',

  // Forgotten passwords
  doForgotPassword: 'Passwort vergessen?',
  backToLogin: 'Zurück zur Anmeldung',
  emailForgotTitle: 'Passwort vergessen?',
  emailInstruction:
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wir senden Ihnen dann eine Anleitung, wie Sie ein neues Passwort festlegen.',
  emailInstructionUsername:
    'Geben Sie Ihren Benutzernamen ein. Wir senden Ihnen dann eine Anleitung, wie Sie ein neues Passwort festlegen.',
  emailSentMessage: 'Sie sollten in Kürze eine E-Mail mit weiteren Anweisungen erhalten.',
  confirmResetText: 'Sie können jetzt ein neues Passwort für das Konto {0} festlegen.',
  resetCredentialNotAllowedMessage:
    'Das Zurücksetzen des Passworts ist nicht erlaubt. Bitte wenden Sie sich an Ihren Administrator.',

  // Verified addresses
  emailVerifyTitle: 'Bestätigung der E-Mail-Adresse',
  emailVerifyInstruction:
    'Bestätigen Sie Ihre E-Mail-Adresse, um fortzufahren. Wir haben eine E-Mail mit einer Anleitung an {0} gesendet.',
  emailVerifyResend: 'E-Mail erneut senden',
  confirmEmailAddressVerification: 'Bestätigen Sie, dass {0} Ihre E-Mail-Adresse ist.',
  emailVerifiedMessage: 'Ihre E-Mail-Adresse wurde bestätigt.',
  emailVerifiedAlreadyMessage: 'Ihre E-Mail-Adresse ist bereits bestätigt.',
  staleEmailVerificationLink:
    'Dieser Link ist nicht mehr gültig. Vielleicht haben Sie Ihre E-Mail-Adresse schon bestätigt.',
  confirmExecutionOfActions: 'Führen Sie diese Aktionen für Ihr Konto {0} aus:',
  invalidTokenRequiredActions: 'Der Link enthält ungültige Aktionen. Bitte wenden Sie sich an Ihren Administrator.',

  // One-time passwords
  loginOtpTitle: 'Einmalcode eingeben',
  loginOtpText: 'Geben Sie den Code ein, den Ihre Authentifizierungs-App für dieses Konto anzeigt.',
  loginOtpOneTime: 'Einmalcode',
  invalidTotpMessage: 'Ungültiger Einmalcode.',
  missingTotpMessage: 'Bitte geben Sie den Einmalcode ein.',
  loginTotpTitle: 'Authentifizierungs-App einrichten',
  loginTotpText:
    'Scannen Sie den QR-Code mit einer Authentifizierungs-App oder geben Sie den Schlüssel darunter ein. Geben Sie dann den Einmalcode ein, den die App anzeigt.',
  loginTotpImage: 'QR-Code für Authentifizierungs-Apps',
  loginTotpDeviceName: 'Name des Geräts',

  // Alternatives in a login
  doTryAnotherWay: 'Andere Methode wählen',
  'auth-username-password-form-display-name': 'Benutzername und Passwort',
  'auth-username-form-display-name': 'Benutzername',
  'password-display-name': 'Passwort',
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
    'Ein Passkey bestätigt jede Anmeldung auf Ihrem Gerät, mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel.',
  'webauthn-passwordless-registration-text':
    'Mit einem Passkey melden Sie sich ohne Passwort an, mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel.',
  'webauthn-registration-init-label': 'Passkey',
  'webauthn-registration-init-label-prompt': 'Name des Passkeys',
  doRegisterSecurityKey: 'Einrichten',
  'webauthn-needs-script': 'Passkeys erfordern JavaScript. Aktivieren Sie es in diesem Browser.',
  'webauthn-unsupported-browser-text':
    'Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen anderen Browser oder wenden Sie sich an Ihren Administrator.',
  'webauthn-error-cancelled':
    'Die Passkey-Anfrage wurde abgebrochen oder ist abgelaufen. Bitte versuchen Sie es erneut.',
  'webauthn-error-registered': 'Dieser Passkey ist für Ihr Konto bereits eingerichtet.',
  'webauthn-error-address':
    'Passkeys von {0} funktionieren unter dieser Adresse nicht. Sie erfordern einen Hostnamen und, außer auf localhost, HTTPS.',
  'webauthn-error-registration': 'Der Passkey konnte nicht eingerichtet werden. Bitte versuchen Sie es erneut.',
  'webauthn-error-register-verification': 'Die Einrichtung des Passkeys ist ungültig. Bitte versuchen Sie es erneut.',
  'webauthn-error-api-get': 'Die Anmeldung mit dem Passkey ist fehlgeschlagen. Bitte versuchen Sie es erneut.',
  'webauthn-error-auth-verification': 'Ungültiger Passkey. Bitte versuchen Sie es erneut.',

  // Recovery codes
  'auth-recovery-code-header': 'Anmeldung mit einem Wiederherstellungscode',
  'auth-recovery-code-info-message': 'Geben Sie den Wiederherstellungscode mit dieser Nummer ein.',
  'auth-recovery-code-prompt': 'Wiederherstellungscode Nr. {0}',
  'auth-recovery-code-few-left':
    'Verbleibende Wiederherstellungscodes, diesen eingeschlossen: {0}. Erstellen Sie bald neue.',
  'recovery-codes-error-invalid': 'Ungültiger Wiederherstellungscode.',
  'recovery-code-config-header': 'Wiederherstellungscodes',
  'recovery-code-config-warning-title': 'Diese Wiederherstellungscodes werden nur einmal angezeigt.',
  'recovery-code-config-warning-message':
    'Drucken Sie die Codes aus, laden Sie sie herunter oder kopieren Sie sie in einen Passwortmanager. Mit jedem Code können Sie sich einmal ohne Ihren zweiten Faktor anmelden.',
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
    'Ihr Konto ist nicht vollständig eingerichtet. Bitte wenden Sie sich an Ihren Administrator.',
  updatePasswordTitle: 'Passwort ändern',
  updatePasswordMessage: 'Legen Sie ein neues Passwort fest, um fortzufahren.',
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
  invalidPasswordRegexPatternMessage: 'Ungültiges Passwort: Es muss dem verlangten Muster entsprechen.',
  profileUnavailableMessage: 'Das kann gerade nicht geprüft werden. Versuchen Sie es später noch einmal.',
  passwordUnavailableMessage: 'Passwörter können gerade nicht geprüft werden. Versuchen Sie es später noch einmal.',
  invalidPasswordBlacklistedMessage: 'Ungültiges Passwort: Es darf nicht auf der Liste gesperrter Passwörter stehen.',
  invalidPasswordHistoryMessage: 'Ungültiges Passwort: Es darf keines der letzten {0} Passwörter sein.',
  loginProfileTitle: 'Kontoinformationen aktualisieren',
  updateProfileMessage: 'Aktualisieren Sie Ihr Profil, um fortzufahren.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  missingEmailMessage: 'Bitte geben Sie eine E-Mail-Adresse ein.',
  missingFirstNameMessage: 'Bitte geben Sie einen Vornamen ein.',
  missingLastNameMessage: 'Bitte geben Sie einen Nachnamen ein.',
  usernameExistsMessage: 'Dieser Benutzername existiert bereits.',
  emailExistsMessage: 'Diese E-Mail-Adresse existiert bereits.',
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
    'Jemand hat ein neues Passwort für Ihr Konto {0} angefordert. Wenn Sie das waren, folgen Sie dem Link.',
  passwordResetLink: 'Neues Passwort festlegen',
  passwordResetIgnore: 'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Es ändert sich nichts.',
  emailVerificationSubject: 'E-Mail-Adresse bestätigen',
  emailVerificationText:
    'Jemand hat diese E-Mail-Adresse für das Konto {0} angegeben. Wenn Sie das waren, bestätigen Sie sie mit dem Link.',
  emailVerificationLink: 'E-Mail-Adresse bestätigen',
  emailVerificationIgnore: 'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht.',
  executeActionsSubject: 'Konto aktualisieren',
  executeActionsText: 'Ihr Administrator bittet Sie, Ihr Konto {0} zu aktualisieren. Folgen Sie dazu dem Link.',
  executeActionsLink: 'Konto aktualisieren',
  executeActionsIgnore: 'Wenn Sie das nicht erwartet haben, ignorieren Sie diese Nachricht. Es ändert sich nichts.',
  identityProviderLinkSubject: '{2} verknüpfen',
  identityProviderLinkText:
    'Jemand möchte das Konto {1} bei {2} mit Ihrem Konto {0} verknüpfen. Wenn Sie das waren, folgen Sie dem Link.',
  identityProviderLinkLink: 'Konten verknüpfen',
  identityProviderLinkIgnore:
    'Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Nach dem Verknüpfen kann sich das Konto bei {2} an Ihrem Konto anmelden.',
  eventLoginErrorSubject: 'Fehlgeschlagene Anmeldung',
  eventLoginErrorBody:
    'Am {0} ist von {1} aus eine Anmeldung an Ihrem Konto fehlgeschlagen. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  eventRemoveCredentialSubject: 'Zugangsdaten entfernt',
  eventRemoveCredentialBody:
    'Am {1} wurden von {2} aus die Zugangsdaten {0} von Ihrem Konto entfernt. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  eventRemoveTotpSubject: 'Authentifizierungs-App entfernt',
  eventRemoveTotpBody:
    'Am {0} wurde von {1} aus eine Authentifizierungs-App von Ihrem Konto entfernt. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  eventUpdateCredentialSubject: 'Zugangsdaten geändert',
  eventUpdateCredentialBody:
    'Am {1} wurden von {2} aus die Zugangsdaten {0} Ihres Kontos geändert. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  eventUpdatePasswordSubject: 'Passwort geändert',
  eventUpdatePasswordBody:
    'Am {0} wurde von {1} aus das Passwort Ihres Kontos geändert. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  eventUpdateTotpSubject: 'Authentifizierungs-App eingerichtet',
  eventUpdateTotpBody:
    'Am {0} wurde von {1} aus eine Authentifizierungs-App für Ihr Konto eingerichtet. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  eventUserDisabledByPermanentLockoutSubject: 'Konto deaktiviert',
  eventUserDisabledByPermanentLockoutBody:
    'Ihr Konto wurde am {0} nach mehreren fehlgeschlagenen Anmeldungen deaktiviert. Wenden Sie sich an Ihren Administrator.',
  eventUserDisabledByTemporaryLockoutSubject: 'Konto gesperrt',
  eventUserDisabledByTemporaryLockoutBody:
    'Ihr Konto wurde am {0} nach mehreren fehlgeschlagenen Anmeldungen für eine Weile gesperrt. Wenn Sie das nicht waren, wenden Sie sich an Ihren Administrator.',
  emailTooManyMessage:
    'Es wurde jetzt keine weitere E-Mail gesendet: Es wurden zu viele angefordert. Nehmen Sie die neueste, oder versuchen Sie es in einer Stunde erneut.',
  emailSendErrorMessage: 'Die E-Mail konnte nicht gesendet werden. Bitte versuchen Sie es später erneut.',

  // Refused requests
  applicationFaultMessage:
    'Die Anwendung hat eine ungültige Anfrage gesendet. Gehen Sie zurück und versuchen Sie es erneut. Wenn das nicht hilft, wenden Sie sich an den Betreiber der Anwendung.',
  applicationDisabledMessage: 'Diese Anwendung ist deaktiviert. Bitte wenden Sie sich an ihren Betreiber.',
  faultForDevelopers: 'Für Entwickler: {0}',
  invalidRequestMessage: 'Ungültige Anfrage',
  invalidCodeMessage: 'Es ist ein Fehler aufgetreten. Bitte melden Sie sich erneut über Ihre Anwendung an.',
  cookieNotFoundMessage:
    'Cookie nicht gefunden. Aktivieren Sie Cookies in Ihrem Browser und melden Sie sich erneut an.',
  clientNotFoundMessage: 'Client nicht gefunden',
  clientDisabledMessage: 'Client deaktiviert',
  unknownLoginRequesterMessage: 'Client nicht gefunden',
  loginRequesterNotEnabledMessage: 'Client deaktiviert',
  bearerOnlyMessage: 'Bearer-only-Clients können keine Anmeldung im Browser beginnen.',
  standardFlowDisabledMessage:
    'Der Standard-Flow ist für diesen Client deaktiviert. Er kann diesen response_type nicht verwenden.',
  implicitFlowDisabledMessage:
    'Der implizite Flow ist für diesen Client deaktiviert. Er kann diesen response_type nicht verwenden.',
  invalidRedirectUriMessage: 'Ungültige Redirect-URI',
  invalidParameterMessage: 'Ungültiger Parameter: {0}',
  missingParameterMessage: 'Fehlende Parameter: {0}',
  realmNotEnabledMessage: 'Dieser Realm ist deaktiviert. Bitte wenden Sie sich an Ihren Administrator.',
  httpsRequiredMessage: 'Diese Seite erfordert HTTPS. Öffnen Sie sie unter einer Adresse, die mit https beginnt.',
  pageNotFound: 'Seite nicht gefunden. Prüfen Sie die Adresse.',
  internalServerError: 'Es ist ein interner Serverfehler aufgetreten. Bitte versuchen Sie es später erneut.',
};

import type { ACCOUNT_ENGLISH } from './account-english.js';

/** The account page in German. */
export const ACCOUNT_GERMAN: Readonly<Record<keyof typeof ACCOUNT_ENGLISH, string>> = {
  // Frame
  accountNavigation: 'Ihr Konto',
  accountPageTitle: '{0} – {1}',
  personalInfo: 'Persönliche Daten',
  signingIn: 'Anmeldung',
  deviceActivity: 'Geräteaktivität',
  linkedAccounts: 'Verknüpfte Konten',
  applications: 'Anwendungen',
  doSignOut: 'Abmelden',
  doSave: 'Speichern',
  signInAgainTitle: 'Bitte melden Sie sich erneut an',
  signInAgainText:
    'Ihre Anmeldung liegt einige Zeit zurück. Melden Sie sich zum Schutz Ihres Kontos erneut an, um fortzufahren.',
  signInAgainForDraft:
    'Melden Sie sich zum Schutz Ihres Kontos erneut an, bevor Sie Benutzername oder E-Mail ändern. Ihre Eingaben bleiben erhalten.',
  accountSessionEnded: 'Sie sind nicht mehr angemeldet. Melden Sie sich an, um fortzufahren.',
  accountLoginFailed: 'Sie sind nicht angemeldet. Bitte versuchen Sie es erneut.',
  accountFormInvalid: 'Diese Seite war veraltet. Es wurde nichts geändert. Bitte versuchen Sie es erneut.',
  accountForbidden: 'Das ist Ihnen nicht erlaubt. Bitte wenden Sie sich an Ihren Administrator.',
  lastAdministrator:
    'Sie sind der letzte Administrator dieses Hosts. Fügen Sie zuerst einen weiteren Administrator hinzu.',
  timeInUtc: '{0} UTC',

  // Personal info
  personalInfoDescription: 'Verwalten Sie Ihre grundlegenden Angaben.',
  personalInfoReadOnly: 'Sie können diese Daten sehen, aber nicht ändern.',
  emailNotVerified: 'Diese E-Mail-Adresse ist noch nicht bestätigt.',
  verifyEmailNow: 'E-Mail-Adresse bestätigen',
  confirmDraft: 'Sie sind wieder angemeldet. Wählen Sie „Speichern“, um Ihre Änderungen zu übernehmen.',
  deleteAccount: 'Konto löschen',
  deleteAccountDescription: 'Löschen Sie Ihr Konto und alle seine Daten endgültig.',

  // Signing in
  signingInDescription: 'Verwalten Sie, wie Sie sich anmelden.',
  'credential.password': 'Passwort',
  'credential.otp': 'Authentifizierungs-App',
  'credential.webauthn': 'Sicherheitsschlüssel',
  'credential.webauthn-passwordless': 'Passkeys',
  'credential.recovery-authn-codes': 'Wiederherstellungscodes',
  'credentialHelp.password': 'Melden Sie sich mit Ihrem Passwort an.',
  'credentialHelp.otp': 'Geben Sie als zweiten Faktor einen Einmalcode aus einer Authentifizierungs-App ein.',
  'credentialHelp.webauthn': 'Verwenden Sie einen Sicherheitsschlüssel oder Ihr Gerät als zweiten Faktor.',
  'credentialHelp.webauthn-passwordless': 'Melden Sie sich ohne Passwort an.',
  'credentialHelp.recovery-authn-codes': 'Melden Sie sich an, wenn Sie Ihren zweiten Faktor nicht haben.',
  myPassword: 'Mein Passwort',
  'credentialGroup.first': 'Einfache Authentifizierung',
  'credentialGroup.second': 'Zwei-Faktor-Authentifizierung',
  'credentialGroup.passwordless': 'Passwortlos',
  'credentialGroupEmpty.first': 'Kein Passwort ist eingerichtet.',
  'credentialGroupEmpty.second':
    'Kein zweiter Faktor ist eingerichtet. Jeder, der Ihr Passwort kennt, kann sich anmelden.',
  'credentialGroupEmpty.passwordless': 'Kein Passkey ist eingerichtet.',
  createdOn: 'Erstellt',
  doRename: 'Umbenennen',
  doRemove: 'Entfernen',
  doUpdate: 'Ändern',
  doSetUp: 'Einrichten',
  doSetUpAnother: 'Weiteren einrichten',
  credentialLabel: 'Name',
  labelTooLong: 'Geben Sie höchstens 255 Zeichen ein.',
  labelTaken: 'Ein anderer Ihrer Einträge hat diesen Namen. Wählen Sie einen anderen.',
  renameSaved: 'Der Name wurde gespeichert.',
  removeCredentialTitle: '{0} entfernen?',
  removeCredentialText: 'Sie können sich damit dann nicht mehr anmelden.',
  credentialRemoved: 'Der Eintrag wurde entfernt.',
  credentialLastWay: 'Sie können dies nicht entfernen, denn Sie könnten sich dann nicht mehr anmelden.',

  // Devices
  deviceActivityDescription: 'Sehen Sie, wo Sie angemeldet sind, und melden Sie sich von unbekannten Geräten ab.',
  currentSession: 'Aktuelle Sitzung',
  signedInSince: 'Begonnen',
  lastAccess: 'Letzter Zugriff',
  ipAddress: 'IP-Adresse',
  sessionApplications: 'Anwendungen',
  unknownDevice: 'Unbekanntes Gerät',
  deviceBrowserOnSystem: '{0} unter {1}',
  signOutSession: 'Abmelden',
  signOutOthers: 'Alle anderen Geräte abmelden',
  signOutOthersText: 'Meldet Sie überall sonst ab und entzieht Anwendungen den Offline-Zugriff.',
  sessionEnded: 'Das Gerät wurde abgemeldet.',
  otherSessionsEnded: 'Alle anderen Geräte wurden abgemeldet.',
  linkSessions: 'Zugriff über Links',
  linkSessionsDescription: 'Anwendungen, die Zugriff haben, weil Sie einen Link geöffnet haben.',
  linkSessionCount: 'Links',
  endLinkSessions: 'Zugriff entziehen',
  linkSessionsEnded: 'Die Anwendung hat diesen Zugriff nicht mehr.',
  offlineSessions: 'Offline-Zugriff',
  offlineSessionsDescription: 'Anwendungen, die Ihr Konto auch in Ihrer Abwesenheit nutzen dürfen.',

  // Linked accounts
  linkedAccountsDescription: 'Verwalten Sie Anmeldungen über Konten anderer Anbieter.',
  linkedTo: 'Verknüpft mit {0}',
  noneLinked: 'Noch keine verknüpften Konten.',
  linkable: 'Konten, die Sie verknüpfen können',
  doLink: 'Verknüpfen',
  doUnlink: 'Trennen',
  unlinkTitle: '{0} trennen?',
  unlinkText: 'Sie können sich mit diesem Konto dann nicht mehr anmelden.',
  accountUnlinked: 'Das Konto wurde getrennt.',
  federatedIdentityRemovingLastProvider:
    'Sie können dieses Konto nicht trennen, denn Sie könnten sich dann nicht mehr anmelden.',

  // Applications
  applicationsDescription: 'Verwalten Sie die Anwendungen, die auf Ihr Konto zugreifen können.',
  noApplications: 'Noch keine Anwendungen. Eine Anwendung erscheint hier, nachdem Sie sich an ihr angemeldet haben.',
  applicationInUse: 'In Gebrauch',
  applicationOffline: 'Offline-Zugriff',
  applicationAccess: 'Hat Zugriff auf',
  applicationGranted: 'Gewährt',
  removeAccess: 'Zugriff entziehen',
  accessRemoved: 'Die Anwendung hat keinen Zugriff mehr.',

  // Deleting the account
  'requiredAction.delete_account': 'Konto löschen',
  deleteAccountConfirm: 'Möchten Sie Ihr Konto löschen?',
  deletingImplies:
    'Das löscht Ihr Konto und alle seine Daten endgültig und meldet Sie überall ab. Das kann nicht rückgängig gemacht werden.',
  doConfirmDelete: 'Konto endgültig löschen',
  userDeletedSuccessfully: 'Ihr Konto wurde gelöscht.',
};

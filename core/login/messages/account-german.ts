import type { ACCOUNT_ENGLISH } from './account-english.js';

/** The account page in German. */
export const ACCOUNT_GERMAN: Readonly<Record<keyof typeof ACCOUNT_ENGLISH, string>> = {
  // Frame
  accountNavigation: 'Ihr Konto',
  accountPageTitle: '{0} – {1}',
  personalInfo: 'Persönliche Daten',
  signingIn: 'Anmeldung',
  deviceActivity: 'Geräte',
  linkedAccounts: 'Verknüpfte Konten',
  applications: 'Anwendungen',
  doSignOut: 'Abmelden',
  doSave: 'Speichern',
  signInAgainTitle: 'Bitte melden Sie sich erneut an',
  signInAgainText:
    'Ihre Anmeldung liegt einige Zeit zurück. Melden Sie sich zum Schutz Ihres Kontos erneut an; dann geht es hier weiter.',
  signInAgainForDraft:
    'Melden Sie sich zum Schutz Ihres Kontos erneut an, bevor Benutzername oder E-Mail geändert werden. Ihre Eingaben bleiben erhalten.',
  accountSessionEnded: 'Sie sind nicht mehr angemeldet. Melden Sie sich an, um fortzufahren.',
  accountLoginFailed: 'Die Anmeldung bei Ihrem Konto wurde nicht abgeschlossen.',
  accountFormInvalid: 'Diese Seite war veraltet. Es wurde nichts geändert; bitte versuchen Sie es noch einmal.',
  accountForbidden: 'Das dürfen Sie nicht.',
  timeInUtc: '{0} UTC',

  // Personal info
  personalInfoDescription: 'Was über Sie bekannt ist.',
  personalInfoReadOnly: 'Sie können diese Daten sehen, aber nicht ändern.',
  emailNotVerified: 'Diese Adresse ist noch nicht bestätigt.',
  verifyEmailNow: 'Jetzt bestätigen',
  confirmDraft: 'Sie haben sich erneut angemeldet. Speichern Sie, um Ihr Konto zu ändern.',
  deleteAccount: 'Konto löschen',
  deleteAccountDescription: 'Ihr Konto und alles, was dazu gehört, verschwinden für immer.',

  // Signing in
  signingInDescription: 'Wie Sie zeigen, dass Sie es sind.',
  'credential.password': 'Passwort',
  'credential.otp': 'Authenticator-App',
  'credential.webauthn': 'Sicherheitsschlüssel',
  'credential.webauthn-passwordless': 'Passkeys',
  'credential.recovery-authn-codes': 'Wiederherstellungscodes',
  'credentialHelp.password': 'Damit melden Sie sich an.',
  'credentialHelp.otp': 'Einmalcodes, als zweiter Schritt.',
  'credentialHelp.webauthn': 'Ein Schlüssel oder Gerät, als zweiter Schritt.',
  'credentialHelp.webauthn-passwordless': 'Damit melden Sie sich statt mit einem Passwort an.',
  'credentialHelp.recovery-authn-codes': 'Falls Sie Ihren zweiten Schritt nicht zur Hand haben.',
  myPassword: 'Mein Passwort',
  noneSetUp: 'Nicht eingerichtet.',
  createdOn: 'Angelegt',
  doRename: 'Umbenennen',
  doRemove: 'Entfernen',
  doUpdate: 'Ändern',
  doSetUp: 'Einrichten',
  doSetUpAnother: 'Weiteren einrichten',
  credentialLabel: 'Name',
  labelTooLong: 'Ein Name hat höchstens 255 Zeichen.',
  labelTaken: 'Diesen Namen haben Sie schon vergeben.',
  renameSaved: 'Der Name wurde gespeichert.',
  removeCredentialTitle: '{0} entfernen?',
  removeCredentialText: 'Sie können sich damit dann nicht mehr anmelden.',
  credentialRemoved: 'Der Eintrag wurde entfernt.',
  credentialLastWay: 'Das lässt sich nicht entfernen: Sie könnten sich dann nicht mehr anmelden.',

  // Devices
  deviceActivityDescription: 'Wo Sie angemeldet sind.',
  currentSession: 'Diese Sitzung',
  signedInSince: 'Begonnen',
  lastAccess: 'Letzter Zugriff',
  ipAddress: 'Adresse',
  sessionApplications: 'Anwendungen',
  unknownDevice: 'Unbekanntes Gerät',
  deviceBrowserOnSystem: '{0} unter {1}',
  signOutSession: 'Abmelden',
  signOutOthers: 'Überall sonst abmelden',
  signOutOthersText: 'Beendet alle Sitzungen außer dieser, und den Offline-Zugriff von Anwendungen.',
  sessionEnded: 'Die Sitzung ist beendet.',
  otherSessionsEnded: 'Alle anderen Sitzungen sind beendet.',
  offlineSessions: 'Offline-Zugriff',
  offlineSessionsDescription: 'Anwendungen, die Ihr Konto auch in Ihrer Abwesenheit nutzen dürfen.',

  // Linked accounts
  linkedAccountsDescription: 'Konten bei anderen, mit denen Sie sich anmelden können.',
  linkedTo: 'Verknüpft mit {0}',
  notLinked: 'Nicht verknüpft.',
  doLink: 'Verknüpfen',
  doUnlink: 'Trennen',
  unlinkTitle: '{0} trennen?',
  unlinkText: 'Sie können sich mit diesem Konto dann nicht mehr anmelden.',
  accountUnlinked: 'Das Konto wurde getrennt.',
  federatedIdentityRemovingLastProvider: 'Das lässt sich nicht trennen: Sie könnten sich dann nicht mehr anmelden.',

  // Applications
  applicationsDescription: 'Anwendungen, die Ihr Konto nutzen.',
  noApplications: 'Keine Anwendung nutzt Ihr Konto.',
  applicationInUse: 'In Gebrauch',
  applicationOffline: 'Offline-Zugriff',
  applicationAccess: 'Hat Zugriff auf',
  applicationGranted: 'Gewährt',
  removeAccess: 'Zugriff entziehen',
  accessRemoved: 'Die Anwendung hat keinen Zugriff mehr.',

  // Deleting the account
  'requiredAction.delete_account': 'Konto löschen',
  deleteAccountConfirm: 'Konto endgültig löschen',
  deletingImplies:
    'Ihr Konto, alles, was dazu gehört, und jede Anmeldung enden sofort. Niemand kann sie zurückbringen.',
  doConfirmDelete: 'Für immer löschen',
  userDeletedSuccessfully: 'Ihr Konto wurde gelöscht.',
};

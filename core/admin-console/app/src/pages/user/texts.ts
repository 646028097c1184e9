const en = {
  readOnly: 'Read-only. Editing requires the role manage-users and every right that this user has.',
  saved: 'Saved. Changes take effect with the next request.',
  enabled: 'Enabled',
  disabled: 'Disabled',
  id: 'ID',
  created: 'Created',
  back: 'All users',
  tabsOf: (name: string) => `Pages of ${name}`,
  tabs: {
    profile: 'Profile',
    'sign-in': 'Sign-in',
    roles: 'Roles',
    groups: 'Groups',
    sessions: 'Sessions',
    'linked-accounts': 'Linked accounts',
    activity: 'Activity',
    links: 'Links',
  },
  scopes: {
    profile: 'Not shown: attributes that the user profile of the realm hides from administrators.',
    'sign-in':
      'How the user signs in. Not shown: passwords, keys and codes, and accounts at identity providers, which are in Linked accounts.',
    roles: 'Roles of the realm and of its clients. Not shown: roles that client scopes keep out of tokens.',
    groups: 'Groups with this user as a member. The user also has the roles of the groups above them.',
    sessions:
      'Where the user is signed in, and what clients may access. Offline sessions are shown as offline access of their client.',
    'linked-accounts':
      'Accounts at identity providers that the user can sign in with. Not shown: links to providers that the realm no longer has, and stored tokens.',
    activity: 'What the user did, newest first. Not shown: events that the realm does not save, or has deleted.',
    links: 'Valid links that were created for the user. Not shown: types that the realm does not track.',
  },

  profile: 'Profile',
  username: 'Username',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  emailVerified: 'Email verified',
  isEnabled: 'Enabled: the user can sign in',
  attributes: 'Attributes',
  nameFixed: 'Usernames cannot be edited in this realm.',
  mistakes: {
    'error-invalid-email': 'is not a valid email address',
    'error-user-attribute-required': 'is required',
    'error-user-attribute-read-only': 'cannot be edited',
    'error-invalid-length': 'is too long or too short',
    'error-invalid-length-too-long': 'is too long',
    'error-invalid-length-too-short': 'is too short',
    'error-username-invalid-character': 'contains an invalid character',
    'error-person-name-invalid-character': 'contains an invalid character',
    'error-pattern-no-match': 'does not match the format that the realm requires',
    'error-invalid-value': 'is invalid',
  } as Readonly<Record<string, string>>,

  impersonate: 'Impersonate user',
  impersonateAs: (name: string) => `Impersonate ${name}?`,
  impersonateLead: (realm: string) =>
    `This signs this browser in as the user in ${realm} and ends its current login there. The event names you as the impersonator.`,
  impersonateOwn: 'This ends your own session. The admin console will ask you to sign in again.',
  impersonated: (name: string) => `This browser is signed in as ${name}.`,
  openAccount: 'Open the account in a new tab',

  remove: 'Delete user',
  removeOf: (name: string) => `Delete ${name}?`,
  removeLead: 'This deletes the user with all credentials, sessions and links. You cannot undo this.',
};

const de: typeof en = {
  readOnly: 'Schreibgeschützt. Bearbeiten erfordert die Rolle manage-users und jedes Recht, das dieser Benutzer hat.',
  saved: 'Gespeichert. Änderungen gelten ab der nächsten Anfrage.',
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  id: 'ID',
  created: 'Erstellt',
  back: 'Alle Benutzer',
  tabsOf: (name) => `Seiten von ${name}`,
  tabs: {
    profile: 'Profil',
    'sign-in': 'Anmeldung',
    roles: 'Rollen',
    groups: 'Gruppen',
    sessions: 'Sitzungen',
    'linked-accounts': 'Verknüpfte Konten',
    activity: 'Aktivität',
    links: 'Links',
  },
  scopes: {
    profile: 'Nicht angezeigt: Attribute, die das Benutzerprofil des Realms vor Administratoren verbirgt.',
    'sign-in':
      'Wie sich der Benutzer anmeldet. Nicht angezeigt: Passwörter, Schlüssel und Codes sowie Konten bei Identity-Providern, die unter Verknüpfte Konten stehen.',
    roles:
      'Rollen des Realms und seiner Clients. Nicht angezeigt: welche Rollen Client-Scopes aus Tokens heraushalten.',
    groups: 'Gruppen, in denen der Benutzer Mitglied ist. Er hat auch die Rollen der Gruppen darüber.',
    sessions:
      'Wo der Benutzer angemeldet ist und worauf Clients zugreifen dürfen. Offline-Sitzungen erscheinen als Offline-Zugriff ihres Clients.',
    'linked-accounts':
      'Konten bei Identity-Providern, mit denen sich der Benutzer anmelden kann. Nicht angezeigt: Verknüpfungen mit Providern, die der Realm nicht mehr hat, und gespeicherte Tokens.',
    activity:
      'Was der Benutzer getan hat, Neuestes zuerst. Nicht angezeigt: Ereignisse, die der Realm nicht speichert oder gelöscht hat.',
    links: 'Gültige Links, die für den Benutzer erstellt wurden. Nicht angezeigt: Arten, die der Realm nicht erfasst.',
  },

  profile: 'Profil',
  username: 'Benutzername',
  firstName: 'Vorname',
  lastName: 'Nachname',
  email: 'E-Mail',
  emailVerified: 'E-Mail verifiziert',
  isEnabled: 'Aktiviert: Der Benutzer kann sich anmelden',
  attributes: 'Attribute',
  nameFixed: 'Benutzernamen können in diesem Realm nicht bearbeitet werden.',
  mistakes: {
    'error-invalid-email': 'ist keine gültige E-Mail-Adresse',
    'error-user-attribute-required': 'ist erforderlich',
    'error-user-attribute-read-only': 'kann nicht bearbeitet werden',
    'error-invalid-length': 'ist zu lang oder zu kurz',
    'error-invalid-length-too-long': 'ist zu lang',
    'error-invalid-length-too-short': 'ist zu kurz',
    'error-username-invalid-character': 'enthält ein ungültiges Zeichen',
    'error-person-name-invalid-character': 'enthält ein ungültiges Zeichen',
    'error-pattern-no-match': 'entspricht nicht dem Format, das der Realm verlangt',
    'error-invalid-value': 'ist ungültig',
  },

  impersonate: 'Als Benutzer ausgeben',
  impersonateAs: (name) => `Als ${name} ausgeben?`,
  impersonateLead: (realm) =>
    `Das meldet diesen Browser in ${realm} als der Benutzer an und beendet die bisherige Anmeldung dort. Das Ereignis nennt dich.`,
  impersonateOwn: 'Das beendet deine eigene Sitzung. Die Admin-Konsole bittet dich, dich neu anzumelden.',
  impersonated: (name) => `Dieser Browser ist als ${name} angemeldet.`,
  openAccount: 'Das Konto in einem neuen Tab öffnen',

  remove: 'Benutzer löschen',
  removeOf: (name) => `${name} löschen?`,
  removeLead:
    'Das löscht den Benutzer mit allen Zugangsdaten, Sitzungen und Links. Das kann nicht rückgängig gemacht werden.',
};

export const texts = { en, de };

const en = {
  title: (realm: string) => `Users of ${realm}`,
  lead: 'Everybody who can sign in to applications of this realm.',
  caption: 'Users',
  find: 'Find by username, e-mail or name',
  findHelp: 'A search finds what begins with its words; *word* finds it anywhere.',
  username: 'Username',
  name: 'Name',
  email: 'E-mail',
  state: 'State',
  created: 'Created',
  enabled: 'Enabled',
  disabled: 'Disabled',
  unverified: 'not verified',
  empty: 'Nobody is here yet. Create a user, or let them register in the realm’s settings.',
  hidden: 'You may look for users and see none: that takes the role view-users.',
  create: 'Create user',
  creating: 'A new user',
  creatingHelp: 'Everything else, the password too, is set on the user’s own page.',
};

const de: typeof en = {
  title: (realm) => `Benutzer von ${realm}`,
  lead: 'Alle, die sich an Anwendungen dieses Realms anmelden können.',
  caption: 'Benutzer',
  find: 'Finden nach Benutzername, E-Mail oder Name',
  findHelp: 'Die Suche findet, was mit ihren Wörtern beginnt; *Wort* findet es überall.',
  username: 'Benutzername',
  name: 'Name',
  email: 'E-Mail',
  state: 'Zustand',
  created: 'Angelegt',
  enabled: 'Aktiv',
  disabled: 'Gesperrt',
  unverified: 'nicht bestätigt',
  empty:
    'Hier ist noch niemand. Lege einen Benutzer an, oder erlaube die Registrierung in den Einstellungen des Realms.',
  hidden: 'Du darfst nach Benutzern suchen, siehst aber keine: Dazu braucht es die Rolle view-users.',
  create: 'Benutzer anlegen',
  creating: 'Ein neuer Benutzer',
  creatingHelp: 'Alles Weitere, auch das Passwort, wird auf der Seite des Benutzers gesetzt.',
};

export const texts = { en, de };

const en = {
  title: (realm: string) => `Users of ${realm}`,
  lead: 'Users who can sign in to applications of this realm.',
  caption: 'Users',
  find: 'Find by username, email or name',
  findHelp: 'The search matches the start of each word. Use *word* to match anywhere.',
  username: 'Username',
  name: 'Name',
  email: 'Email',
  state: 'Status',
  created: 'Created',
  enabled: 'Enabled',
  disabled: 'Disabled',
  unverified: 'not verified',
  empty: 'No users yet. Create a user. With user registration in the realm settings, users create their own accounts.',
  hidden: 'You can search for users but not view them. Viewing requires the role view-users.',
  create: 'Create user',
  creating: 'Create user',
  creatingHelp: 'Set the password and all other details on the user’s page.',
};

const de: typeof en = {
  title: (realm) => `Benutzer von ${realm}`,
  lead: 'Benutzer, die sich an Anwendungen dieses Realms anmelden können.',
  caption: 'Benutzer',
  find: 'Nach Benutzername, E-Mail oder Name suchen',
  findHelp: 'Die Suche findet den Anfang jedes Wortes. Mit *Wort* findet sie es überall.',
  username: 'Benutzername',
  name: 'Name',
  email: 'E-Mail',
  state: 'Status',
  created: 'Erstellt',
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  unverified: 'nicht bestätigt',
  empty:
    'Noch keine Benutzer. Erstelle einen Benutzer. Mit Benutzerregistrierung in den Realm-Einstellungen legen Benutzer ihre Konten selbst an.',
  hidden: 'Du kannst Benutzer suchen, aber nicht ansehen. Das Ansehen erfordert die Rolle view-users.',
  create: 'Benutzer erstellen',
  creating: 'Benutzer erstellen',
  creatingHelp: 'Das Passwort und alle weiteren Angaben legst du auf der Seite des Benutzers fest.',
};

export const texts = { en, de };

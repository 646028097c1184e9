const en = {
  title: (realm: string) => `Settings of ${realm}`,
  sections: 'Sections of the settings',
  section: {
    general: 'General',
    login: 'Login',
    email: 'Email',
    events: 'Events',
    security: 'Security defenses',
    sessions: 'Sessions',
    tokens: 'Tokens',
  },
  readOnly: 'Read-only. Editing requires the role manage-realm.',
  hidden: 'Viewing the settings requires the role view-realm.',
  saved: 'Saved. Changes take effect with the next request.',
  drifted: 'This realm has edits that are not in its realm file',
  driftedLead:
    'The admin console never writes the file. Add the edits to the file to keep them with it, or revert them.',
  toFile: 'View the realm file',
  others: 'Authentication flows, policies and keys are in',
  console: 'Keycloak’s console ↗',
};

const de: typeof en = {
  title: (realm) => `Einstellungen von ${realm}`,
  sections: 'Abschnitte der Einstellungen',
  section: {
    general: 'Allgemein',
    login: 'Anmeldung',
    email: 'E-Mail',
    events: 'Ereignisse',
    security: 'Sicherheitsmaßnahmen',
    sessions: 'Sitzungen',
    tokens: 'Tokens',
  },
  readOnly: 'Schreibgeschützt. Bearbeiten erfordert die Rolle manage-realm.',
  hidden: 'Das Ansehen der Einstellungen erfordert die Rolle view-realm.',
  saved: 'Gespeichert. Änderungen gelten ab der nächsten Anfrage.',
  drifted: 'Dieser Realm hat Änderungen, die nicht in seiner Realm-Datei stehen',
  driftedLead:
    'Die Admin-Konsole schreibt die Datei nie. Übernimm die Änderungen in die Datei, um sie dort zu behalten, oder setze sie zurück.',
  toFile: 'Realm-Datei ansehen',
  others: 'Authentifizierungsabläufe, Richtlinien und Schlüssel findest du in',
  console: 'Keycloaks Konsole ↗',
};

export const texts = { en, de };

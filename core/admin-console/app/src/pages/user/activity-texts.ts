const en = {
  events: 'User events',
  noEvents: 'No events of this user yet.',
  requires: 'Viewing events requires the role view-events.',
  changes: 'Changes by administrators',
  noChanges: 'No saved changes of this user.',
  all: 'All changes of this user',
};

const de: typeof en = {
  events: 'Benutzerereignisse',
  noEvents: 'Noch keine Ereignisse dieses Benutzers.',
  requires: 'Ereignisse anzusehen erfordert die Rolle view-events.',
  changes: 'Änderungen durch Administratoren',
  noChanges: 'Keine gespeicherten Änderungen an diesem Benutzer.',
  all: 'Alle Änderungen an diesem Benutzer',
};

export const texts = { en, de };

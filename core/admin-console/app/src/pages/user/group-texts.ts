const en = {
  find: 'Find by name',
  caption: 'Groups',
  name: 'Name',
  path: 'Path',
  empty: 'No groups yet. Add the user to a group to give the user its roles.',
  join: 'Add to group',
  noGroup: 'No group found.',
  joined: (name: string) => `Added to ${name}.`,
  leave: 'Remove',
  leaveOne: (name: string) => `Remove from ${name}`,
  leaveOf: (name: string, user: string) => `Remove ${user} from ${name}?`,
  leaveLead: 'The user loses the roles of the group, except for those that the user has in another way.',
  left: (name: string) => `Removed from ${name}.`,
};

const de: typeof en = {
  find: 'Nach Namen suchen',
  caption: 'Gruppen',
  name: 'Name',
  path: 'Pfad',
  empty: 'Noch keine Gruppen. Füge den Benutzer einer Gruppe hinzu, damit er ihre Rollen erhält.',
  join: 'Zu Gruppe hinzufügen',
  noGroup: 'Keine Gruppe gefunden.',
  joined: (name) => `Zu ${name} hinzugefügt.`,
  leave: 'Entfernen',
  leaveOne: (name) => `Aus ${name} entfernen`,
  leaveOf: (name, user) => `${user} aus ${name} entfernen?`,
  leaveLead: 'Der Benutzer verliert die Rollen der Gruppe, außer denen, die er auf andere Weise hat.',
  left: (name) => `Aus ${name} entfernt.`,
};

export const texts = { en, de };

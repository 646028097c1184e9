const en = {
  title: 'Client scopes',
  lead: 'Tokens contain the claims of default client scopes, and those of optional ones if the application requests them.',
  empty: 'No client scopes yet. Tokens contain only the claims of the client’s own mappers.',
  name: 'Name',
  assigned: 'Assigned as',
  assignedOf: (name: string) => `Assign ${name} as`,
  kinds: { default: 'Default', optional: 'Optional' },
  assignments: { default: 'Default: in every token', optional: 'Optional: on request' },
  addAs: 'Assign as',
  add: 'Add client scope',
  noScope: 'No client scope found that you can add.',
  assignedAs: {
    default: (name: string) => `${name} is a default client scope now.`,
    optional: (name: string) => `${name} is an optional client scope now.`,
  },
  action: 'Action',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} removed.`,
};

const de: typeof en = {
  title: 'Client-Scopes',
  lead: 'Tokens enthalten die Claims der Standard-Client-Scopes, und die der optionalen, wenn die Anwendung sie anfordert.',
  empty: 'Noch keine Client-Scopes. Tokens enthalten nur die Claims der eigenen Mapper des Clients.',
  name: 'Name',
  assigned: 'Zugewiesen als',
  assignedOf: (name) => `${name} zuweisen als`,
  kinds: { default: 'Standard', optional: 'Optional' },
  assignments: { default: 'Standard: in jedem Token', optional: 'Optional: auf Anforderung' },
  addAs: 'Zuweisen als',
  add: 'Client-Scope hinzufügen',
  noScope: 'Kein Client-Scope gefunden, den du hinzufügen kannst.',
  assignedAs: {
    default: (name) => `${name} ist jetzt ein Standard-Client-Scope.`,
    optional: (name) => `${name} ist jetzt ein optionaler Client-Scope.`,
  },
  action: 'Aktion',
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removed: (name) => `${name} entfernt.`,
};

export const texts = { en, de };

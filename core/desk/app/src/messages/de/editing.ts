import type { Messages } from '../en.ts';

export const editing: Messages['editing'] = {
  save: 'Speichern',
  discard: 'Änderungen verwerfen',
  saved: 'Gespeichert.',
  remove: 'Entfernen',
  add: 'Hinzufügen',
  show: 'Zeigen',
  hide: 'Verbergen',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  none: '(nichts)',
  type: 'Tippe zum Suchen',
  moreChoices: 'Tippe mehr, um andere zu finden.',
  readOnly: 'Du darfst das sehen, aber nicht ändern: Dazu braucht es die Rolle manage-users.',
  changed: {
    title: (who) =>
      who === undefined ? 'Jemand anderes hat das inzwischen geändert' : `${who} hat das inzwischen geändert`,
    at: 'Am',
    lead: 'Von dir wurde nichts gespeichert, und nichts, was du getippt hast, ist verloren.',
    overwrite: 'Meines trotzdem speichern',
    loadAnew: 'Neu laden, ohne meines',
  },
};

const en = {
  listTitle: (realm: string) => `Plugin pages of ${realm}`,
  listLead:
    'Pages that plugins add to the admin console. This list shows those that are enabled in the realm and that you can view.',
  page: 'Page',
  plugin: 'Plugin',
  none: 'No plugin pages yet. To add one, enable a provider of the SPI admin-page.',
  providers: 'View providers',
  absent: 'Plugin page unavailable',
  absentLead: 'The plugin is not loaded, the page is disabled in this realm, or your roles do not allow it.',
  lead: (plugin: string) => `A page of the plugin ${plugin}.`,
  looking: (roles: string) => `Read-only. Editing requires the role ${roles}.`,
  find: (title: string) => `Search: ${title}`,
  actions: 'Actions',
  of: (action: string, row: string) => `${action}: ${row}`,
  sure: (action: string, row: string) => `${action}: ${row}?`,
  sureText: (row: string) => `This applies to ${row}.`,
  done: (action: string) => `Done: ${action}`,
  total: (count: string) => `${count} in total`,
  once: 'Copy this now. It is shown only once.',
  close: 'Close',
  again: 'Back to form',
};
const de: typeof en = {
  listTitle: (realm) => `Plugin-Seiten von ${realm}`,
  listLead:
    'Seiten, die Plugins zur Admin-Konsole hinzufügen. Diese Liste zeigt die im Realm aktivierten, die du sehen darfst.',
  page: 'Seite',
  plugin: 'Plugin',
  none: 'Noch keine Plugin-Seiten. Aktiviere dazu einen Provider der SPI admin-page.',
  providers: 'Provider ansehen',
  absent: 'Plugin-Seite nicht verfügbar',
  absentLead:
    'Vielleicht ist das Plugin nicht geladen, die Seite in diesem Realm deaktiviert, oder deine Rollen erlauben sie nicht.',
  lead: (plugin) => `Eine Seite des Plugins ${plugin}.`,
  looking: (roles) => `Schreibgeschützt. Bearbeiten erfordert die Rolle ${roles}.`,
  find: (title) => `Suchen: ${title}`,
  actions: 'Aktionen',
  of: (action, row) => `${action}: ${row}`,
  sure: (action, row) => `${action}: ${row}?`,
  sureText: (row) => `Das betrifft ${row}.`,
  done: (action) => `Erledigt: ${action}`,
  total: (count) => `${count} insgesamt`,
  once: 'Kopiere das jetzt. Es wird nur einmal angezeigt.',
  close: 'Schließen',
  again: 'Zurück zum Formular',
};

export const texts = { en, de };

const en = {
  user: 'User events settings',
  admin: 'Admin events settings',
  labels: {
    eventsEnabled: 'Save user events',
    eventsExpiration: 'Expiration',
    adminEventsEnabled: 'Save admin events',
    adminEventsDetailsEnabled: 'Include representation',
  },
  help: {
    eventsEnabled: 'Sign-ins and other actions of users and clients.',
    eventsExpiration: 'User events are deleted after this time. 0: they are kept.',
    adminEventsEnabled: 'Changes that administrators make.',
    adminEventsDetailsEnabled: 'Saves the changed values too. Secrets are masked.',
  },
};

const de: typeof en = {
  user: 'Einstellungen der Benutzerereignisse',
  admin: 'Einstellungen der Admin-Ereignisse',
  labels: {
    eventsEnabled: 'Benutzerereignisse speichern',
    eventsExpiration: 'Ablauf',
    adminEventsEnabled: 'Admin-Ereignisse speichern',
    adminEventsDetailsEnabled: 'Repräsentation speichern',
  },
  help: {
    eventsEnabled: 'Anmeldungen und andere Aktionen von Benutzern und Clients.',
    eventsExpiration: 'Benutzerereignisse werden nach dieser Zeit gelöscht. 0: sie bleiben.',
    adminEventsEnabled: 'Änderungen von Administratoren.',
    adminEventsDetailsEnabled: 'Speichert auch die geänderten Werte. Secrets sind verborgen.',
  },
};

export const texts = { en, de };

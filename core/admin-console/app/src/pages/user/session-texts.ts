const en = {
  sessions: 'Sessions',
  noSessions: 'No active sessions. A session starts when the user signs in.',
  signOut: 'Sign out everywhere',
  signOutOf: (name: string) => `Sign ${name} out everywhere?`,
  signOutLead:
    'This ends all sessions and revokes all tokens and links of the user. Applications are notified. The user must sign in again.',
  signedOut: 'The user is signed out everywhere.',

  consents: 'Consents',
  noConsents: 'No consents. Clients that require consent are listed here after the user agrees.',
  client: 'Client',
  scopes: 'Client scopes',
  offline: 'Offline access',
  granted: 'Granted',
  updated: 'Last updated',
  revoke: 'Revoke',
  revokeOne: (client: string) => `Revoke consent for ${client}`,
  revokeOf: (client: string, user: string) => `Revoke the consent of ${user} for ${client}?`,
  revokeLead: 'This also ends the sessions and offline tokens of this client. The client asks the user again.',
  revoked: (client: string) => `Consent for ${client} revoked.`,
};

const de: typeof en = {
  sessions: 'Sitzungen',
  noSessions: 'Keine aktiven Sitzungen. Eine Sitzung beginnt, wenn sich der Benutzer anmeldet.',
  signOut: 'Überall abmelden',
  signOutOf: (name) => `${name} überall abmelden?`,
  signOutLead:
    'Das beendet alle Sitzungen und widerruft alle Tokens und Links des Benutzers. Anwendungen werden benachrichtigt. Der Benutzer muss sich neu anmelden.',
  signedOut: 'Der Benutzer ist überall abgemeldet.',

  consents: 'Einwilligungen',
  noConsents:
    'Keine Einwilligungen. Clients, die eine Einwilligung verlangen, stehen hier, sobald der Benutzer zugestimmt hat.',
  client: 'Client',
  scopes: 'Client-Scopes',
  offline: 'Offline-Zugriff',
  granted: 'Erteilt',
  updated: 'Zuletzt geändert',
  revoke: 'Widerrufen',
  revokeOne: (client) => `Einwilligung für ${client} widerrufen`,
  revokeOf: (client, user) => `Einwilligung von ${user} für ${client} widerrufen?`,
  revokeLead: 'Das beendet auch die Sitzungen und Offline-Tokens dieses Clients. Der Client fragt den Benutzer erneut.',
  revoked: (client) => `Einwilligung für ${client} widerrufen.`,
};

export const texts = { en, de };

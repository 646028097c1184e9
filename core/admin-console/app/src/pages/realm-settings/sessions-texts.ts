const en = {
  sso: 'SSO session settings',
  client: 'Client session settings',
  offline: 'Offline session settings',
  login: 'Login settings',
  labels: {
    ssoSessionIdleTimeout: 'SSO session idle',
    ssoSessionMaxLifespan: 'SSO session max',
    ssoSessionIdleTimeoutRememberMe: 'SSO session idle remember me',
    ssoSessionMaxLifespanRememberMe: 'SSO session max remember me',
    clientSessionIdleTimeout: 'Client session idle',
    clientSessionMaxLifespan: 'Client session max',
    offlineSessionIdleTimeout: 'Offline session idle',
    offlineSessionMaxLifespanEnabled: 'Offline session max limited',
    offlineSessionMaxLifespan: 'Offline session max',
    accessCodeLifespanLogin: 'Login timeout',
  },
  help: {
    ssoSessionIdleTimeout: 'A session ends after this time without activity.',
    ssoSessionMaxLifespan: 'A session ends after this time at the latest.',
    ssoSessionIdleTimeoutRememberMe: 'For users who chose “Remember me”. 0: same as SSO session idle.',
    ssoSessionMaxLifespanRememberMe: 'For users who chose “Remember me”. 0: same as SSO session max.',
    clientSessionIdleTimeout: 'A refresh token expires after this time without a refresh. 0: same as SSO session idle.',
    clientSessionMaxLifespan: 'Refresh tokens expire after this time at the latest. 0: same as SSO session max.',
    offlineSessionIdleTimeout: 'An offline session ends after this time without a refresh.',
    offlineSessionMaxLifespanEnabled: 'Offline sessions end after a time, even if they are used.',
    accessCodeLifespanLogin: 'Users must complete the sign-in within this time.',
  },
};

const de: typeof en = {
  sso: 'Einstellungen der SSO-Sitzung',
  client: 'Einstellungen der Client-Sitzung',
  offline: 'Einstellungen der Offline-Sitzung',
  login: 'Einstellungen der Anmeldung',
  labels: {
    ssoSessionIdleTimeout: 'Leerlauf der SSO-Sitzung',
    ssoSessionMaxLifespan: 'Höchstdauer der SSO-Sitzung',
    ssoSessionIdleTimeoutRememberMe: 'Leerlauf der SSO-Sitzung, angemeldet bleiben',
    ssoSessionMaxLifespanRememberMe: 'Höchstdauer der SSO-Sitzung, angemeldet bleiben',
    clientSessionIdleTimeout: 'Leerlauf der Client-Sitzung',
    clientSessionMaxLifespan: 'Höchstdauer der Client-Sitzung',
    offlineSessionIdleTimeout: 'Leerlauf der Offline-Sitzung',
    offlineSessionMaxLifespanEnabled: 'Dauer der Offline-Sitzung begrenzt',
    offlineSessionMaxLifespan: 'Höchstdauer der Offline-Sitzung',
    accessCodeLifespanLogin: 'Zeitlimit der Anmeldung',
  },
  help: {
    ssoSessionIdleTimeout: 'Eine Sitzung endet nach dieser Zeit ohne Aktivität.',
    ssoSessionMaxLifespan: 'Eine Sitzung endet spätestens nach dieser Zeit.',
    ssoSessionIdleTimeoutRememberMe:
      'Für Benutzer, die „Angemeldet bleiben“ gewählt haben. 0: wie Leerlauf der SSO-Sitzung.',
    ssoSessionMaxLifespanRememberMe:
      'Für Benutzer, die „Angemeldet bleiben“ gewählt haben. 0: wie Höchstdauer der SSO-Sitzung.',
    clientSessionIdleTimeout:
      'Ein Refresh-Token läuft nach dieser Zeit ohne Erneuerung ab. 0: wie Leerlauf der SSO-Sitzung.',
    clientSessionMaxLifespan:
      'Refresh-Tokens laufen spätestens nach dieser Zeit ab. 0: wie Höchstdauer der SSO-Sitzung.',
    offlineSessionIdleTimeout: 'Eine Offline-Sitzung endet nach dieser Zeit ohne Erneuerung.',
    offlineSessionMaxLifespanEnabled: 'Offline-Sitzungen enden nach einer Zeit, auch wenn sie genutzt werden.',
    accessCodeLifespanLogin: 'Benutzer müssen die Anmeldung in dieser Zeit abschließen.',
  },
};

export const texts = { en, de };

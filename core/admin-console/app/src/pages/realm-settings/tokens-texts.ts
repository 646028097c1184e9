const en = {
  general: 'General',
  refresh: 'Refresh tokens',
  access: 'Access tokens',
  action: 'Action tokens',
  device: 'Device authorization and pushed requests',
  labels: {
    defaultSignatureAlgorithm: 'Default signature algorithm',
    revokeRefreshToken: 'Revoke refresh token',
    refreshTokenMaxReuse: 'Refresh token max reuse',
    accessTokenLifespan: 'Access token lifespan',
    accessCodeLifespan: 'Client login timeout',
    actionTokenGeneratedByUserLifespan: 'User-initiated action lifespan',
    actionTokenGeneratedByAdminLifespan: 'Default admin-initiated action lifespan',
    oauth2DeviceCodeLifespan: 'OAuth 2.0 device code lifespan',
    oauth2DevicePollingInterval: 'OAuth 2.0 device polling interval',
    parRequestUriLifespan: 'Lifetime of the request URI for pushed authorization requests',
  },
  help: {
    defaultSignatureAlgorithm: 'Signs the tokens of clients that do not set their own algorithm.',
    revokeRefreshToken: 'A refresh returns a new refresh token, and the old one is revoked.',
    refreshTokenMaxReuse: 'How often a refresh token can be used again after its first use.',
    accessTokenLifespan: 'Shorter than SSO session idle is recommended.',
    accessCodeLifespan: 'A client must exchange an authorization code within this time.',
    actionTokenGeneratedByUserLifespan: 'For links that users request, such as a password reset.',
    actionTokenGeneratedByAdminLifespan: 'For links that administrators send to users.',
  },
};

const de: typeof en = {
  general: 'Allgemein',
  refresh: 'Refresh-Tokens',
  access: 'Access-Tokens',
  action: 'Aktionstokens',
  device: 'Geräteautorisierung und Pushed Requests',
  labels: {
    defaultSignatureAlgorithm: 'Standard-Signaturalgorithmus',
    revokeRefreshToken: 'Refresh-Token widerrufen',
    refreshTokenMaxReuse: 'Wiederverwendungen eines Refresh-Tokens',
    accessTokenLifespan: 'Lebensdauer des Access-Tokens',
    accessCodeLifespan: 'Zeitlimit der Client-Anmeldung',
    actionTokenGeneratedByUserLifespan: 'Lebensdauer von Aktionen der Benutzer',
    actionTokenGeneratedByAdminLifespan: 'Standard-Lebensdauer von Aktionen der Administratoren',
    oauth2DeviceCodeLifespan: 'Lebensdauer des OAuth-2.0-Gerätecodes',
    oauth2DevicePollingInterval: 'Abfrageintervall der OAuth-2.0-Geräte',
    parRequestUriLifespan: 'Lebensdauer der Request-URI für Pushed Authorization Requests',
  },
  help: {
    defaultSignatureAlgorithm: 'Signiert die Tokens von Clients, die keinen eigenen Algorithmus festlegen.',
    revokeRefreshToken: 'Eine Erneuerung liefert ein neues Refresh-Token, und das alte wird widerrufen.',
    refreshTokenMaxReuse: 'Wie oft ein Refresh-Token nach der ersten Verwendung noch verwendet werden kann.',
    accessTokenLifespan: 'Empfohlen ist kürzer als der Leerlauf der SSO-Sitzung.',
    accessCodeLifespan: 'Ein Client muss einen Autorisierungscode in dieser Zeit einlösen.',
    actionTokenGeneratedByUserLifespan: 'Für Links, die Benutzer anfordern, etwa zum Zurücksetzen des Passworts.',
    actionTokenGeneratedByAdminLifespan: 'Für Links, die Administratoren an Benutzer senden.',
  },
};

export const texts = { en, de };

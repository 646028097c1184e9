/** The effects of each change of a key, by the purpose of the key. */
const en = {
  rotate: {
    tokens:
      'A new key signs all new tokens. Applications read it from the JWKS of the realm. Applications that are configured with the old public key or certificate refuse new tokens. Configure the new one there.',
    internal: 'A new secret signs new cookies, refresh tokens and links. Users notice nothing.',
    storage: 'A new secret encrypts from now on. What the old one encrypted stays readable.',
    encryption:
      'Identity providers encrypt for the new key when they read the JWKS of the realm again. Until then the old key decrypts.',
    unused: 'Nothing in this realm uses keys of this algorithm.',
  },
  passive: {
    tokens: 'This key signs no new tokens. Tokens that it signed stay valid until they expire.',
    internal: 'This key signs no new cookies, refresh tokens or links. Those that it signed stay valid.',
    storage: 'This key encrypts nothing new. What it encrypted stays readable.',
    encryption: 'This key stays in the JWKS, and still decrypts.',
    unused: 'Nothing in this realm uses keys of this algorithm.',
  },
  active: {
    tokens: 'This key may sign again. Of the active keys, the one with the highest priority does.',
    internal: 'This key may sign again. Of the active keys, the one with the highest priority does.',
    storage: 'This key may encrypt again. Of the active keys, the one with the highest priority does.',
    encryption: 'This key is active again.',
    unused: 'Nothing in this realm uses keys of this algorithm.',
  },
  disabled: {
    tokens:
      'Access tokens and ID tokens that this key signed are invalid at once, and the key leaves the JWKS. Applications must refresh their tokens. Sessions stay.',
    internal:
      'Session cookies, refresh tokens and links in emails that this key signed are invalid at once. All these users must sign in again, with offline sessions, too. Registration access tokens of clients are invalid as well.',
    storage:
      'Stored tokens of identity providers and waiting emails that this key encrypted cannot be read. Interrupted logins start over.',
    encryption: 'Logins fail at identity providers that still encrypt for this key.',
    unused: 'Nothing in this realm uses keys of this algorithm.',
  },
  enabled: {
    tokens: 'Tokens that this key signed and that have not expired are valid again. Never enable a stolen key.',
    internal:
      'Cookies, refresh tokens and links that this key signed and that have not expired are valid again. Never enable a stolen key.',
    storage: 'What this key encrypted is readable again.',
    encryption: 'This key decrypts again.',
    unused: 'Nothing in this realm uses keys of this algorithm.',
  },
};

const de: typeof en = {
  rotate: {
    tokens:
      'Ein neuer Schlüssel signiert alle neuen Tokens. Anwendungen lesen ihn aus dem JWKS des Realms. Anwendungen, in denen der alte öffentliche Schlüssel oder das Zertifikat eingetragen ist, lehnen neue Tokens ab. Trage dort den neuen ein.',
    internal: 'Ein neues Geheimnis signiert neue Cookies, Refresh-Tokens und Links. Benutzer bemerken nichts.',
    storage: 'Ein neues Geheimnis verschlüsselt ab jetzt. Was das alte verschlüsselt hat, bleibt lesbar.',
    encryption:
      'Identity-Provider verschlüsseln für den neuen Schlüssel, sobald sie das JWKS des Realms erneut lesen. Bis dahin entschlüsselt der alte.',
    unused: 'Nichts in diesem Realm verwendet Schlüssel dieses Algorithmus.',
  },
  passive: {
    tokens:
      'Dieser Schlüssel signiert keine neuen Tokens. Tokens, die er signiert hat, bleiben gültig, bis sie ablaufen.',
    internal:
      'Dieser Schlüssel signiert keine neuen Cookies, Refresh-Tokens und Links. Die er signiert hat, bleiben gültig.',
    storage: 'Dieser Schlüssel verschlüsselt nichts Neues. Was er verschlüsselt hat, bleibt lesbar.',
    encryption: 'Dieser Schlüssel bleibt im JWKS und entschlüsselt weiterhin.',
    unused: 'Nichts in diesem Realm verwendet Schlüssel dieses Algorithmus.',
  },
  active: {
    tokens: 'Dieser Schlüssel darf wieder signieren. Von den aktiven tut es der mit der höchsten Priorität.',
    internal: 'Dieser Schlüssel darf wieder signieren. Von den aktiven tut es der mit der höchsten Priorität.',
    storage: 'Dieser Schlüssel darf wieder verschlüsseln. Von den aktiven tut es der mit der höchsten Priorität.',
    encryption: 'Dieser Schlüssel ist wieder aktiv.',
    unused: 'Nichts in diesem Realm verwendet Schlüssel dieses Algorithmus.',
  },
  disabled: {
    tokens:
      'Access-Tokens und ID-Tokens, die dieser Schlüssel signiert hat, sind sofort ungültig, und er verlässt das JWKS. Anwendungen müssen ihre Tokens erneuern. Sitzungen bleiben.',
    internal:
      'Sitzungs-Cookies, Refresh-Tokens und Links in E-Mails, die dieser Schlüssel signiert hat, sind sofort ungültig. Alle diese Benutzer müssen sich neu anmelden, auch mit Offline-Sitzungen. Registrierungs-Tokens von Clients sind ebenfalls ungültig.',
    storage:
      'Gespeicherte Tokens von Identity-Providern und wartende E-Mails, die dieser Schlüssel verschlüsselt hat, sind nicht mehr lesbar. Unterbrochene Anmeldungen beginnen von vorn.',
    encryption: 'Anmeldungen scheitern bei Identity-Providern, die noch für diesen Schlüssel verschlüsseln.',
    unused: 'Nichts in diesem Realm verwendet Schlüssel dieses Algorithmus.',
  },
  enabled: {
    tokens:
      'Tokens, die dieser Schlüssel signiert hat und die nicht abgelaufen sind, sind wieder gültig. Aktiviere nie einen gestohlenen Schlüssel.',
    internal:
      'Cookies, Refresh-Tokens und Links, die dieser Schlüssel signiert hat und die nicht abgelaufen sind, sind wieder gültig. Aktiviere nie einen gestohlenen Schlüssel.',
    storage: 'Was dieser Schlüssel verschlüsselt hat, ist wieder lesbar.',
    encryption: 'Dieser Schlüssel entschlüsselt wieder.',
    unused: 'Nichts in diesem Realm verwendet Schlüssel dieses Algorithmus.',
  },
};

export const effectTexts = { en, de };

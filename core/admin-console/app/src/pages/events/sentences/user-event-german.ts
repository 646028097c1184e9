import type { UserEventSentences } from './user-sentence.ts';

const CREDENTIALS: Readonly<Record<string, string>> = {
  password: 'das Passwort',
  otp: 'eine Authenticator-App',
  webauthn: 'einen Passkey als zweiten Faktor',
  'webauthn-passwordless': 'einen Passkey',
  'recovery-authn-codes': 'Wiederherstellungscodes',
};

/** The German sentences of `user-event-texts.ts`. */
export const userEventGerman: UserEventSentences = {
  wordsOf: ({ user, client, details }) => ({
    user: user ?? 'Ein unbekannter Benutzer',
    of: user === undefined ? ' eines unbekannten Benutzers' : ` von ${user}`,
    client: client ?? 'Eine unbekannte Anwendung',
    to: client === undefined ? '' : ` bei ${client}`,
    from: client === undefined ? '' : ` von ${client}`,
    provider: details.identity_provider ?? 'einem Identity-Provider',
    credential: CREDENTIALS[details.credential_type ?? ''] ?? details.credential_type ?? 'Zugangsdaten',
    action: details.custom_required_action ?? details.action ?? 'eines Plugins',
    impersonator: details.impersonator ?? 'Ein Admin',
    email: details.updated_email === undefined ? '' : ` in ${details.updated_email}`,
    revoked: details.revoked_client,
    isLink: details.action !== undefined,
  }),
  because: (sentence, reason) => `${sentence}: ${reason}`,
  unknownType: (type, { user, client }) =>
    [`Ereignis ${type}`, user === undefined ? '' : `von ${user}`, client === undefined ? '' : `bei ${client}`]
      .filter(Boolean)
      .join(' '),
  types: {
    CLIENT_DELETE: ({ client }) => [
      `${client} wurde über die Client-Registrierung gelöscht`,
      `${client} konnte über die Client-Registrierung nicht gelöscht werden`,
    ],
    CLIENT_INFO: ({ client }) => [
      `${client} wurde über die Client-Registrierung gelesen`,
      `${client} konnte über die Client-Registrierung nicht gelesen werden`,
    ],
    CLIENT_LOGIN: ({ client }) => [
      `${client} hat sich mit dem eigenen Dienstkonto angemeldet`,
      `${client} konnte sich mit dem eigenen Dienstkonto nicht anmelden`,
    ],
    CLIENT_REGISTER: ({ client }) => [`${client} wurde registriert`, 'Ein Client konnte nicht registriert werden'],
    CLIENT_UPDATE: ({ client }) => [
      `${client} wurde über die Client-Registrierung geändert`,
      `${client} konnte über die Client-Registrierung nicht geändert werden`,
    ],
    CODE_TO_TOKEN: ({ client, of }) => [
      `${client} hat die Tokens${of} erhalten`,
      `${client} konnte einen Code nicht gegen Tokens tauschen`,
    ],
    CUSTOM_REQUIRED_ACTION: ({ user, action }) => [
      `${user} hat die erforderliche Aktion ${action} ausgeführt`,
      `${user} hat die erforderliche Aktion ${action} nicht ausgeführt`,
    ],
    DELETE_ACCOUNT: ({ user }) => [
      `${user} hat das eigene Konto gelöscht`,
      `${user} konnte das eigene Konto nicht löschen`,
    ],
    EXECUTE_ACTIONS: ({ user, of, isLink }) =>
      isLink
        ? [
            `${user} hat den Link mit erforderlichen Aktionen geöffnet`,
            `Der Link mit erforderlichen Aktionen${of} hat nicht funktioniert`,
          ]
        : [
            `${user} hat eine E-Mail mit erforderlichen Aktionen erhalten`,
            `Die E-Mail mit erforderlichen Aktionen${of} wurde nicht gesendet`,
          ],
    EXECUTE_ACTION_TOKEN: ({ user, of, action }) => [
      `${user} hat einen Link geöffnet (${action})`,
      `Ein Link${of} hat nicht funktioniert (${action})`,
    ],
    FEDERATED_IDENTITY_LINK: ({ user, provider }) => [
      `${user} hat ein Konto von ${provider} verknüpft`,
      `${user} konnte ein Konto von ${provider} nicht verknüpfen`,
    ],
    FEDERATED_IDENTITY_OVERRIDE_LINK: ({ user, provider }) => [
      `${user} hat das verknüpfte Konto von ${provider} ersetzt`,
      `${user} konnte das verknüpfte Konto von ${provider} nicht ersetzen`,
    ],
    IDENTITY_PROVIDER_FIRST_LOGIN: ({ user, of, provider }) => [
      `${user} hat sich zum ersten Mal über ${provider} angemeldet`,
      `Die erste Anmeldung${of} über ${provider} ist fehlgeschlagen`,
    ],
    IDENTITY_PROVIDER_LINK_ACCOUNT: ({ user, of, provider }) => [
      `${user} hat ein Konto von ${provider} als eigenes bestätigt`,
      `Der Link zur Bestätigung eines Kontos${of} hat nicht funktioniert`,
    ],
    IDENTITY_PROVIDER_LOGIN: ({ user, provider }) => [
      `${user} hat sich über ${provider} angemeldet`,
      `Eine Anmeldung über ${provider} ist fehlgeschlagen`,
    ],
    IDENTITY_PROVIDER_POST_LOGIN: ({ user, of, provider }) => [
      `${user} hat die Schritte nach der Anmeldung bei ${provider} ausgeführt`,
      `Ein Schritt nach der Anmeldung${of} bei ${provider} ist fehlgeschlagen`,
    ],
    IDENTITY_PROVIDER_RETRIEVE_TOKEN: ({ client, of, provider }) => [
      `${client} hat das Token${of} bei ${provider} gelesen`,
      `${client} konnte das Token${of} bei ${provider} nicht lesen`,
    ],
    IMPERSONATE: ({ impersonator, user }) => [
      `${impersonator} hat sich als ${user} angemeldet`,
      `${impersonator} konnte sich nicht als ${user} anmelden`,
    ],
    INTROSPECT_TOKEN: ({ client }) => [`${client} hat ein Token geprüft`, `${client} konnte ein Token nicht prüfen`],
    LOGIN: ({ user, to }) => [`${user} hat sich${to} angemeldet`, `${user} konnte sich${to} nicht anmelden`],
    LOGOUT: ({ user, from }) => [`${user} hat sich${from} abgemeldet`, `Eine Abmeldung${from} ist fehlgeschlagen`],
    OAUTH2_DEVICE_AUTH: ({ client }) => [
      `${client} hat einen Code für ein Gerät angefordert`,
      `${client} konnte keinen Code für ein Gerät erhalten`,
    ],
    OAUTH2_DEVICE_CODE_TO_TOKEN: ({ client, of }) => [
      `${client} hat auf einem Gerät die Tokens${of} erhalten`,
      `${client} konnte auf einem Gerät keine Tokens erhalten`,
    ],
    OAUTH2_DEVICE_VERIFY_USER_CODE: ({ to }) => [
      `Der Code eines Geräts wurde für eine Anmeldung${to} eingegeben`,
      'Der eingegebene Code eines Geräts hat nicht funktioniert',
    ],
    PUSHED_AUTHORIZATION_REQUEST: ({ client }) => [
      `${client} hat eine Anmeldung vorbereitet (Pushed Authorization Request)`,
      `${client} konnte eine Anmeldung nicht vorbereiten (Pushed Authorization Request)`,
    ],
    REFRESH_TOKEN: ({ client, of }) => [
      `${client} hat die Tokens${of} erneuert`,
      `${client} konnte die Tokens${of} nicht erneuern`,
    ],
    REGISTER: ({ user }) => [`${user} hat sich registriert`, `${user} konnte sich nicht registrieren`],
    REMOVE_CREDENTIAL: ({ user, credential }) => [
      `${user} hat ${credential} entfernt`,
      `${user} konnte ${credential} nicht entfernen`,
    ],
    REMOVE_FEDERATED_IDENTITY: ({ user, provider }) => [
      `${user} hat die Verknüpfung mit ${provider} entfernt`,
      `${user} konnte die Verknüpfung mit ${provider} nicht entfernen`,
    ],
    REMOVE_TOTP: ({ user }) => [
      `${user} hat eine Authenticator-App entfernt`,
      `${user} konnte eine Authenticator-App nicht entfernen`,
    ],
    RESET_PASSWORD: ({ user }) => [
      `${user} hat den Link zum Zurücksetzen des Passworts geöffnet`,
      `${user} konnte das Passwort nicht zurücksetzen`,
    ],
    REVOKE_GRANT: ({ user, client, of, revoked }) =>
      revoked === undefined
        ? [`${client} hat ein Token${of} widerrufen`, `${client} konnte ein Token nicht widerrufen`]
        : [
            `${user} hat den Zugriff von ${revoked} widerrufen`,
            `${user} konnte den Zugriff von ${revoked} nicht widerrufen`,
          ],
    SEND_IDENTITY_PROVIDER_LINK: ({ user, of }) => [
      `${user} hat eine E-Mail zur Bestätigung eines verknüpften Kontos erhalten`,
      `Die E-Mail zur Bestätigung eines verknüpften Kontos${of} wurde nicht gesendet`,
    ],
    SEND_RESET_PASSWORD: ({ user, of }) => [
      `${user} hat eine E-Mail zum Zurücksetzen des Passworts erhalten`,
      `Die E-Mail zum Zurücksetzen des Passworts${of} wurde nicht gesendet`,
    ],
    SEND_VERIFY_EMAIL: ({ user, of }) => [
      `${user} hat eine E-Mail zur Bestätigung der Adresse erhalten`,
      `Die E-Mail zur Bestätigung der Adresse${of} wurde nicht gesendet`,
    ],
    TOKEN_EXCHANGE: ({ client, of }) => [
      `${client} hat ein Token${of} getauscht`,
      `${client} konnte ein Token${of} nicht tauschen`,
    ],
    UPDATE_CREDENTIAL: ({ user, credential }) => [
      `${user} hat ${credential} eingerichtet`,
      `${user} konnte ${credential} nicht einrichten`,
    ],
    UPDATE_EMAIL: ({ user, email }) => [
      `${user} hat die E-Mail-Adresse${email} geändert`,
      `${user} konnte die E-Mail-Adresse nicht${email} ändern`,
    ],
    UPDATE_PASSWORD: ({ user }) => [`${user} hat das Passwort geändert`, `${user} konnte das Passwort nicht ändern`],
    UPDATE_PROFILE: ({ user }) => [`${user} hat das Profil geändert`, `${user} konnte das Profil nicht ändern`],
    UPDATE_TOTP: ({ user }) => [
      `${user} hat eine Authenticator-App eingerichtet`,
      `${user} konnte keine Authenticator-App einrichten`,
    ],
    USER_DISABLED_BY_PERMANENT_LOCKOUT: ({ user }) => [
      `${user} wurde nach zu vielen fehlgeschlagenen Anmeldungen deaktiviert`,
      `${user} wurde nach zu vielen fehlgeschlagenen Anmeldungen deaktiviert`,
    ],
    USER_DISABLED_BY_TEMPORARY_LOCKOUT: ({ user }) => [
      `${user} wurde nach zu vielen fehlgeschlagenen Anmeldungen für eine Zeit gesperrt`,
      `${user} wurde nach zu vielen fehlgeschlagenen Anmeldungen für eine Zeit gesperrt`,
    ],
    USER_INFO_REQUEST: ({ client, of }) => [
      `${client} hat das Profil${of} gelesen`,
      'Eine Anwendung konnte das Profil eines Benutzers nicht lesen',
    ],
    VERIFY_EMAIL: ({ user }) => [
      `${user} hat die E-Mail-Adresse bestätigt`,
      `${user} konnte die E-Mail-Adresse nicht bestätigen`,
    ],
    VERIFY_PROFILE: ({ user }) => [
      `${user} hat das Profil vervollständigt`,
      `${user} konnte das Profil nicht vervollständigen`,
    ],
  },
};

import type { Language } from '../messages/language.tsx';

/** The folder of the guides. The host does not serve them. */
const GUIDES = 'https://github.com/keyhost/keyhost/blob/main/core/docs';

interface Guide {
  /** The path of its page, without `.md`. */
  readonly page: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Other words that people search for. */
  readonly words: string;
}

const ALL: readonly Guide[] = [
  {
    page: 'how-to/connect-an-app',
    title: { en: 'Connect an app', de: 'Eine Anwendung verbinden' },
    words: 'client oidc sdk spa login anmeldung redirect uri application',
  },
  {
    page: 'how-to/second-factor',
    title: { en: 'Require a second factor', de: 'Einen zweiten Faktor verlangen' },
    words: 'otp totp 2fa mfa two-factor passkey webauthn authenticator authentication flow',
  },
  {
    page: 'how-to/password-rules',
    title: { en: 'Set password rules', de: 'Passwortregeln festlegen' },
    words: 'password policy length history passwort richtlinie',
  },
  {
    page: 'how-to/password-blacklist',
    title: { en: 'Refuse known passwords', de: 'Bekannte Passwörter ablehnen' },
    words: 'blacklist breached leaked sperrliste',
  },
  {
    page: 'how-to/why-cant-she-sign-in',
    title: { en: 'Find out why a user cannot sign in', de: 'Herausfinden, warum sich jemand nicht anmelden kann' },
    words: 'locked unlock brute force failed error sign out gesperrt entsperren fehler',
  },
  {
    page: 'how-to/delegate-administration',
    title: { en: 'Delegate administration', de: 'Verwaltung delegieren' },
    words: 'administrator roles rights support rollen rechte',
  },
  {
    page: 'how-to/rotate-keys',
    title: { en: 'Rotate keys', de: 'Schlüssel wechseln' },
    words: 'signing key jwks certificate signatur zertifikat',
  },
  {
    page: 'how-to/webhooks',
    title: { en: 'Send events to a webhook', de: 'Ereignisse an einen Webhook senden' },
    words: 'http listener audit',
  },
  {
    page: 'how-to/theme',
    title: { en: 'Change the look of the login pages', de: 'Das Aussehen der Anmeldeseiten ändern' },
    words: 'theme branding logo css colours localization texts farben texte',
  },
  {
    page: 'how-to/enable-and-disable-plugins',
    title: { en: 'Enable and disable plugins', de: 'Plugins aktivieren und deaktivieren' },
    words: 'provider plugins.json',
  },
  {
    page: 'how-to/vault',
    title: { en: 'Keep secrets in a vault', de: 'Secrets in einem Vault aufbewahren' },
    words: 'hashicorp secret password',
  },
  {
    page: 'how-to/device-grant',
    title: { en: 'Sign in on a device without a browser', de: 'Auf einem Gerät ohne Browser anmelden' },
    words: 'device tv cli gerät',
  },
  {
    page: 'how-to/from-keycloak',
    title: { en: 'Move from Keycloak', de: 'Von Keycloak umziehen' },
    words: 'import migrate export umzug',
  },
  {
    page: 'how-to/backup',
    title: { en: 'Back up and restore', de: 'Sichern und wiederherstellen' },
    words: 'backup restore copy sicherung',
  },
  { page: 'how-to/upgrade', title: { en: 'Upgrade Keyhost', de: 'Keyhost aktualisieren' }, words: 'version update' },
  {
    page: 'how-to/production',
    title: { en: 'Run in production', de: 'In Produktion betreiben' },
    words: 'proxy tls hostname docker kubernetes',
  },
  {
    page: 'how-to/several-nodes',
    title: { en: 'Run several nodes', de: 'Mehrere Knoten betreiben' },
    words: 'cluster postgresql patroni failover',
  },
  {
    page: 'how-to/use-the-admin-console',
    title: { en: 'Use the admin console', de: 'Die Admin-Konsole benutzen' },
    words: 'help consent user profile attribute email smtp hilfe einwilligung',
  },
];

export interface FoundGuide {
  readonly href: string;
  readonly label: string;
}

/** The guides whose title or other words contain each typed word. @param typed in lower case */
export function findGuides(typed: string, language: Language): readonly FoundGuide[] {
  const typedWords = typed.split(/\s+/);
  return ALL.filter(({ title, words }) => {
    const text = `${title[language]} ${words}`.toLowerCase();
    return typedWords.every((word) => text.includes(word));
  }).map(({ page, title }) => ({ href: `${GUIDES}/${page}.md`, label: title[language] }));
}

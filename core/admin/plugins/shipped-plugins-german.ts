/** Translations of the texts in shipped-plugins.ts. */
export const GERMAN: Readonly<Record<string, string>> = {
  'Users whose passwords another system hashed with bcrypt sign in with them.':
    'Benutzer, deren Passwörter ein anderes System mit bcrypt gehasht hat, melden sich damit an.',
  'Books (example)': 'Bücher (Beispiel)',
  'An example of a gRPC service: books and authors.': 'Ein Beispiel eines gRPC-Dienstes: Bücher und Autoren.',
  'Breached passwords': 'Passwörter aus Datenlecks',
  'Rejects new passwords that are known from data breaches.':
    'Lehnt neue Passwörter ab, die aus Datenlecks bekannt sind.',
  Captcha: 'Captcha',
  'Protects registration and login against robots by a proof of work, without a third party.':
    'Schützt Registrierung und Anmeldung mit einem Arbeitsnachweis vor Robotern, ohne Dritte.',
  'Asks for the Universal Prompt of Duo as the second factor.':
    'Fragt mit dem Universal Prompt von Duo nach dem zweiten Faktor.',
  'Email OTP': 'E-Mail-Code',
  'Mails users a code, as the only or the second factor.':
    'Sendet Benutzern einen Code per E-Mail, als einzigen oder zweiten Faktor.',
  'It mails the codes to the users.': 'Es sendet den Benutzern die Codes per E-Mail.',
  'It finds users by their email address.': 'Es findet Benutzer über ihre E-Mail-Adresse.',
  'Events in PostgreSQL': 'Ereignisse in PostgreSQL',
  'Stores the events of realms in a PostgreSQL table of your own, for reports and audits.':
    'Speichert die Ereignisse von Realms in einer eigenen PostgreSQL-Tabelle, für Berichte und Prüfungen.',
  'Links to applications (example)': 'Links zu Anwendungen (Beispiel)',
  'Exchanges a followed action link for an access token with a narrow scope.':
    'Tauscht einen geöffneten Aktionslink gegen ein Access-Token mit engem Scope.',
  'Home IdP discovery': 'Identitätsanbieter nach Domain',
  'Forwards users to the identity provider of their email domain.':
    'Leitet Benutzer zum Identitätsanbieter ihrer E-Mail-Domain weiter.',
  'It reads which identity provider is responsible for which domains.':
    'Es liest, welcher Identitätsanbieter für welche Domains zuständig ist.',
  'It finds users by their email address, and the identity providers that they are linked to.':
    'Es findet Benutzer über ihre E-Mail-Adresse, und die Identitätsanbieter, mit denen sie verknüpft sind.',
  'Login notice': 'Anmeldehinweis',
  'Mails users when they sign in from a new device or network.':
    'Benachrichtigt Benutzer per E-Mail, wenn sie sich mit einem neuen Gerät oder Netz anmelden.',
  'It tells users of sign-ins from new devices and networks.':
    'Es benachrichtigt Benutzer über Anmeldungen mit neuen Geräten und Netzen.',
  'Magic link': 'Anmeldelink',
  'Mails users a link that signs them in, without a password.':
    'Sendet Benutzern einen Link per E-Mail, der sie ohne Passwort anmeldet.',
  'Its links sign users in.': 'Seine Links melden Benutzer an.',
  'It mails the links to the users.': 'Es sendet den Benutzern die Links per E-Mail.',
  'It creates users for new addresses if a flow says so, and marks the address of a link as verified.':
    'Es erstellt Benutzer für neue Adressen, wenn ein Ablauf das vorsieht, und markiert die Adresse eines Links als bestätigt.',
  'Newsletter links (example)': 'Newsletter-Links (Beispiel)',
  'Issues action links for one item of a newsletter, with a page in the admin console.':
    'Stellt Aktionslinks für einen Beitrag eines Newsletters aus, mit einer Seite in der Admin-Konsole.',
  Organizations: 'Organisationen',
  'Adds organizations with members, roles, invitations and a claim of tokens.':
    'Ergänzt Organisationen mit Mitgliedern, Rollen, Einladungen und einem Claim in Tokens.',
  'It finds the account that an invitation is for.': 'Es findet das Konto, für das eine Einladung ist.',
  'It mails invitations to users.': 'Es sendet Benutzern Einladungen per E-Mail.',
  'It mails invitations to people who have no account yet.':
    'Es sendet auch Personen ohne Konto Einladungen per E-Mail.',
  'Asks users for a PIN that they chose, as the second factor.':
    'Fragt Benutzer nach einer selbst gewählten PIN, als zweiten Faktor.',
  'Keys in an HSM (PKCS#11)': 'Schlüssel in einem HSM (PKCS#11)',
  'Signs tokens with keys that never leave a hardware security module.':
    'Signiert Tokens mit Schlüsseln, die ein Hardware-Sicherheitsmodul nie verlassen.',
  'Cleanup of inactive users': 'Aufräumen inaktiver Benutzer',
  'Warns users who have not signed in for a long time, then disables or deletes them.':
    'Warnt Benutzer, die sich lange nicht angemeldet haben, und deaktiviert oder löscht sie dann.',
  'It looks for users who have not signed in for a long time.':
    'Es sucht Benutzer, die sich lange nicht angemeldet haben.',
  'It disables them, and deletes them if the realm says so.':
    'Es deaktiviert sie, und löscht sie, wenn der Realm das vorsieht.',
  'It warns them before.': 'Es warnt sie vorher.',
  'Trusted devices': 'Vertraute Geräte',
  'Skips the second factor on devices that users trust.':
    'Überspringt den zweiten Faktor auf Geräten, denen Benutzer vertrauen.',
  'Reads secrets of realms from HashiCorp Vault or OpenBao.':
    'Liest Secrets von Realms aus HashiCorp Vault oder OpenBao.',
  'Posts the events of a realm to your addresses, signed, in order, and again until they arrive.':
    'Sendet die Ereignisse eines Realms an deine Adressen: signiert, in Reihenfolge, und erneut, bis sie ankommen.',
};

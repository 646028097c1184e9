const en = {
  title: (clientId: string) => `Connect ${clientId}`,
  back: 'Settings of the client',
  created: 'Client created.',
  settings: 'Settings of the app',
  issuer: 'Issuer',
  clientId: 'Client ID',
  secret: 'Client secret',
  show: 'Show',
  hide: 'Hide',
  secretHelp: 'Anyone who has the secret can act as the app. Keep it out of repositories and browsers.',
  redirectUri: 'Redirect URI',
  redirectPattern: 'Redirect URI begins with',
  app: 'Write the app',
  framework: 'Framework',
  noFramework: 'None of these',
  code: (number: number) => `Code ${number}`,

  signIns: 'Sign-ins',
  tokens: 'Tokens',
  waiting: 'Waiting for the first sign-in…',
  waitingToken: 'Waiting for the first token…',
  arrived: 'A sign-in has arrived. The app is connected.',
  arrivedBy: (name: string) => `${name} has signed in. The app is connected.`,
  showEvent: 'Show event',
  withoutTokens: 'A user has signed in. The app has not fetched its tokens yet.',
  withoutTokensBy: (name: string) => `${name} has signed in. The app has not fetched its tokens yet.`,
  last: 'The app is connected. Last sign-in:',
  lastBy: (name: string) => `The app is connected. ${name} signed in last:`,
  lately: (count: number) => `The app is connected. Sign-ins in the last 24 hours: ${count}.`,
  next: 'The next sign-in also appears here.',
  nextToken: 'The next token also appears here.',
  noEvents:
    'The realm does not save events. A sign-in still appears here within seconds, without the name of the user.',
  cannotTell:
    'Watching sign-ins requires the role view-events. Start the app and sign in: if the app shows your user, it is connected.',
  cannotTellToken:
    'Watching sign-ins requires the role view-events. Run the command above: if it prints a token, the service is connected.',
  tryIt: 'Open the app',
  tryItHelp: (user: string | undefined) =>
    `Start the app first. Then sign in to it as ${user === undefined ? 'a user of this realm' : `a user of this realm, such as ${user}`}.`,
  failed: 'A sign-in failed:',
  failedTokens: 'The app did not get its tokens:',
  why: (error: string, redirectUri: string | undefined) => {
    if (error === 'invalid_redirect_uri')
      return `The app sends ${redirectUri ?? 'another redirect URI'}. Add it to the valid redirect URIs of the client, or correct the app.`;
    if (error === 'invalid_client_credentials' || error === 'unauthorized_client')
      return 'The app sends another client secret. Copy the secret from this page.';
    if (error === 'invalid_user_credentials' || error === 'user_not_found')
      return 'The username or the password is wrong. The app itself works so far.';
    if (error === 'invalid_code')
      return 'The code has expired or was used before. Or the app sends another redirect URI or PKCE verifier with it.';
    if (error === 'not_allowed' || error === 'invalid_request') return 'The event has the reason in its details.';
    return 'See the events of the realm for details.';
  },

  realmFile: 'Realm file',
  inFile: {
    same: (file: string) => `This client matches ${file}.`,
    absent: (file: string) => `This client is not in ${file}.`,
    edited: (file: string) => `This client has edits that are not in ${file}.`,
  },
  showFile: 'Show the realm file',
  fragment: 'Client for the realm file',
  fragmentLead: (realm: string) =>
    `If a realm file defines ${realm}, paste this into its lists, in place of an older entry. Defaults are left out. The realm keeps the secret.`,
  entryOf: 'An entry of the list',
};

const de: typeof en = {
  title: (clientId) => `${clientId} verbinden`,
  back: 'Einstellungen des Clients',
  created: 'Client angelegt.',
  settings: 'Einstellungen der App',
  issuer: 'Issuer',
  clientId: 'Client-ID',
  secret: 'Client-Secret',
  show: 'Anzeigen',
  hide: 'Verbergen',
  secretHelp: 'Jeder, der das Secret hat, kann als die App handeln. Halte es von Repositories und Browsern fern.',
  redirectUri: 'Redirect-URI',
  redirectPattern: 'Redirect-URI beginnt mit',
  app: 'App schreiben',
  framework: 'Framework',
  noFramework: 'Keines davon',
  code: (number) => `Code ${number}`,

  signIns: 'Anmeldungen',
  tokens: 'Tokens',
  waiting: 'Warten auf die erste Anmeldung…',
  waitingToken: 'Warten auf das erste Token…',
  arrived: 'Eine Anmeldung ist angekommen. Die App ist verbunden.',
  arrivedBy: (name) => `${name} hat sich angemeldet. Die App ist verbunden.`,
  showEvent: 'Ereignis anzeigen',
  withoutTokens: 'Ein Benutzer hat sich angemeldet. Die App hat ihre Tokens noch nicht geholt.',
  withoutTokensBy: (name) => `${name} hat sich angemeldet. Die App hat ihre Tokens noch nicht geholt.`,
  last: 'Die App ist verbunden. Letzte Anmeldung:',
  lastBy: (name) => `Die App ist verbunden. Zuletzt hat sich ${name} angemeldet:`,
  lately: (count) => `Die App ist verbunden. Anmeldungen in den letzten 24 Stunden: ${count}.`,
  next: 'Die nächste Anmeldung erscheint auch hier.',
  nextToken: 'Das nächste Token erscheint auch hier.',
  noEvents:
    'Der Realm speichert keine Ereignisse. Eine Anmeldung erscheint hier trotzdem nach Sekunden, ohne den Namen des Benutzers.',
  cannotTell:
    'Anmeldungen zu verfolgen erfordert die Rolle view-events. Starte die App und melde dich an: Zeigt sie deinen Benutzer, ist sie verbunden.',
  cannotTellToken:
    'Anmeldungen zu verfolgen erfordert die Rolle view-events. Führe den Befehl oben aus: Gibt er ein Token aus, ist der Dienst verbunden.',
  tryIt: 'App öffnen',
  tryItHelp: (user) =>
    `Starte zuerst die App. Melde dich dann dort als ein Benutzer dieses Realms an${user === undefined ? '' : `, etwa ${user}`}.`,
  failed: 'Eine Anmeldung ist fehlgeschlagen:',
  failedTokens: 'Die App hat ihre Tokens nicht bekommen:',
  why: (error, redirectUri) => {
    if (error === 'invalid_redirect_uri')
      return `Die App sendet ${redirectUri ?? 'eine andere Redirect-URI'}. Ergänze sie bei den gültigen Redirect-URIs des Clients, oder korrigiere die App.`;
    if (error === 'invalid_client_credentials' || error === 'unauthorized_client')
      return 'Die App sendet ein anderes Client-Secret. Kopiere das Secret von dieser Seite.';
    if (error === 'invalid_user_credentials' || error === 'user_not_found')
      return 'Der Benutzername oder das Passwort ist falsch. Die App selbst funktioniert so weit.';
    if (error === 'invalid_code')
      return 'Der Code ist abgelaufen oder wurde schon verwendet. Oder die App sendet damit eine andere Redirect-URI oder einen anderen PKCE-Verifier.';
    if (error === 'not_allowed' || error === 'invalid_request')
      return 'Das Ereignis nennt den Grund in seinen Details.';
    return 'Die Ereignisse des Realms enthalten die Details.';
  },

  realmFile: 'Realm-Datei',
  inFile: {
    same: (file) => `Dieser Client stimmt mit ${file} überein.`,
    absent: (file) => `Dieser Client steht nicht in ${file}.`,
    edited: (file) => `Dieser Client hat Änderungen, die nicht in ${file} stehen.`,
  },
  showFile: 'Realm-Datei anzeigen',
  fragment: 'Client für die Realm-Datei',
  fragmentLead: (realm) =>
    `Wenn eine Realm-Datei ${realm} definiert, füge dies in ihre Listen ein, an Stelle eines älteren Eintrags. Standardwerte fehlen darin. Der Realm behält das Secret.`,
  entryOf: 'Ein Eintrag der Liste',
};

export const texts = { en, de };

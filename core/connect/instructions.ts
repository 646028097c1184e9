import { randomToken } from '../model/random-token.js';
import { type NewClient, OFFLINE_SCOPE } from './client-representation.js';
import type { Framework } from './framework-pages.js';
import { safeInCode, shellWord } from './safe-in-code.js';
import { formatTokenChecks } from './token-checks.js';

/** The values with which an app must be configured. */
export interface Connection {
  /** Public URL of the server, without trailing slash. */
  readonly server: string;
  readonly realm: string;
  readonly client: Pick<NewClient, 'kind' | 'clientId' | 'url' | 'redirectUris' | 'offlineAccess'>;
  readonly secret: string | undefined;
}

/** Formats the settings of the app, one per line. */
export function formatSettings({ server, realm, client, secret }: Connection): string {
  const rows: [string, string][] = [
    ['Issuer', issuerOf(server, realm)],
    ['Client ID', client.clientId],
  ];
  if (secret !== undefined) rows.push(['Client secret', secret]);
  for (const uri of client.redirectUris) rows.push(['Redirect URI', uri]);
  return rows.map(([title, value]) => `  ${title.padEnd(15)}${value}\n`).join('');
}

/**
 * Returns the instructions for the app. With a framework, they are its page with the values of this client; otherwise,
 * they are generic: commands, code or environment variables, depending on the kind of client.
 */
export function formatInstructions(connection: Connection, framework: Framework | undefined): string {
  const { safe, replaced } = safeInCode(connection);
  const notes = replaced.map(
    ([name, description]) => `Replace \`${name}\` with ${description}. Escape its special characters.\n\n`,
  );
  const code = framework === undefined ? genericInstructions(safe) : fillPage(framework, safe);
  const text = `${notes.join('')}${code}`;
  if (!safe.client.offlineAccess) return text;
  const withScope = text.replace(STANDARD_SCOPES, `$&$1${OFFLINE_SCOPE}`);
  if (withScope !== text) return withScope;
  return `${text}\nRequest the scope \`${OFFLINE_SCOPE}\` too. The refresh token then outlives the session of the user.\n`;
}

/** The standard scopes in the pages. The first group is the separator between two scopes. */
const STANDARD_SCOPES = /\bopenid(\W{1,4})(?:profile\1email|email\1profile)\b/g;

function genericInstructions(connection: Connection): string {
  const { server, realm, client, secret = '' } = connection;
  const issuer = issuerOf(server, realm);
  const { kind, clientId } = client;
  if (kind.id === 'machine') {
    return `Get a token:

\`\`\`sh
curl -s ${shellWord(`${issuer}/protocol/openid-connect/token`)} \\
  -u '${clientId}:${secret}' -d grant_type=client_credentials
\`\`\`
`;
  }
  if (kind.id === 'native') {
    return `Sign in and print the tokens:

\`\`\`sh
npx keyhost token --realm ${shellWord(realm)} --client-id ${shellWord(clientId)}
\`\`\`
`;
  }
  if (kind.id === 'api') {
    return `${formatTokenChecks(issuer, clientId)}
## Audience

An app puts the API into the audience of its tokens:

\`\`\`sh
npx keyhost client create --audience ${shellWord(clientId)}
\`\`\`
`;
  }
  return `Give your library these values:

\`\`\`sh
${formatEnvironment(connection)}
\`\`\`

It reads everything else from the discovery document:

\`\`\`
${issuer}/.well-known/openid-configuration
\`\`\`
`;
}

/**
 * Formats the settings as environment variables. Only the first redirect URI without a wildcard is included, because
 * the app cannot send a wildcard.
 */
function formatEnvironment({ server, realm, client, secret }: Connection): string {
  const redirectUri = client.redirectUris.find((uri) => !uri.endsWith('*'));
  const rows: [string, string | undefined][] = [
    ['OIDC_ISSUER', issuerOf(server, realm)],
    ['OIDC_CLIENT_ID', client.clientId],
    ['OIDC_CLIENT_SECRET', secret],
    ['OIDC_REDIRECT_URI', redirectUri],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${shellWord(value)}`)).join('\n');
}

export function issuerOf(server: string, realm: string): string {
  return `${server}/realms/${encodeURIComponent(realm)}`;
}

/** The section of a page about the registration. It is left out, because the client exists already. */
const REGISTER_SECTION = /^## Register the client\n[\s\S]*?(?=^## )/m;
/** Placeholders in the pages for a secret of the app itself. */
const OWN_SECRETS = [
  'a secret of your own with at least 32 characters',
  'a-secret-of-your-own-with-32-characters',
  'a secret of your own',
];
/** A link to another page, which neither the terminal nor the admin console can follow. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:)[^)]*\)/g;

function fillPage({ page, example, url }: Framework, { server, realm, client, secret }: Connection): string {
  const app = new URL(client.url ?? url);
  const { host, port } = new URL(url);
  const values = new Map([
    [`${example}-secret`, secret ?? ''],
    [example, client.clientId],
    ['http://localhost:8080/realms/demo', issuerOf(server, realm)],
    ['http://localhost:8080', server],
    ["'demo'", `'${realm}'`],
    ['"demo"', `"${realm}"`],
    [url, app.href.replace(/\/$/, '')],
    // The app's own secret, for example to sign its session cookies. It is a new random one whenever the instructions
    // are printed.
    ...OWN_SECRETS.map((text) => [text, randomToken(32)] as const),
    [host, app.host],
    ...(app.port === '' || port === '' ? [] : [[port, app.port] as const]),
  ]);
  const literals = [...values.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    literals.map((literal) => `(?<![\\w-])${literal.replaceAll('.', '\\.')}(?![\\w-])`).join('|'),
    'g',
  );
  const [intro = '', code = page] = page.split(REGISTER_SECTION);
  const note = /^> .*$/m.exec(intro)?.[0];
  const text = `${note === undefined ? '' : `${note}\n\n`}${code}`.replaceAll(RELATIVE_LINK, '$1').trim();
  return `${text.replace(pattern, (match) => values.get(match) ?? match)}\n`;
}

import { BOOT_ERRORS } from '../../config/boot-error.js';
import { code, page, plain, sentence, table } from './markdown.js';
import { OAUTH_MEANINGS } from './oauth-meanings.js';
import { findMatches, hostSources, type Source } from './sources.js';

/** Matches `new OAuthError('invalid_grant', …)`, and errors that send a browser back to the client. */
const OAUTH_ERROR =
  /(?:new OAuthError\(\s*|policyRefusalError\(\s*|new (?:RedirectedError|SilentRequestRefusal)\(\s*\w+,\s*)'([a-z]+(?:_[a-z]+)+)'/g;
/** Matches `new HostError('realm_busy', 'The realm …', { status: 503 })`. */
const HOST_ERROR = /new HostError\(\s*'([a-z_]+)',\s*(?:'([^']*)'|`([^`]*)`)?([^;]{0,120})/g;
/** Functions of core/admin that throw errors with Keycloak's texts, with the status and the member of each. */
const ADMIN_HELPERS: readonly [status: number, member: string, pattern: RegExp][] = [
  [404, 'error', /\bnotFoundError\(\s*(?:'([^']+)'|`([^`]+)`)/g],
  [409, 'errorMessage', /\bconflictError\(\s*(?:'([^']+)'|`([^`]+)`)/g],
];
const ADMIN_ERROR = /new AdminError\(\s*(\d{3}),\s*\{\s*(error|errorMessage): (?:'([^']+)'|`([^`]+)`)/g;

/**
 * Returns the page with every error code, and with Keycloak's error texts that the Admin REST API answers instead of
 * codes.
 */
export async function errorsPage(): Promise<string> {
  const sources = await hostSources();
  return page(
    'Errors',
    'Programs can test the codes on this page. Messages may change.',
    '## Errors of a start and of commands',
    'Keyhost and its commands print `keyhost: message [code]` on standard error. Below it is each mistake as `file:line:column path: message`.\nA [reload of plugins](../../../providers/README.md) and the Admin REST API of plugins use the same codes. Mistakes of realm files have no\ncodes of their own: their code is `realm_invalid` or `production_unsafe`.',
    table(
      ['code', 'meaning'],
      Object.entries(BOOT_ERRORS).map(([name, meaning]) => [code(name), sentence(meaning)]),
    ),
    '## OAuth errors',
    'The endpoints of a realm answer `{"error": code, "error_description": message}` (RFC 6749 §5.2). The authorization endpoint sends the\nbrowser to the redirect URI with the same two parameters. The status is 400 unless the table says otherwise.',
    oauthErrors(sources),
    '## Errors of the Admin REST API',
    "Answers have Keycloak's members and texts: `error` with `error_description`, or `errorMessage`. `…` stands for a value of your request.\nOne answer with several mistakes has `errors`. The [Admin REST API](admin-api.md) has the operations.",
    adminErrors(sources),
    '## Errors that plugins see',
    'Calls of a [session](../../spi/guide/contract.md) throw errors with a `code`. Over HTTP, the caller gets the status.',
    hostErrors(sources),
  );
}

/** @throws Error for a code without a meaning, and for a meaning without a code */
function oauthErrors(sources: readonly Source[]): string {
  const thrown = new Set(findMatches(sources, OAUTH_ERROR).map(([, name = '']) => name));
  const documentedNames = Object.keys(OAUTH_MEANINGS);
  const undocumentedNames = [...thrown].filter((name) => !Object.hasOwn(OAUTH_MEANINGS, name));
  if (undocumentedNames.length > 0)
    throw new Error(`oauth-meanings.ts does not explain ${undocumentedNames.join(', ')}`);
  const unusedNames = documentedNames.filter((name) => !sources.some(({ text }) => text.includes(`'${name}'`)));
  if (unusedNames.length > 0)
    throw new Error(`oauth-meanings.ts explains ${unusedNames.join(', ')}, which nothing throws`);
  const rows = documentedNames.sort().map((name) => [code(name), ...(OAUTH_MEANINGS[name] ?? [])]);
  return table(['code', 'meaning', 'defined in'], rows);
}

function adminErrors(sources: readonly Source[]): string {
  const admin = sources.filter(({ path }) => path.startsWith('core/admin/'));
  const rows = new Set<string>();
  for (const [status, member, pattern] of ADMIN_HELPERS) {
    for (const [, text, template] of findMatches(admin, pattern))
      rows.add(JSON.stringify([status, member, text ?? template]));
  }
  for (const [, status, member, text, template] of findMatches(admin, ADMIN_ERROR))
    rows.add(JSON.stringify([Number(status), member, text ?? template]));
  const sorted = [...rows].map((row) => JSON.parse(row) as [number, string, string]);
  sorted.sort(([a, , x], [b, , y]) => a - b || (x < y ? -1 : 1));
  return table(
    ['status', 'member', 'text'],
    sorted.map(([status, member, text]) => [String(status), code(member), plain(withoutValues(text))]),
  );
}

function hostErrors(sources: readonly Source[]): string {
  const errors = new Map<string, { statuses: Set<string>; messages: Set<string> }>();
  for (const [, name = '', text, template, rest = ''] of findMatches(sources, HOST_ERROR)) {
    const { statuses, messages } = errors.get(name) ?? { statuses: new Set(), messages: new Set() };
    statuses.add(/^[^)]*\bstatus: (\d{3})/.exec(rest)?.[1] ?? '500');
    const message = text ?? template;
    if (message !== undefined) messages.add(withoutValues(message));
    errors.set(name, { statuses, messages });
  }
  return table(
    ['code', 'status', 'message'],
    [...errors]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { statuses, messages }]) => [
        code(name),
        [...statuses].sort().join(', '),
        [...messages].sort().map(plain).join('<br>'),
      ]),
  );
}

/** Replaces the values in a template with an ellipsis. */
function withoutValues(text: string): string {
  return text.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '…');
}

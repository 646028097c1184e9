import type { ClientKind } from './client-kinds.js';
import { type NewClient, OFFLINE_SCOPE } from './client-representation.js';
import type { Framework } from './framework-pages.js';

/** RFC 8252 §7.3: a native app may listen on any port of the loopback address. */
const LOOPBACK_REDIRECT = 'http://127.0.0.1/callback';

/**
 * The path of the redirect URI if the framework is unknown. It is not a pattern, because an app must send an exact URI.
 */
const CALLBACK_PATH = '/callback';

/** The description of an app, from which its client is derived. Members that are undefined have defaults. */
export interface AppDescription {
  readonly kind: ClientKind;
  readonly framework: Framework | undefined;
  readonly name: string;
  readonly clientId?: string | undefined;
  /** URL in development. */
  readonly url?: string | undefined;
  /** URL in production. */
  readonly productionUrl?: string | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly postLogoutUris?: readonly string[] | undefined;
  readonly groups: boolean;
  /** Client IDs of APIs. */
  readonly audiences: readonly string[];
  readonly offlineAccess: boolean;
}

export type AppMember = 'clientId' | 'url' | 'productionUrl' | 'redirectUris' | 'postLogoutUris' | 'offlineAccess';

/** Thrown if a member of a description is invalid. */
export class InvalidAppError extends Error {
  readonly member: AppMember;

  constructor(member: AppMember, message: string) {
    super(message);
    this.member = member;
  }
}

/**
 * Returns the properties of the client for an app.
 * @throws InvalidAppError
 */
export function clientOfApp(app: AppDescription): NewClient {
  const { kind, framework, name, groups, audiences, offlineAccess } = app;
  const clientId = requireClientId(app.clientId ?? clientIdOf(name));
  if (offlineAccess && !kind.redirects) {
    throw new InvalidAppError('offlineAccess', `${OFFLINE_SCOPE} requires an app to which users sign in`);
  }
  const urls = hasUrl(kind) ? urlsOf(app) : [];
  const { redirectUris = redirectUrisOf(urls, framework), postLogoutUris = postLogoutUrisOf(urls, framework) } = app;
  return {
    kind,
    clientId,
    name,
    url: urls[0],
    groups: groups || framework?.groups === true,
    offlineAccess,
    redirectUris: kind.redirects ? requireUris('redirectUris', redirectUris) : [],
    postLogoutUris: kind.redirects ? requireUris('postLogoutUris', postLogoutUris) : [],
    isPublic: framework?.isPublic || kind.isPublic,
    // If the library sends no challenge, do not require PKCE, because the app could not sign in.
    requiresPkce: framework?.sendsPkce ?? (kind.redirects && kind.isPublic),
    roles: framework?.roles === true,
    audiences: [...new Set([...(framework?.ownAudience ? [clientId] : []), ...audiences])],
    framework: framework?.id,
  };
}

/** True if the redirect URIs are derived from the app's URL. */
export function hasUrl(kind: ClientKind): boolean {
  return kind.redirects && kind.id !== 'native';
}

/** Replacements of letters that Unicode normalisation does not decompose. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
};

/**
 * Derives a client ID from a name: `Käse & Brot` becomes `kase-brot`. Empty for a name without Latin letters and
 * digits.
 */
export function clientIdOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþ]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

/**
 * Checks a client ID.
 * @throws InvalidAppError
 */
export function requireClientId(clientId: string): string {
  if (/^[\w.:/-]+$/.test(clientId)) return clientId;
  throw new InvalidAppError('clientId', `"${clientId}" has other characters than letters, digits and . _ : / -`);
}

/**
 * Checks the URL of an app, and returns it without a trailing slash.
 * @throws InvalidAppError
 */
export function normalizeUrl(member: 'url' | 'productionUrl', text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new InvalidAppError(member, `"${text}" is not the URL of an app`);
}

/**
 * Checks that the URIs are absolute and have no fragment (RFC 6749 §3.1.2).
 * @throws InvalidAppError
 */
export function requireUris(member: 'redirectUris' | 'postLogoutUris', uris: readonly string[]): readonly string[] {
  const invalidUri = uris.find((uri) => !URL.canParse(uri) || uri.includes('#'));
  if (invalidUri === undefined) return uris;
  throw new InvalidAppError(member, `"${invalidUri}" is not an absolute URI without a fragment`);
}

/**
 * Returns the default redirect URIs of an app.
 * @param urls of the app; empty for a native app
 */
export function redirectUrisOf(urls: readonly string[], framework: Framework | undefined): readonly string[] {
  if (urls.length === 0) return framework?.redirects ?? [LOOPBACK_REDIRECT];
  return resolvePaths(urls, framework?.redirects ?? [CALLBACK_PATH]);
}

/**
 * Returns the default post logout redirect URIs of an app.
 * @param urls of the app; empty for a native app
 */
export function postLogoutUrisOf(urls: readonly string[], framework: Framework | undefined): readonly string[] {
  return resolvePaths(urls, framework?.postLogout ?? ['', '/']);
}

function urlsOf({ kind, framework, url, productionUrl }: AppDescription): readonly string[] {
  const developmentUrl = normalizeUrl('url', url ?? framework?.url ?? kind.url ?? '');
  return productionUrl === undefined || productionUrl === ''
    ? [developmentUrl]
    : [...new Set([developmentUrl, normalizeUrl('productionUrl', productionUrl)])];
}

function resolvePaths(urls: readonly string[], paths: readonly string[]): readonly string[] {
  return [...new Set(urls.flatMap((url) => paths.map((path) => (/^(\/|$)/.test(path) ? `${url}${path}` : path))))];
}

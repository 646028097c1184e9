import type { ClientKind } from './client-kinds.js';
import { OFFLINE_SCOPE, type WantedClient } from './client-representation.js';
import type { Framework } from './framework-pages.js';

/** RFC 8252 §7.3: a native app listens on any port of the loopback address. */
const LOOPBACK_REDIRECT = 'http://127.0.0.1/callback';

/**
 * Path of the redirect URI for an app without a known framework. A single one, because an app cannot send a pattern.
 */
const CALLBACK = '/callback';

/** The description of an app. Undefined members are derived from the others. */
export interface DescribedApp {
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

/** A member of a description is invalid. */
export class WrongApp extends Error {
  readonly member: AppMember;

  constructor(member: AppMember, message: string) {
    super(message);
    this.member = member;
  }
}

/** The client of an app. @throws WrongApp */
export function wantedClient(app: DescribedApp): WantedClient {
  const { kind, framework, name, groups, audiences, offlineAccess } = app;
  const clientId = checkedClientId(app.clientId ?? clientIdOf(name));
  if (offlineAccess && !kind.redirects) {
    throw new WrongApp('offlineAccess', `${OFFLINE_SCOPE} requires an app to which users sign in`);
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
    redirectUris: kind.redirects ? checkedUris('redirectUris', redirectUris) : [],
    postLogoutUris: kind.redirects ? checkedUris('postLogoutUris', postLogoutUris) : [],
    isPublic: framework?.isPublic || kind.isPublic,
    // Not required for a library that sends no challenge, because it could not sign in.
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

/** Letters that Unicode normalisation does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
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
 * A client ID derived from a name: `Käse & Brot` becomes `kase-brot`. Empty for a name without Latin letters and
 * digits.
 */
export function clientIdOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþ]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}

/** @throws WrongApp */
export function checkedClientId(clientId: string): string {
  if (/^[\w.:/-]+$/.test(clientId)) return clientId;
  throw new WrongApp('clientId', `"${clientId}" has other characters than letters, digits and . _ : / -`);
}

/** The URL of an app, without trailing slash. @throws WrongApp */
export function checkedUrl(member: 'url' | 'productionUrl', given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new WrongApp(member, `"${given}" is not the URL of an app`);
}

/** RFC 6749 §3.1.2: absolute, and without a fragment. @throws WrongApp */
export function checkedUris(member: 'redirectUris' | 'postLogoutUris', uris: readonly string[]): readonly string[] {
  const wrong = uris.find((uri) => !URL.canParse(uri) || uri.includes('#'));
  if (wrong === undefined) return uris;
  throw new WrongApp(member, `"${wrong}" is not an absolute URI without a fragment`);
}

/** @param urls of the app; empty for a native app */
export function redirectUrisOf(urls: readonly string[], framework: Framework | undefined): readonly string[] {
  if (urls.length === 0) return framework?.redirects ?? [LOOPBACK_REDIRECT];
  return below(urls, framework?.redirects ?? [CALLBACK]);
}

/** @param urls of the app; empty for a native app */
export function postLogoutUrisOf(urls: readonly string[], framework: Framework | undefined): readonly string[] {
  return below(urls, framework?.postLogout ?? ['', '/']);
}

function urlsOf({ kind, framework, url, productionUrl }: DescribedApp): readonly string[] {
  const developed = checkedUrl('url', url ?? framework?.url ?? kind.url ?? '');
  return productionUrl === undefined || productionUrl === ''
    ? [developed]
    : [...new Set([developed, checkedUrl('productionUrl', productionUrl)])];
}

function below(urls: readonly string[], paths: readonly string[]): readonly string[] {
  return [...new Set(urls.flatMap((url) => paths.map((path) => (/^(\/|$)/.test(path) ? `${url}${path}` : path))))];
}

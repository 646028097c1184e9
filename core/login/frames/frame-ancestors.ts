import type { Realm } from '../../model/realm.js';

const ANCESTORS = Symbol('frame ancestors');
/**
 * Maximum length of the list in characters. Proxies reject longer headers, so a longer list allows all http and https
 * origins. `/init` still checks the origin.
 */
const MAX_CHARACTERS = 4000;

/**
 * The sites that may frame a page that all applications of the realm share: the web origins of its clients. The request
 * contains no client, because keycloak-js loads the page without parameters.
 */
export function frameAncestors(realm: Realm): string {
  return realm.derive(ANCESTORS, () => {
    const origins = new Set<string>();
    for (const client of realm.clients.values()) {
      if (client.enabled) for (const origin of client.webOrigins) origins.add(sourceOf(origin));
    }
    if (origins.has('*')) return '*';
    const sources = ["'self'", ...origins].filter((source) => source !== '').join(' ');
    return sources.length > MAX_CHARACTERS ? "'self' https: http:" : sources;
  });
}

/**
 * The CSP source of an origin. For a host that CSP cannot express (IPv6) it is the scheme; for a value that is no
 * origin, ''.
 */
function sourceOf(origin: string): string {
  if (origin === '*' || /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/i.test(origin)) return origin;
  return /^https?:\/\/\[[0-9a-f:.]+\](:\d+)?$/i.test(origin) ? `${new URL(origin).protocol}` : '';
}

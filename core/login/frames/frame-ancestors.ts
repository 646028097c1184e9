import type { Realm } from '../../model/realm.js';

const ANCESTORS = Symbol('frame ancestors');
/** Beyond this a header would become too long for proxies: any http origin then, which `/init` judges all the same. */
const MOST_CHARACTERS = 4000;

/**
 * Who may frame a page that every application of the realm shares: the web origins of its clients. The request names no
 * client, as keycloak-js asks for the page by its bare address.
 */
export function frameAncestors(realm: Realm): string {
  return realm.derive(ANCESTORS, () => {
    const origins = new Set<string>();
    for (const client of realm.clients.values()) {
      if (client.enabled) for (const origin of client.webOrigins) origins.add(sourceOf(origin));
    }
    if (origins.has('*')) return '*';
    const list = ["'self'", ...origins].filter((source) => source !== '').join(' ');
    return list.length > MOST_CHARACTERS ? "'self' https: http:" : list;
  });
}

/** The source of an origin: of a host that CSP cannot write (IPv6) its scheme, of what is no origin none. */
function sourceOf(origin: string): string {
  if (origin === '*' || /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/i.test(origin)) return origin;
  return /^https?:\/\/\[[0-9a-f:.]+\](:\d+)?$/i.test(origin) ? `${new URL(origin).protocol}` : '';
}

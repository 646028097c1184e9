const WELL_KNOWN = '/.well-known/';
const REALM_PATH = /^\/realms\/[^/]+$/;

/**
 * The path below a realm of a document that is asked for by the address of the realm's issuer: RFC 8414 §3.1 puts the
 * well-known name between the host of an issuer and its path. `/.well-known/{name}/auth/realms/{realm}` is
 * `/realms/{realm}/.well-known/{name}`; it lies outside the relative path `/auth`.
 * @param basePaths what may stand in front of `/realms/{realm}` there, such as `/auth`, or the empty text
 * @returns undefined for every other path
 */
export function wellKnownOfRealm(path: string, basePaths: readonly string[]): string | undefined {
  if (!path.startsWith(WELL_KNOWN)) return undefined;
  const end = path.indexOf('/', WELL_KNOWN.length);
  if (end < 0) return undefined;
  const issuer = path.slice(end);
  for (const base of basePaths) {
    if (!issuer.startsWith(base)) continue;
    const realm = issuer.slice(base.length);
    if (REALM_PATH.test(realm)) return `${realm}${path.slice(0, end)}`;
  }
  return undefined;
}

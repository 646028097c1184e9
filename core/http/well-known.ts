const WELL_KNOWN = '/.well-known/';
const REALM_PATH = /^\/realms\/[^/]+$/;

/**
 * Maps the well-known URL of an issuer to the realm's path. RFC 8414 §3.1 puts the well-known name between the host and
 * the path of the issuer. So `/.well-known/{name}/auth/realms/{realm}`, which is outside the relative path `/auth`,
 * becomes `/realms/{realm}/.well-known/{name}`.
 * @param basePaths possible prefixes of `/realms/{realm}`, such as `/auth` or ''
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

import type { Patterns } from '../../../model/patterns.js';
import { textList } from '../condition.js';
import type { PolicyConfig } from '../property.js';

const LOOPBACK = 'Invalid Redirect Uri: invalid loopback address';
const PRIVATE = 'Invalid Redirect Uri: invalid private use scheme';
const NORMAL = 'Invalid Redirect Uri: invalid uri';

/** Matches the port as it is written. A parsed URL does not contain the default port of its scheme. */
const PORT = /^[a-z]+:\/\/(?:\[[^\]]*\]|[^/:?#]*):(\d+)/i;

/**
 * Returns the problem of a redirect URI, in Keycloak's words; undefined if there is none.
 * @param isRequested true for that of an authorization request, false for one that a client registers
 * @throws HostError if patterns are too expensive
 */
export function redirectAddressProblem(
  config: PolicyConfig,
  address: string,
  isRequested: boolean,
  patterns: Patterns,
): string | undefined {
  const isOn = (name: string) => config[name] === true;
  if (!URL.canParse(address)) return NORMAL;
  const { protocol, hostname, pathname, search } = new URL(address);
  const isHttp = protocol === 'http:';
  const isWeb = isHttp || protocol === 'https:';
  // An IPv4 address may also be written as an IPv6 address, which is parsed as `::ffff:7f…`.
  const isV4 = isWeb && /^(127\.\d+\.\d+\.\d+|(.*\.)?localhost\.?|\[::ffff:7f[0-9a-f]{2}:.*)$/.test(hostname);
  const isV6 = isWeb && hostname === '[::1]';
  const problem = isV4 || isV6 ? LOOPBACK : isWeb ? NORMAL : PRIVATE;
  const isOAuth21 = isOn('oauth-2-1-compliant');
  const isStrict = isOAuth21 || isOn('oauth-2-0-compliant');
  const hasStar = address.includes('*');
  const isStarAtPathEnd = search === '' && /^[^*]*\/\*$/.test(pathname) && address.indexOf('*') === address.length - 1;
  const mayHaveStar = isOn('allow-wildcard-context-path') && !isStrict && isStarAtPathEnd;
  if ((hasStar && !mayHaveStar) || (isStrict && address.includes('#'))) return problem;
  if (isHttp && !isOn('allow-http-scheme')) return problem;
  if (isV4 || isV6) {
    if (!isOn(isV4 ? 'allow-ipv4-loopback-address' : 'allow-ipv6-loopback-address')) return problem;
    return isOAuth21 && !isOAuth21Loopback(address, hostname, isRequested) ? problem : undefined;
  }
  if (!isWeb) {
    if (!isOn('allow-private-use-uri-scheme')) return problem;
    return isOAuth21 && !protocol.includes('.') ? problem : undefined;
  }
  if (isOAuth21 && isHttp) return problem;
  const domains = textList(config, 'allow-permitted-domains');
  const isPermitted = domains.length === 0 || domains.some((domain) => patterns.matches(domain, hostname) === true);
  return isPermitted ? undefined : problem;
}

/** True for a loopback address that OAuth 2.1 §8.4.2 allows: not a name, and with a port only in a request. */
function isOAuth21Loopback(address: string, hostname: string, isRequested: boolean): boolean {
  if (hostname.includes('localhost')) return false;
  const port = PORT.exec(address)?.[1];
  if (port === undefined) return true;
  return isRequested && Number(port) >= 1 && Number(port) <= 65_535;
}

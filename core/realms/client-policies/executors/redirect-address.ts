import type { Patterns } from '../../../model/patterns.js';
import { texts } from '../condition.js';
import type { PolicyConfig } from '../property.js';

const LOOPBACK = 'Invalid Redirect Uri: invalid loopback address';
const PRIVATE = 'Invalid Redirect Uri: invalid private use scheme';
const NORMAL = 'Invalid Redirect Uri: invalid uri';

/** 1 to 65535, as it is written: a parsed address forgets the port that its scheme has anyway. */
const PORT = /^[a-z]+:\/\/(?:\[[^\]]*\]|[^/:?#]*):(\d+)/i;

/**
 * The problem of a redirect URI, in Keycloak's words; undefined if there is none.
 * @param isRequested true for that of an authorization request, false for one that a client registers
 * @throws HostError if patterns are too expensive
 */
export function redirectAddressProblem(
  config: PolicyConfig,
  address: string,
  isRequested: boolean,
  patterns: Patterns,
): string | undefined {
  const is = (name: string) => config[name] === true;
  if (!URL.canParse(address)) return NORMAL;
  const { protocol, hostname, pathname, search } = new URL(address);
  const isHttp = protocol === 'http:';
  const isWeb = isHttp || protocol === 'https:';
  // Also written as an IPv6 address: a parsed one is `::ffff:7f…`.
  const isV4 = isWeb && /^(127\.\d+\.\d+\.\d+|(.*\.)?localhost\.?|\[::ffff:7f[0-9a-f]{2}:.*)$/.test(hostname);
  const isV6 = isWeb && hostname === '[::1]';
  const problem = isV4 || isV6 ? LOOPBACK : isWeb ? NORMAL : PRIVATE;
  const is21 = is('oauth-2-1-compliant');
  const isStrict = is21 || is('oauth-2-0-compliant');
  const hasStar = address.includes('*');
  const endsPath = search === '' && /^[^*]*\/\*$/.test(pathname) && address.indexOf('*') === address.length - 1;
  const mayHaveStar = is('allow-wildcard-context-path') && !isStrict && endsPath;
  if ((hasStar && !mayHaveStar) || (isStrict && address.includes('#'))) return problem;
  if (isHttp && !is('allow-http-scheme')) return problem;
  if (isV4 || isV6) {
    if (!is(isV4 ? 'allow-ipv4-loopback-address' : 'allow-ipv6-loopback-address')) return problem;
    return is21 && !isLoopbackOf21(address, hostname, isRequested) ? problem : undefined;
  }
  if (!isWeb) {
    if (!is('allow-private-use-uri-scheme')) return problem;
    return is21 && !protocol.includes('.') ? problem : undefined;
  }
  if (is21 && isHttp) return problem;
  const domains = texts(config, 'allow-permitted-domains');
  const isPermitted = domains.length === 0 || domains.some((domain) => patterns.matches(domain, hostname) === true);
  return isPermitted ? undefined : problem;
}

/** OAuth 2.1 §8.4.2: an address, not a name; the port is chosen at the time of the request. */
function isLoopbackOf21(address: string, hostname: string, isRequested: boolean): boolean {
  if (hostname.includes('localhost')) return false;
  const port = PORT.exec(address)?.[1];
  if (port === undefined) return true;
  return isRequested && Number(port) >= 1 && Number(port) <= 65_535;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What HTTP allows in a header's value (RFC 9110 §5.5). */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers that say something of the answer itself, and of nothing else. It is a list of what may be sent, and not of what
 * may not: others act on the whole origin (`nel`, `alt-svc`, `clear-site-data`), on its cookies, on how the message is framed,
 * or take back what the host promises of all its answers, and browsers get new ones.
 */
const OF_THE_ANSWER: ReadonlySet<string> = new Set([
  ...[
    'accept-patch',
    'accept-post',
    'accept-ranges',
    'allow',
    'cache-control',
    'content-digest',
    'content-disposition',
  ],
  ...['content-encoding', 'content-language', 'content-location', 'content-range', 'content-type', 'deprecation'],
  ...[
    'content-security-policy',
    'content-security-policy-report-only',
    'dpop-nonce',
    'etag',
    'expires',
    'last-modified',
  ],
  ...['link', 'location', 'permissions-policy', 'pragma', 'preference-applied', 'ratelimit', 'ratelimit-limit'],
  ...['ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset', 'repr-digest', 'retry-after', 'server-timing'],
  ...['signature', 'signature-input', 'sunset', 'vary', 'warning', 'www-authenticate'],
]);

/** Names of one's own begin with `x-`; browsers act on some of these, and proxies on others (`x-accel-redirect` of nginx). */
const OF_ONES_OWN = /^x-/;
const ACTED_ON =
  /^x-(?:frame-options|content-type-options|xss-protection|dns-prefetch-control|permitted-cross-domain-policies|ua-compatible|sendfile|accel|lighttpd|litespeed|reproxy|envoy)(?:-|$)/;

/** Why one is refused whose author means something by it that a plugin has in another way. */
const INSTEAD: Readonly<Record<string, string>> = {
  'set-cookie': 'a plugin is given no cookies',
  'access-control-allow-origin': 'the route declares cors: "any"',
  'x-frame-options': 'a content-security-policy has frame-ancestors',
  refresh: 'a status 303 with a location leads on',
};

/** What is wrong with the headers that a plugin's answer or error has; undefined where nothing is. */
export function wrongHeaders(headers: unknown): string | undefined {
  if (headers === undefined) return undefined;
  if (typeof headers !== 'object' || headers === null) return 'headers that are not an object';
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return `a header "${name}" that is invalid in HTTP`;
    }
    const lower = name.toLowerCase();
    if (OF_THE_ANSWER.has(lower) || (OF_ONES_OWN.test(lower) && !ACTED_ON.test(lower))) continue;
    const instead = Object.hasOwn(INSTEAD, lower) ? `: ${INSTEAD[lower]}` : '';
    return `a header "${name}" that only the host sends${instead}`;
  }
  return undefined;
}

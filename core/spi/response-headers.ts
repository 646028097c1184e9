const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The characters that HTTP allows in a header's value (RFC 9110 §5.5). */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers that only describe the response. This is an allow list, because browsers add ever more headers with other
 * effects. These act on the whole origin (`nel`, `alt-svc`, `clear-site-data`), on cookies, on the framing of the
 * message, or on the host's security headers.
 */
const RESPONSE_HEADERS: ReadonlySet<string> = new Set([
  'accept-patch',
  'accept-post',
  'accept-ranges',
  'allow',
  'cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-location',
  'content-range',
  'content-type',
  'deprecation',
  'content-security-policy',
  'content-security-policy-report-only',
  'dpop-nonce',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'permissions-policy',
  'pragma',
  'preference-applied',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'repr-digest',
  'retry-after',
  'server-timing',
  'signature',
  'signature-input',
  'sunset',
  'vary',
  'warning',
  'www-authenticate',
]);

/** Custom names begin with `x-`. Browsers act on some of these, and proxies on others (`x-accel-redirect` of nginx). */
const CUSTOM_HEADER = /^x-/;
const UNSAFE_CUSTOM_HEADER =
  /^x-(?:frame-options|content-type-options|xss-protection|dns-prefetch-control|permitted-cross-domain-policies|ua-compatible|sendfile|accel|lighttpd|litespeed|reproxy|envoy)(?:-|$)/;

/** Hints for refused headers whose purpose a plugin can achieve in another way. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  'set-cookie': 'a plugin is given no cookies',
  'access-control-allow-origin': 'the route declares cors: "any"',
  'x-frame-options': 'a content-security-policy has frame-ancestors',
  refresh: 'a status 303 with a location leads on',
};

/** Describes the mistake in the headers of a plugin's response or error; undefined if there is none. */
export function wrongHeaders(headers: unknown): string | undefined {
  if (headers === undefined) return undefined;
  if (typeof headers !== 'object' || headers === null) return 'headers that are not an object';
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return `a header "${name}" that is invalid in HTTP`;
    }
    const lowerName = name.toLowerCase();
    if (RESPONSE_HEADERS.has(lowerName) || (CUSTOM_HEADER.test(lowerName) && !UNSAFE_CUSTOM_HEADER.test(lowerName)))
      continue;
    const alternative = Object.hasOwn(ALTERNATIVES, lowerName) ? `: ${ALTERNATIVES[lowerName]}` : '';
    return `a header "${name}" that only the host sends${alternative}`;
  }
  return undefined;
}

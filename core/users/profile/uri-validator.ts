import type { ProfileViolation } from './profile-validators.js';

/** The default schemes of Keycloak's UriValidator. */
const DEFAULT_SCHEMES: readonly unknown[] = ['http', 'https'];
/** Schemes that `java.net.URL` supports. With `requireValidUrl`, the URI must have one of them. */
const URL_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ftp', 'file', 'mailto', 'jar', 'jrt', 'jmod']);
/** Characters that RFC 3986 forbids unless encoded. Keycloak accepts non-ASCII letters. */
const ILLEGAL_CHARACTER = /[\s<>"{}|\\^`\p{Cc}]/u;

/**
 * Checks an absolute URI like Keycloak's `uri` validator.
 * @param settings `allowedSchemes` (default: http and https), `allowFragment` and `requireValidUrl` (both default to
 * true)
 */
export function uriViolation(value: string, settings: Readonly<Record<string, unknown>>): ProfileViolation | undefined {
  const invalid = (reason: string): ProfileViolation => violation('error-invalid-uri', value, reason);
  if (ILLEGAL_CHARACTER.test(value)) return invalid('Illegal character');
  const scheme = /^([a-z][a-z0-9+.-]*):./i.exec(value)?.[1];
  if (scheme === undefined) return invalid('URI is not absolute');
  if (!URL.canParse(value)) return invalid('Malformed URI');
  const { allowedSchemes, allowFragment, requireValidUrl } = settings;
  const schemes = Array.isArray(allowedSchemes) && allowedSchemes.length > 0 ? allowedSchemes : DEFAULT_SCHEMES;
  if (!schemes.includes(scheme)) return violation('error-invalid-uri-scheme', value, scheme);
  const fragmentStart = value.indexOf('#');
  if (fragmentStart >= 0 && isFalse(allowFragment))
    return violation('error-invalid-uri-fragment', value, value.slice(fragmentStart + 1));
  if (!isFalse(requireValidUrl) && !URL_SCHEMES.has(scheme)) return invalid(`unknown protocol: ${scheme}`);
  return undefined;
}

function isFalse(setting: unknown): boolean {
  return setting === false || setting === 'false';
}

function violation(message: string, ...parameters: unknown[]): ProfileViolation {
  return { message, parameters };
}

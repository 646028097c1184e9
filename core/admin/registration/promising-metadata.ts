/**
 * Metadata that promise security: proof of a client or of its tokens, signatures and encryption, what requests and logins
 * must be like (RFC 8705 §2.1.2, RFC 9101 §10.5, RFC 9126 §6, RFC 9396 §10, RFC 9449 §5.2, OpenID Connect Registration §2,
 * JARM §3, CIBA §4).
 */
const PROMISING =
  /^(require|tls_client|dpop|mtls)_|_(alg|enc)$|^(default_max_age|default_acr_values|software_statement|authorization_details_types)$/;
/** Values that ask for nothing. */
const NOTHING: readonly unknown[] = [null, undefined, false, '', 'none', 'any'];

/**
 * The first member that promises security, and that Keyhost does not have. RFC 7591 §2 lets a server ignore what it does not
 * know; a client would believe that it is protected.
 * @param known the members that are read
 */
export function brokenPromise(metadata: Readonly<Record<string, unknown>>, known: object): string | undefined {
  return Object.keys(metadata).find((name) => {
    const value = metadata[name];
    const isEmpty = NOTHING.includes(value) || (Array.isArray(value) && value.length === 0);
    return PROMISING.test(name) && !Object.hasOwn(known, name) && !isEmpty;
  });
}

/** Headers by which a caller authenticates to the host. */
const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'dpop'];
const MAX_HEADERS = 10;
/**
 * Headers that any request may have, for the connection, the body, the browser or a proxy, so that they cannot be
 * credentials of a client.
 */
const COMMON_HEADERS =
  /^(accept(-.*)?|cache-control|connection|content-.*|date|expect|forwarded|from|host|if-.*|keep-alive|last-event-id|origin|pragma|range|referer|sec-.*|te|traceparent|tracestate|trailer|transfer-encoding|upgrade(-.*)?|user-agent|via|x-forwarded-(for|host|port|prefix|proto|server)|x-real-ip|x-requested-with)$/;

/** @throws Error unless the value is a list of at most 10 header names that a provider may read */
export function checkHeaders(value: unknown): void {
  const isHeader = (name: unknown) =>
    typeof name === 'string' && /^[a-z0-9-]{1,64}$/.test(name) && !CREDENTIAL_HEADERS.includes(name);
  if (!Array.isArray(value) || value.length > MAX_HEADERS || !value.every(isHeader)) {
    throw new Error(
      `headers must be at most ${MAX_HEADERS} names of headers in lower case, and none of ${CREDENTIAL_HEADERS.join(', ')}`,
    );
  }
}

/** @throws Error as `checkHeaders`, and for a header of ordinary requests */
export function checkCredentialHeaders(value: unknown): void {
  checkHeaders(value);
  const names = value as readonly string[];
  const commonIndex = names.findIndex((name) => COMMON_HEADERS.test(name));
  if (commonIndex >= 0) {
    throw new Error(
      `headers[${commonIndex}] must not be ${names[commonIndex]}: requests of all kinds have it, and it is no credential`,
    );
  }
}

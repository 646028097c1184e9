import { isIPv4, isIPv6 } from 'node:net';

/** A non-ASCII character (RFC 6531), except invisible ones and those that reverse the direction of text. */
const NON_ASCII = '(?![\\p{C}\\p{Z}])[\\u0080-\\uFFFF]';
const ATOM = `(?:[a-z0-9!#$%&'*+/=?^_\`{|}~-]|${NON_ASCII})+`;
const QUOTED = `"(?:[a-z0-9!#$%&'*.(),<>\\[\\]:; @+/=?^_\`{|}~-]|${NON_ASCII}|\\\\["\\\\])+"`;
const LOCAL = new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})$`, 'iu');
const LABEL = new RegExp(`^(?!-)(?:[a-z0-9-]|${NON_ASCII}){1,63}(?<!-)$`, 'iu');

/**
 * True for a single email address, as in Keycloak: RFC 5321 with non-ASCII characters (RFC 6531), without a comment or
 * display name. Unlike Keycloak, this refuses `?` and `/` in a domain, and invisible characters.
 * @param maxLocalLength maximum length of the part before the `@`, in characters
 */
export function isEmailAddress(text: string, maxLocalLength = 64): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  const domain = text.slice(at + 1);
  return at > 0 && local.length <= maxLocalLength && LOCAL.test(local) && isDomain(domain);
}

/**
 * True if sending to the address requires SMTPUTF8. Only the domain can be encoded in ASCII, and not the part before
 * the `@`.
 */
export function needsUtf8(address: string): boolean {
  return /[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf('@')));
}

function isDomain(domain: string): boolean {
  const literal = /^\[(.*)\]$/.exec(domain)?.[1];
  if (literal !== undefined) {
    return isIPv4(literal) || (/^ipv6:/i.test(literal) && isIPv6(literal.slice('ipv6:'.length)));
  }
  return domain.length <= 255 && domain.split('.').every((label) => LABEL.test(label));
}

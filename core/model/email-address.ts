import { isIPv4, isIPv6 } from 'node:net';

/** A character beyond ASCII (RFC 6531), except invisible ones and those that reverse the direction of text. */
const BEYOND = '(?![\\p{C}\\p{Z}])[\\u0080-\\uFFFF]';
const ATOM = `(?:[a-z0-9!#$%&'*+/=?^_\`{|}~-]|${BEYOND})+`;
const QUOTED = `"(?:[a-z0-9!#$%&'*.(),<>\\[\\]:; @+/=?^_\`{|}~-]|${BEYOND}|\\\\["\\\\])+"`;
const LOCAL = new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})$`, 'iu');
const LABEL = new RegExp(`^(?!-)(?:[a-z0-9-]|${BEYOND}){1,63}(?<!-)$`, 'iu');

/**
 * True for one email address, as in Keycloak: RFC 5321 with characters beyond ASCII (RFC 6531), without comment or
 * name. Unlike Keycloak, `?` and `/` in a domain and invisible characters are refused.
 * @param longestLocal maximum length of the part before the `@`, in characters
 */
export function isEmailAddress(text: string, longestLocal = 64): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  const domain = text.slice(at + 1);
  return at > 0 && local.length <= longestLocal && LOCAL.test(local) && isDomain(domain);
}

/** True where mail commands need SMTPUTF8: domains are written in ASCII, the part before the `@` cannot be. */
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

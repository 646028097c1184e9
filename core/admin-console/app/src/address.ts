// Vite treats `new URL(text, import.meta.url)` as the address of a file to copy.
const here = import.meta.url;

/** The address of the admin console. All built files are in a folder below it. */
export const CONSOLE_URL = new URL('../', here);
/** The address of the host. */
export const HOST_URL = new URL('../../', CONSOLE_URL);
/** The address of the realms and their sign-in pages: the host's, unless admins have an origin of their own. */
export const LOGIN_URL = new URL(
  document.querySelector<HTMLMetaElement>('meta[name=login]')?.content || HOST_URL,
  HOST_URL,
);
/** The admin console's path without a trailing slash, which routes are relative to. */
export const BASE_PATH = CONSOLE_URL.pathname.replace(/\/$/, '');

/** Encodes a name as one segment of a path. */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name);
}

/** Decodes a segment of a path. */
export function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The router has decoded the segment already, and the name itself contains a per cent sign.
    return part;
  }
}

// Vite takes `new URL(text, import.meta.url)` for the address of a file that it has to copy.
const here = import.meta.url;

/** Where the desk is: everything built lies in a folder below it. */
export const DESK = new URL('../', here);
/** Where the host is. */
export const HOST = new URL('../../', DESK);
/** Where the realms are, and users sign in: the host, unless it says that admins have an origin of their own. */
export const LOGIN = new URL(document.querySelector<HTMLMetaElement>('meta[name=login]')?.content || HOST, HOST);
/** The desk's path without a slash at its end, as routes are relative to. */
export const BASE = DESK.pathname.replace(/\/$/, '');

/** The part of an address that is one name. */
export function segment(name: string): string {
  return encodeURIComponent(name);
}

/** The name that a part of an address is. */
export function nameIn(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The router has decoded a part of it: what is left is a per cent sign of the name itself.
    return part;
  }
}

import { useLocation } from 'wouter';
import { decodeSegment, encodeSegment } from '../address.ts';
import { session } from '../session/session.ts';

const PATH = /^\/realms\/([^/]+)(\/[^/]+)?/;
let last: string | undefined;

/** The realm of the page, or the last one on pages about the host. */
export function useShownRealm(): string {
  const [path] = useLocation();
  const found = PATH.exec(path)?.[1];
  if (found !== undefined) last = decodeSegment(found);
  return last ?? session.realm;
}

/** Leaves a deleted realm: pages about the host then show the user's own. */
export function forgetRealm(): void {
  last = undefined;
}

/** True on a page of a realm. */
export function useIsOfRealm(): boolean {
  return PATH.test(useLocation()[0]);
}

/** The path of the same page in another realm, or of its providers if the page belongs to no realm. */
export function inRealm(path: string, realm: string): string {
  return `/realms/${encodeSegment(realm)}${PATH.exec(path)?.[2] ?? '/providers'}`;
}

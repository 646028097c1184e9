import { useLocation } from 'wouter';
import { nameIn, segment } from '../address.ts';
import { session } from '../session/session.ts';

const PATH = /^\/realms\/([^/]+)(\/[^/]+)?/;
let last: string | undefined;

/** The realm that the page is about; on pages of the host the one that was looked at last. */
export function useShownRealm(): string {
  const [path] = useLocation();
  const found = PATH.exec(path)?.[1];
  if (found !== undefined) last = nameIn(found);
  return last ?? session.realm;
}

/** Leaves a realm that is gone: the pages of the host show the user's own again. */
export function forgetRealm(): void {
  last = undefined;
}

/** True on a page of a realm. */
export function useIsOfRealm(): boolean {
  return PATH.test(useLocation()[0]);
}

/** The same page in another realm; its providers, where the page is none of a realm's. */
export function inRealm(path: string, realm: string): string {
  return `/realms/${segment(realm)}${PATH.exec(path)?.[2] ?? '/providers'}`;
}

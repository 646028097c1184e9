const KEY = 'keyhost.desk.realm';
const DEFAULT_REALM = 'master';

/** The name of the realm that was last signed in to in this browser. */
export function readLastRealm(): string {
  return localStorage.getItem(KEY) ?? DEFAULT_REALM;
}

export function storeLastRealm(name: string): void {
  localStorage.setItem(KEY, name);
}

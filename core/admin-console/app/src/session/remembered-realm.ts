const KEY = 'keyhost.desk.realm';
const FIRST = 'master';

/** The name of the realm that was last signed in to in this browser. Nothing else is stored. */
export function rememberedRealm(): string {
  return localStorage.getItem(KEY) ?? FIRST;
}

export function rememberRealm(name: string): void {
  localStorage.setItem(KEY, name);
}

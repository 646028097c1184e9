const KEY = 'keyhost.desk.realm';
const FIRST = 'master';

/** The realm that was signed in to last in this browser: its name, and nothing else. */
export function rememberedRealm(): string {
  return localStorage.getItem(KEY) ?? FIRST;
}

export function rememberRealm(name: string): void {
  localStorage.setItem(KEY, name);
}

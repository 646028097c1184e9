/**
 * The key of a vault reference `${vault.KEY}`; undefined if the text is none. As in Keycloak, the reference must be the
 * whole value.
 */
export function vaultKey(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^\$\{vault\.([^{}]+)\}$/.exec(text)?.[1];
}

/** True if the file vault can have a secret with this key; see `filesVault`. */
export function isFileKey(key: string): boolean {
  return /^[A-Za-z0-9.-][A-Za-z0-9._-]*$/.test(key);
}

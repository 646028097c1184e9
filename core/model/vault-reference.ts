/**
 * The key of a secret in a vault, from `${vault.KEY}`; undefined if the text is no reference. As in Keycloak, only a
 * whole value is one.
 */
export function vaultKey(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^\$\{vault\.([^{}]+)\}$/.exec(text)?.[1];
}

/** True if the vault of files can have the key; see `filesVault`. */
export function isFileKey(key: string): boolean {
  return /^[A-Za-z0-9.-][A-Za-z0-9._-]*$/.test(key);
}

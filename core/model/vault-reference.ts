/**
 * The key of a secret that stands in a vault, from `${vault.KEY}`; undefined: the text is none of that. As in Keycloak only a whole
 * value is a reference.
 */
export function vaultKey(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^\$\{vault\.([^{}]+)\}$/.exec(text)?.[1];
}

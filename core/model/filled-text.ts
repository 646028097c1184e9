/** Java's MessageFormat as far as Keycloak's texts use it: `{0}`, and two quotes for one. */
export function filledText(pattern: string, params: readonly string[]): string {
  return pattern.replace(/''|\{(\d)\}/g, (found, index?: string) =>
    index === undefined ? "'" : (params[Number(index)] ?? found),
  );
}

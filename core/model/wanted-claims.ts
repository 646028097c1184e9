/** The `claims` setting of Keycloak's advanced mappers: each claim must equal its value, or match it as a pattern. */
export interface RequiredClaims {
  readonly byPattern: boolean;
  readonly claims: readonly { readonly key: string; readonly value: string }[];
}

/**
 * Parses the `claims` setting.
 * @returns undefined for an invalid or empty list, which matches no user
 */
export function parseRequiredClaims(config: Readonly<Record<string, string>>): RequiredClaims | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(config.claims ?? '[]');
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed) || parsed.length === 0) return undefined;
  const claims = parsed.map((entry: { key?: unknown; value?: unknown } | null) => ({
    key: String(entry?.key),
    value: String(entry?.value),
  }));
  return { byPattern: config['are.claim.values.regex'] === 'true', claims };
}

/** The list `claims` of Keycloak's advanced mappers: each claim must equal its value, or match it as a pattern. */
export interface WantedClaims {
  readonly byPattern: boolean;
  readonly claims: readonly { readonly key: string; readonly value: string }[];
}

/** @returns undefined for an invalid or an empty list, which matches no user */
export function wantedClaims(config: Readonly<Record<string, string>>): WantedClaims | undefined {
  let wanted: unknown;
  try {
    wanted = JSON.parse(config.claims ?? '[]');
  } catch {
    return undefined;
  }
  if (!Array.isArray(wanted) || wanted.length === 0) return undefined;
  const claims = wanted.map((one: { key?: unknown; value?: unknown } | null) => ({
    key: String(one?.key),
    value: String(one?.value),
  }));
  return { byPattern: config['are.claim.values.regex'] === 'true', claims };
}

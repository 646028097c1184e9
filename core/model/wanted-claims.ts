/** What the list `claims` of Keycloak's advanced mappers says: each claim has that value, or fits it as a pattern. */
export interface WantedClaims {
  readonly byPattern: boolean;
  readonly claims: readonly { readonly key: string; readonly value: string }[];
}

/** @returns undefined for a list that is none, or empty: nobody meets it */
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

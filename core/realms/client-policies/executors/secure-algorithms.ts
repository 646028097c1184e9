/** Signatures of the Financial-grade API (FAPI 1.0 Advanced §8.6), as Keycloak takes them. */
export const SECURE_ALGORITHMS: readonly string[] = ['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];

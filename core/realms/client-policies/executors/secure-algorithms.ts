/** The signature algorithms that FAPI 1.0 Advanced §8.6 (Financial-grade API) allows according to Keycloak. */
export const SECURE_ALGORITHMS: readonly string[] = ['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'];

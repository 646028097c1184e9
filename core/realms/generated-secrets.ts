/** Returns log messages about clients without a secret that got a new one. */
export function generatedSecretSentences(clientIds: readonly string[]): string[] {
  return clientIds.map(
    (clientId) => `client ${clientId} had no secret; Keyhost created one: see Clients > ${clientId} > Credentials`,
  );
}

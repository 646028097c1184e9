/** Log entries about clients that came without a secret. @param clientIds of those that got a new one */
export function generatedSecretSentences(clientIds: readonly string[]): string[] {
  return clientIds.map(
    (clientId) => `client ${clientId} had no secret; Keyhost created one: see Clients > ${clientId} > Credentials`,
  );
}

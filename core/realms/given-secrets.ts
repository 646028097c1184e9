/** What the log says of clients that came without a secret. @param clientIds of those that got a new one */
export function givenSecretsSentences(clientIds: readonly string[]): string[] {
  return clientIds.map(
    (clientId) => `client ${clientId} came without a secret and has a new one: see Clients > ${clientId} > Credentials`,
  );
}

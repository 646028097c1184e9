/** Clients that every realm has: the host deletes none of them. */
const BUILT_IN = ['account', 'account-console', 'admin-cli', 'broker', 'realm-management', 'security-admin-console'];

export function isBuiltInClient(realm: string, clientId: string): boolean {
  return BUILT_IN.includes(clientId) || isKeptClient(realm, clientId);
}

/** Rights of administration are read from these clients and their roles: the host refuses to change them. */
export function isKeptClient(realm: string, clientId: string | undefined): boolean {
  return clientId === 'realm-management' || (realm === 'master' && clientId?.endsWith('-realm') === true);
}

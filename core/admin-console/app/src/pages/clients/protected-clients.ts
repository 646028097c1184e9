/** Clients that every realm has, and that cannot be deleted. */
const BUILT_IN = ['account', 'account-console', 'admin-cli', 'broker', 'realm-management', 'security-admin-console'];

export function isBuiltInClient(realm: string, clientId: string): boolean {
  return BUILT_IN.includes(clientId) || isProtectedClient(realm, clientId);
}

/** Administration rights are derived from these clients and their roles, so the host rejects changes of them. */
export function isProtectedClient(realm: string, clientId: string | undefined): boolean {
  return clientId === 'realm-management' || (realm === 'master' && clientId?.endsWith('-realm') === true);
}

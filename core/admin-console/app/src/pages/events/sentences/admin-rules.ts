/**
 * Paths of admin events that have a sentence of their own, with its key. The first rule that matches applies; `*` is
 * any operation, and `{_}` any name. All other events have a sentence made of the operation and the resource type.
 */
const RULES = [
  ['*', '', 'changeRealm'],
  ['*', 'ui-ext', 'changeRealm'],
  ['*', 'client-policies/policies', 'clientPolicies'],
  ['*', 'client-policies/profiles', 'clientProfiles'],
  ['*', 'events/config', 'eventSettings'],
  ['*', 'logout-all', 'endAllSessions'],
  ['*', 'push-revocation', 'pushRevocation'],
  ['*', 'partialImport', 'import'],
  ['*', 'realm-files/{name}/apply', 'applyFile'],
  ['*', 'users/profile', 'userProfile'],
  ['DELETE', 'users/{user}/action-tokens', 'revokeLinks'],
  ['DELETE', 'users/{user}/action-tokens/{_}', 'revokeLink'],
  ['*', 'users/{user}/action-tokens/{_}', 'createLink'],
  ['*', 'users/{user}/action-tokens', 'createLink'],
  ['*', 'users/{user}/consents/{name}', 'revokeConsent'],
  ['*', 'users/{user}/credentials/{_}/userLabel', 'renameCredential'],
  ['*', 'users/{user}/credentials/{_}/moveToFirst', 'orderCredentials'],
  ['*', 'users/{user}/credentials/{_}/moveAfter/{_}', 'orderCredentials'],
  ['*', 'users/{user}/credentials/{_}', 'removeCredential'],
  ['*', 'users/{user}/disable-credential-types', 'disableCredentials'],
  ['*', 'users/{user}/execute-actions-email', 'sendActions'],
  ['*', 'users/{user}/reset-password-email', 'sendReset'],
  ['*', 'users/{user}/send-verify-email', 'sendVerification'],
  ['DELETE', 'users/{user}/federated-identity/{name}', 'unlinkAccount'],
  ['*', 'users/{user}/federated-identity/{name}', 'linkAccount'],
  ['*', 'users/{user}/impersonation', 'impersonate'],
  ['*', 'users/{user}/logout', 'endSessions'],
  ['*', 'users/{user}/reset-password', 'setPassword'],
  ['DELETE', 'users/{user}/groups/{_}', 'removeMember'],
  ['*', 'users/{user}/groups/{_}', 'addMember'],
  ['DELETE', 'users/{user}/role-mappings/realm', 'unassignRoles'],
  ['*', 'users/{user}/role-mappings/realm', 'assignRoles'],
  ['DELETE', 'users/{user}/role-mappings/clients/{client}', 'unassignClientRoles'],
  ['*', 'users/{user}/role-mappings/clients/{client}', 'assignClientRoles'],
  ['DELETE', 'groups/{group}/role-mappings/realm', 'unassignGroupRoles'],
  ['*', 'groups/{group}/role-mappings/realm', 'assignGroupRoles'],
  ['DELETE', 'groups/{group}/role-mappings/clients/{client}', 'unassignGroupRoles'],
  ['*', 'groups/{group}/role-mappings/clients/{client}', 'assignGroupRoles'],
  ['*', 'ui-ext/role-mapping-delete/users/{user}', 'unassignRoles'],
  ['*', 'ui-ext/role-mapping-delete/groups/{group}', 'unassignGroupRoles'],
  ['*', 'ui-ext/role-mapping-delete/roles/{_}', 'removeComposites'],
  ['*', 'ui-ext/role-mapping-delete/clients/{client}', 'removeClientScopeRoles'],
  ['*', 'ui-ext/role-mapping-delete/clientScopes/{_}', 'removeScopeRoles'],
  ['*', 'clients/{client}/client-secret', 'newSecret'],
  ['*', 'clients/{client}/client-secret/rotated', 'revokeSecret'],
  ['*', 'clients/{client}/push-revocation', 'pushRevocation'],
  ['*', 'clients/{client}/registration-access-token', 'newRegistrationToken'],
  ['*', 'clients/{client}/certificates/{_}/{_}', 'changeKeys'],
  ['DELETE', 'clients/{client}/default-client-scopes/{_}', 'unassignScope'],
  ['DELETE', 'clients/{client}/optional-client-scopes/{_}', 'unassignScope'],
  ['*', 'clients/{client}/default-client-scopes/{_}', 'assignScope'],
  ['*', 'clients/{client}/optional-client-scopes/{_}', 'assignOptionalScope'],
  ['DELETE', 'clients/{client}/scope-mappings/realm', 'removeClientScopeRoles'],
  ['DELETE', 'clients/{client}/scope-mappings/clients/{_}', 'removeClientScopeRoles'],
  ['*', 'clients/{client}/scope-mappings/realm', 'addClientScopeRoles'],
  ['*', 'clients/{client}/scope-mappings/clients/{_}', 'addClientScopeRoles'],
  ['DELETE', 'client-scopes/{_}/scope-mappings/realm', 'removeScopeRoles'],
  ['DELETE', 'client-scopes/{_}/scope-mappings/clients/{_}', 'removeScopeRoles'],
  ['*', 'client-scopes/{_}/scope-mappings/realm', 'addScopeRoles'],
  ['*', 'client-scopes/{_}/scope-mappings/clients/{_}', 'addScopeRoles'],
  ['DELETE', 'default-default-client-scopes/{_}', 'removeDefaultScope'],
  ['DELETE', 'default-optional-client-scopes/{_}', 'removeDefaultScope'],
  ['*', 'default-default-client-scopes/{_}', 'addDefaultScope'],
  ['*', 'default-optional-client-scopes/{_}', 'addOptionalScope'],
  ['DELETE', 'default-groups/{_}', 'removeDefaultGroup'],
  ['*', 'default-groups/{_}', 'addDefaultGroup'],
  ['DELETE', 'clients/{client}/roles/{name}/composites', 'removeComposites'],
  ['*', 'clients/{client}/roles/{name}/composites', 'addComposites'],
  ['DELETE', 'roles/{name}/composites', 'removeComposites'],
  ['*', 'roles/{name}/composites', 'addComposites'],
  ['DELETE', 'roles-by-id/{_}/composites', 'removeComposites'],
  ['*', 'roles-by-id/{_}/composites', 'addComposites'],
  ['*', 'authentication/executions/{_}/raise-priority', 'orderSteps'],
  ['*', 'authentication/executions/{_}/lower-priority', 'orderSteps'],
  ['*', 'authentication/required-actions/{_}/raise-priority', 'orderActions'],
  ['*', 'authentication/required-actions/{_}/lower-priority', 'orderActions'],
  ['*', 'attack-detection/brute-force/users', 'unlockAll'],
  ['*', 'attack-detection/brute-force/users/{user}', 'unlock'],
  ['*', 'sessions/{_}', 'endSession'],
  ['*', 'plugins/reload', 'reloadPlugins'],
  ['*', 'plugins/restart', 'restartPlugin'],
  ['*', 'plugins/rollback', 'rollBackPlugins'],
  ['*', 'providers/{_}/{name}', 'changeProvider'],
  ['*', 'pages/{name}/{_}', 'changeOnPage'],
] as const;

export type AdminSentenceKey = (typeof RULES)[number][2];

/** The names that a path contains, still as IDs. */
export type PathNames = Readonly<Record<'user' | 'client' | 'group' | 'name', string | undefined>>;

const COMPILED = RULES.map(([operation, template, key]) => ({
  operation,
  key,
  pattern: new RegExp(
    `^${template.replace(/\{(\w+)\}/g, (_, name: string) => (name === '_' ? '[^/]+' : `(?<${name}>[^/]+)`))}$`,
  ),
}));
const START = /^(?:users\/(?<user>[^/]+)|clients\/(?<client>[^/]+)|groups\/(?<group>[^/]+))/;

/** The rule for an event; without a key if its sentence is made of the operation and the resource type. */
export function matchRule(
  operation: string,
  path: string,
): { readonly key: AdminSentenceKey | undefined; readonly names: PathNames } {
  for (const rule of COMPILED) {
    if (rule.operation !== '*' && rule.operation !== operation) continue;
    const match = rule.pattern.exec(path);
    if (match !== null) return { key: rule.key, names: namesOf(match.groups) };
  }
  return { key: undefined, names: namesOf(START.exec(path)?.groups) };
}

function namesOf({ user, client, group, name }: Record<string, string | undefined> = {}): PathNames {
  return { user, client, group, name: name && decoded(name) };
}

/** A part of a path as text. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import { ignored, ignoredAsWhole, mergeSettings, type Settings, supported } from './setting-state.js';

/** Settings of users, groups, roles, organizations and the user profile, by Keycloak's name of their owner. */
export const USERS: Readonly<Record<string, Settings>> = {
  Credential: mergeSettings(
    supported(
      'admin/credentials',
      'algorithm counter credentialData hashIterations id salt secretData temporary type userLabel value',
    ),
    supported('config/realm-files', 'createdDate'),
    supported('config/read-values', 'digits hashedSaltedValue period priority'),
    ignored('Keyhost has no user storage', 'federationLink'),
    ignored('only Keycloaks before 12 have it: it is read into secretData and credentialData', 'config device'),
  ),
  FederatedIdentity: mergeSettings(supported('broker/first-login', 'identityProvider userId userName')),
  Group: mergeSettings(
    supported('account/account-page', 'access'),
    supported('admin/groups', 'attributes description id name parentId path realmRoles subGroupCount'),
    supported('account/account-login', 'clientRoles'),
    supported('admin/first-request', 'subGroups'),
  ),
  Organization: mergeSettings(
    ignoredAsWhole(
      'Keyhost has no organizations: it keeps them for Keycloak',
      'alias attributes description domains enabled groups id identityProviders members name redirectUrl',
    ),
  ),
  Role: mergeSettings(
    supported('admin/roles', 'attributes clientRole composite composites containerId description id name'),
    ignored('only Keycloaks before 4 have it', 'scopeParamRequired'),
  ),
  User: mergeSettings(
    supported('admin/users', 'access credentials groups notBefore requiredActions totp'),
    supported('admin/client-scopes', 'clientConsents'),
    supported('admin/client-rights', 'clientRoles serviceAccountClientId'),
    supported('login/required-actions', 'createdTimestamp'),
    supported('admin/identity-providers', 'federatedIdentities'),
    supported('admin/groups', 'realmRoles'),
    supported('account/themes', 'self'),
    supported('config/completed-names', 'applicationRoles socialLinks'),
    ignored('users choose which credentials they remove', 'disableableCredentialTypes'),
    ignored('Keyhost has no user storage', 'federationLink origin'),
    ignored('Keyhost issues no verifiable credentials', 'issuedVerifiableCredentials verifiableCredentials'),
  ),
  UserConsent: mergeSettings(
    supported('admin/action-token-history', 'clientId'),
    supported('admin/sessions', 'createdDate lastUpdatedDate'),
    supported('admin/client-scopes', 'grantedClientScopes'),
    ignored('only Keycloaks before 4 have it', 'grantedRealmRoles'),
  ),
  'UserProfileProvider declarative-user-profile': mergeSettings(
    supported('admin/default-values', 'kc.user.profile.config'),
  ),
  'Validator double': mergeSettings(supported('admin/user-profile', 'max min')),
  'Validator email': mergeSettings(supported('admin/user-profile', 'max-local-length')),
  'Validator integer': mergeSettings(supported('admin/user-profile', 'max min')),
  'Validator length': mergeSettings(
    supported('admin/user-profile', 'max min'),
    supported('admin/user-profile', 'trim-disabled'),
  ),
  'Validator multivalued': mergeSettings(supported('admin/user-profile', 'max min')),
  'Validator options': mergeSettings(supported('admin/user-profile', 'options')),
  'Validator pattern': mergeSettings(supported('admin/user-profile', 'error-message pattern')),
  'Validator person-name-prohibited-characters': mergeSettings(supported('admin/profile-validators', 'error-message')),
  'Validator up-username-not-idn-homograph': mergeSettings(supported('admin/profile-validators', 'error-message')),
  'Validator uri': mergeSettings(supported('admin/profile-validators', 'allowFragment allowedSchemes requireValidUrl')),
  'Validator username-prohibited-characters': mergeSettings(supported('admin/profile-validators', 'error-message')),
};

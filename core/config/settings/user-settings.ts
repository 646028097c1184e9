import { type Settings, settings, told, whole, works } from './setting-state.js';

/** Settings of users, groups, roles, organizations and the user profile, by Keycloak's name of their owner. */
export const USERS: Readonly<Record<string, Settings>> = {
  Credential: settings(
    works(
      'admin/credentials',
      'algorithm counter credentialData hashIterations id salt secretData temporary type userLabel value',
    ),
    works('config/realm-files', 'createdDate'),
    works('config/read-values', 'digits hashedSaltedValue period priority'),
    told('Keyhost has no user storage', 'federationLink'),
    told('only Keycloaks before 12 have it: it is read into secretData and credentialData', 'config device'),
  ),
  FederatedIdentity: settings(works('broker/first-login', 'identityProvider userId userName')),
  Group: settings(
    works('account/own-things', 'access'),
    works('admin/groups', 'attributes description id name parentId path realmRoles subGroupCount'),
    works('account/account-login', 'clientRoles'),
    works('admin/first-request', 'subGroups'),
  ),
  Organization: settings(
    whole(
      'Keyhost has no organizations: it keeps them for Keycloak',
      'alias attributes description domains enabled groups id identityProviders members name redirectUrl',
    ),
  ),
  Role: settings(
    works('admin/roles', 'attributes clientRole composite composites containerId description id name'),
    told('only Keycloaks before 4 have it', 'scopeParamRequired'),
  ),
  User: settings(
    works('admin/users', 'access credentials groups notBefore requiredActions totp'),
    works('admin/client-scopes', 'clientConsents'),
    works('admin/client-rights', 'clientRoles serviceAccountClientId'),
    works('login/required-actions', 'createdTimestamp'),
    works('admin/identity-providers', 'federatedIdentities'),
    works('admin/groups', 'realmRoles'),
    works('account/themes', 'self'),
    works('config/completed-names', 'applicationRoles socialLinks'),
    told('users choose which credentials they remove', 'disableableCredentialTypes'),
    told('Keyhost has no user storage', 'federationLink origin'),
    told('Keyhost issues no verifiable credentials', 'issuedVerifiableCredentials verifiableCredentials'),
  ),
  UserConsent: settings(
    works('admin/action-token-history', 'clientId'),
    works('admin/sessions', 'createdDate lastUpdatedDate'),
    works('admin/client-scopes', 'grantedClientScopes'),
    told('only Keycloaks before 4 have it', 'grantedRealmRoles'),
  ),
  'UserProfileProvider declarative-user-profile': settings(works('admin/default-values', 'kc.user.profile.config')),
  'Validator double': settings(works('admin/user-profile', 'max min')),
  'Validator email': settings(works('admin/user-profile', 'max-local-length')),
  'Validator integer': settings(works('admin/user-profile', 'max min')),
  'Validator length': settings(works('admin/user-profile', 'max min'), works('admin/user-profile', 'trim-disabled')),
  'Validator multivalued': settings(works('admin/user-profile', 'max min')),
  'Validator options': settings(works('admin/user-profile', 'options')),
  'Validator pattern': settings(works('admin/user-profile', 'error-message pattern')),
  'Validator person-name-prohibited-characters': settings(works('admin/profile-validators', 'error-message')),
  'Validator up-username-not-idn-homograph': settings(works('admin/profile-validators', 'error-message')),
  'Validator uri': settings(works('admin/profile-validators', 'allowFragment allowedSchemes requireValidUrl')),
  'Validator username-prohibited-characters': settings(works('admin/profile-validators', 'error-message')),
};

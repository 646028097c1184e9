import { KEYCLOAK_MEMBERS } from '../realms/export/keycloak-members.js';
import type { StrictRepresentation } from './strict-members.js';

const {
  realm,
  user,
  credential,
  client,
  group,
  role,
  composites,
  clientScope,
  protocolMapper,
  flow,
  execution,
  authenticatorConfig,
  requiredAction,
  identityProvider,
  identityProviderMapper,
} = KEYCLOAK_MEMBERS;

/* The members that Keycloak 26.7.3 accepts in each representation, including legacy members that it ignores. */

export const REALM_MEMBERS = strictRepresentation('RealmRepresentation', [
  ...realm,
  'social',
  'updateProfileOnInitialSocialLogin',
  'socialProviders',
  'applications',
  'oauthClients',
  'applicationScopeMappings',
  'passwordCredentialGrantAllowed',
  'clientTemplates',
]);
export const EVENTS_CONFIG_MEMBERS = strictRepresentation('RealmEventsConfigRepresentation', []);
export const CREDENTIAL_MEMBERS = strictRepresentation('CredentialRepresentation', [
  ...credential,
  'device',
  'hashedSaltedValue',
  'salt',
  'hashIterations',
  'counter',
  'algorithm',
  'digits',
  'period',
  'config',
]);
export const USER_MEMBERS = strictRepresentation('UserRepresentation', [...user, 'applicationRoles', 'rawAttributes'], {
  credentials: CREDENTIAL_MEMBERS,
});
export const PROTOCOL_MAPPER_MEMBERS = strictRepresentation('ProtocolMapperRepresentation', protocolMapper, {}, [
  'name',
]);
export const CLIENT_MEMBERS = strictRepresentation(
  'ClientRepresentation',
  [...client, 'clientTemplate', 'useTemplateConfig', 'useTemplateScope', 'useTemplateMappers'],
  { protocolMappers: PROTOCOL_MAPPER_MEMBERS },
  ['name', 'description'],
);
export const CLIENT_SCOPE_MEMBERS = strictRepresentation(
  'ClientScopeRepresentation',
  clientScope,
  { protocolMappers: PROTOCOL_MAPPER_MEMBERS },
  ['description'],
);
export const GROUP_MEMBERS = strictRepresentation('GroupRepresentation', group, { subGroups: undefined }, [
  'description',
]);
export const ROLE_MEMBERS = strictRepresentation(
  'RoleRepresentation',
  [...role, 'scopeParamRequired'],
  { composites: strictRepresentation('Composites', [...composites, 'application']) },
  ['description'],
);
export const COMPONENT_MEMBERS = strictRepresentation('ComponentRepresentation', [
  'config',
  'id',
  'name',
  'parentId',
  'providerId',
  'providerType',
  'subType',
]);
export const IDENTITY_PROVIDER_MEMBERS = strictRepresentation('IdentityProviderRepresentation', identityProvider);
export const IDENTITY_PROVIDER_MAPPER_MEMBERS = strictRepresentation(
  'IdentityProviderMapperRepresentation',
  identityProviderMapper,
);
export const FLOW_MEMBERS = strictRepresentation('AuthenticationFlowRepresentation', flow, {
  authenticationExecutions: strictRepresentation('AuthenticationExecutionExportRepresentation', execution),
});
export const EXECUTION_MEMBERS = strictRepresentation('AuthenticationExecutionRepresentation', [
  'id',
  'flowId',
  'parentFlow',
  'authenticator',
  'authenticatorConfig',
  'authenticatorFlow',
  'autheticatorFlow',
  'priority',
  'requirement',
]);
export const EXECUTION_INFO_MEMBERS = strictRepresentation('AuthenticationExecutionInfoRepresentation', [
  'alias',
  'authenticationConfig',
  'authenticationFlow',
  'configurable',
  'description',
  'displayName',
  'flowId',
  'id',
  'index',
  'level',
  'priority',
  'providerId',
  'requirement',
  'requirementChoices',
]);
export const AUTHENTICATOR_CONFIG_MEMBERS = strictRepresentation(
  'AuthenticatorConfigRepresentation',
  authenticatorConfig,
);
export const REQUIRED_ACTION_MEMBERS = strictRepresentation('RequiredActionProviderRepresentation', requiredAction);
export const REQUIRED_ACTION_CONFIG_MEMBERS = strictRepresentation('RequiredActionConfigRepresentation', ['config']);
export const INITIAL_ACCESS_MEMBERS = strictRepresentation('ClientInitialAccessCreatePresentation', [
  'count',
  'expiration',
  'webOrigins',
]);

function strictRepresentation(
  name: string,
  members: Iterable<string>,
  inner: StrictRepresentation['inner'] = {},
  short: StrictRepresentation['shortTexts'] = [],
): StrictRepresentation {
  return { name, members: new Set(members), inner, shortTexts: short };
}

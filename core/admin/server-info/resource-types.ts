import type { ResourceType } from '../operation.js';

/** Resource types by which admin events can be filtered. */
export const RESOURCE_TYPES: readonly ResourceType[] = [
  ...(['REALM', 'REALM_ROLE', 'REALM_ROLE_MAPPING', 'REALM_SCOPE_MAPPING', 'REALM_DEFAULT_GROUP'] as const),
  ...(['REALM_LOCALIZATION', 'AUTH_FLOW', 'AUTH_EXECUTION_FLOW', 'AUTH_EXECUTION', 'AUTHENTICATOR_CONFIG'] as const),
  ...(['REQUIRED_ACTION', 'REQUIRED_ACTION_CONFIG', 'IDENTITY_PROVIDER', 'IDENTITY_PROVIDER_MAPPER'] as const),
  ...(['PROTOCOL_MAPPER', 'USER', 'USER_LOGIN_FAILURE', 'USER_SESSION', 'USER_PROFILE', 'GROUP'] as const),
  ...(['GROUP_MEMBERSHIP', 'CLIENT', 'CLIENT_INITIAL_ACCESS_MODEL', 'CLIENT_ROLE', 'CLIENT_ROLE_MAPPING'] as const),
  ...([
    'CLIENT_SCOPE',
    'CLIENT_SCOPE_MAPPING',
    'CLIENT_SCOPE_CLIENT_MAPPING',
    'COMPONENT',
    'CLUSTER_NODE',
    'CUSTOM',
  ] as const),
];

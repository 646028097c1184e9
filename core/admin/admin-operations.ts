import { type TokenHistoryParts, tokenHistoryOperations } from './action-tokens/token-history-operations.js';
import { tokenListOperations } from './action-tokens/token-list-operations.js';
import { administratorOperations } from './administrators/administrator-operations.js';
import { type ConfigOperationParts, configOperations } from './authentication/config-operations.js';
import { type ExecutionOperationParts, executionOperations } from './authentication/execution-operations.js';
import { type FlowOperationParts, flowOperations } from './authentication/flow-operations.js';
import { type ProviderListOperationParts, providerListOperations } from './authentication/provider-list-operations.js';
import {
  type RequiredActionOperationParts,
  requiredActionOperations,
} from './authentication/required-action-operations.js';
import { type CertificateParts, certificateOperations } from './certificates/certificate-operations.js';
import { clientPolicyOperations } from './client-policies/client-policy-operations.js';
import { clientScopeOperations } from './client-scopes/client-scope-operations.js';
import { defaultScopeOperations } from './client-scopes/default-scope-operations.js';
import { scopeClientOperation } from './client-scopes/scope-client-operation.js';
import { appOperations } from './clients/app-operations.js';
import { claimOriginOperation } from './clients/claim-origin-operation.js';
import { clientCredentialOperations } from './clients/client-credential-operations.js';
import { clientInstallationOperations } from './clients/client-installation-operations.js';
import { type ClientListParts, clientListOperation } from './clients/client-list-operation.js';
import { clientNodeOperations } from './clients/client-node-operations.js';
import { type ClientParts, clientOperations } from './clients/client-operations.js';
import { clientScopeListOperations } from './clients/client-scope-list-operations.js';
import { type EvaluateScopeParts, evaluateScopeOperations } from './clients/evaluate-scope-operations.js';
import { type SignInParts, signInOperation } from './clients/sign-in-operation.js';
import { type ComponentOperationParts, componentOperations } from './components/component-operations.js';
import { type EventConfigOperationParts, eventConfigOperations } from './events/event-config-operations.js';
import { type EventOperationParts, eventOperations } from './events/event-operations.js';
import { type EventStreamParts, eventStreamOperation } from './events/event-stream-operation.js';
import { defaultGroupOperations } from './groups/default-group-operations.js';
import { type GroupOperationParts, groupOperations } from './groups/group-operations.js';
import { groupRoleOperations } from './groups/group-role-operations.js';
import {
  type IdentityProviderOperationParts,
  identityProviderOperations,
} from './identity-providers/identity-provider-operations.js';
import {
  type IdentityProviderMapperOperationParts,
  identityProviderMapperOperations,
} from './identity-providers/mapper-operations.js';
import { type KeyOperationParts, keyOperations } from './keys/key-operations.js';
import { type ProtocolMapperParts, protocolMapperOperations } from './mappers/protocol-mapper-operations.js';
import type { AdminOperation } from './operation.js';
import { type PageOperationParts, pageOperations } from './pages/page-operations.js';
import {
  type PartialExportOperationParts,
  partialExportOperations,
} from './partial-export/partial-export-operations.js';
import {
  type PartialImportOperationParts,
  partialImportOperations,
} from './partial-import/partial-import-operations.js';
import { type PluginOperationParts, pluginOperations } from './plugins/plugin-operations.js';
import { type ProviderOperationParts, providerOperations } from './providers/provider-operations.js';
import { type RealmFileOperationParts, realmFileOperations } from './realm-files/realm-file-operations.js';
import { cacheOperations } from './realms/cache-operations.js';
import { type LocalizationOperationParts, localizationOperations } from './realms/localization-operations.js';
import { type MailServerParts, mailServerOperation } from './realms/mail-server-operation.js';
import { type RealmOperationParts, realmOperations } from './realms/realm-operations.js';
import { unsupportedOperations } from './realms/unsupported-operations.js';
import { descriptionOperations } from './registration/description-operations.js';
import { initialAccessOperations } from './registration/initial-access-operations.js';
import type { RegistrationTokenParts } from './registration/registration-token.js';
import { compositeOperations } from './roles/composite-operations.js';
import { type RoleHolderParts, roleHolderOperations } from './roles/role-holder-operations.js';
import { roleListOperations } from './roles/role-list-operations.js';
import { roleOperations } from './roles/role-operations.js';
import { scopeMappingOperations } from './scope-mappings/scope-mapping-operations.js';
import { type ServerInfoOperationParts, serverInfoOperations } from './server-info/server-info-operations.js';
import { type SessionOperationParts, sessionOperations } from './sessions/session-operations.js';
import { type StatisticsParts, statisticsOperations } from './statistics/statistics-operations.js';
import { type ConsoleParts, consoleOperations } from './ui-ext/console-operations.js';
import { actionTokenOperations } from './users/action-token-operations.js';
import { attackDetectionOperations } from './users/attack-detection-operations.js';
import { consentOperations } from './users/consent-operations.js';
import { credentialOperations } from './users/credential-operations.js';
import { effectiveRoleOperation } from './users/effective-role-operation.js';
import { federatedIdentityOperations } from './users/federated-identity-operations.js';
import { idleUserOperations } from './users/idle-user-operations.js';
import { type ImpersonationOperationParts, impersonationOperations } from './users/impersonation-operations.js';
import { type MailOperationParts, mailOperations } from './users/mail-operations.js';
import { userGroupOperations } from './users/user-group-operations.js';
import { type UserOperationParts, userOperations } from './users/user-operations.js';
import { userProfileOperations } from './users/user-profile-operations.js';
import { userRoleOperations } from './users/user-role-operations.js';
import { userStorageOperations } from './users/user-storage-operations.js';

export type AdminParts = RealmOperationParts &
  TokenHistoryParts &
  ProviderOperationParts &
  PluginOperationParts &
  PageOperationParts &
  RealmFileOperationParts &
  EventOperationParts &
  EventStreamParts &
  StatisticsParts &
  SignInParts &
  EventConfigOperationParts &
  ComponentOperationParts &
  KeyOperationParts &
  FlowOperationParts &
  ExecutionOperationParts &
  ConfigOperationParts &
  ProviderListOperationParts &
  RequiredActionOperationParts &
  IdentityProviderOperationParts &
  IdentityProviderMapperOperationParts &
  LocalizationOperationParts &
  PartialExportOperationParts &
  PartialImportOperationParts &
  ServerInfoOperationParts &
  ClientParts &
  ClientListParts &
  CertificateParts &
  RegistrationTokenParts &
  ProtocolMapperParts &
  MailServerParts &
  EvaluateScopeParts &
  RoleHolderParts &
  UserOperationParts &
  GroupOperationParts &
  SessionOperationParts &
  MailOperationParts &
  ConsoleParts &
  ImpersonationOperationParts;

/** All operations of the Admin REST API. */
export function adminOperations(parts: AdminParts): AdminOperation[] {
  return [
    ...realmOperations(parts),
    mailServerOperation(parts),
    ...cacheOperations(parts),
    clientListOperation(parts),
    ...appOperations(parts),
    signInOperation(parts),
    ...clientOperations(parts),
    ...clientCredentialOperations(parts),
    ...clientScopeListOperations(parts),
    ...clientInstallationOperations(parts),
    ...certificateOperations(parts),
    ...clientNodeOperations(parts),
    ...evaluateScopeOperations(parts),
    claimOriginOperation(parts),
    ...clientScopeOperations(parts),
    scopeClientOperation(),
    ...defaultScopeOperations(parts),
    ...protocolMapperOperations(parts),
    ...scopeMappingOperations(parts),
    ...roleListOperations(parts),
    ...roleOperations(parts),
    ...compositeOperations(parts),
    ...roleHolderOperations(parts),
    ...initialAccessOperations(parts),
    ...descriptionOperations(parts),
    ...providerOperations(parts),
    ...pluginOperations(parts),
    ...pageOperations(parts),
    ...realmFileOperations(parts),
    ...eventOperations(parts),
    eventStreamOperation(parts),
    ...statisticsOperations(parts),
    ...eventConfigOperations(parts),
    ...componentOperations(parts),
    ...keyOperations(parts),
    ...flowOperations(parts),
    ...executionOperations(parts),
    ...configOperations(parts),
    ...providerListOperations(parts),
    ...requiredActionOperations(parts),
    ...identityProviderOperations(parts),
    ...identityProviderMapperOperations(parts),
    ...localizationOperations(parts),
    ...serverInfoOperations(parts),
    ...partialExportOperations(parts),
    ...partialImportOperations(parts),
    ...unsupportedOperations(),
    ...clientPolicyOperations(parts),
    ...userOperations(parts),
    ...idleUserOperations(parts),
    ...administratorOperations(parts),
    ...credentialOperations(parts),
    ...mailOperations(parts),
    ...actionTokenOperations(parts),
    ...tokenListOperations(parts),
    ...tokenHistoryOperations(parts),
    ...userProfileOperations(parts),
    ...userStorageOperations(),
    ...userRoleOperations(parts),
    effectiveRoleOperation(parts),
    ...userGroupOperations(parts),
    ...federatedIdentityOperations(parts),
    ...consentOperations(parts),
    ...attackDetectionOperations(parts),
    ...impersonationOperations(parts),
    ...groupOperations(parts),
    ...groupRoleOperations(parts),
    ...defaultGroupOperations(parts),
    ...sessionOperations(parts),
    ...consoleOperations(parts),
  ];
}

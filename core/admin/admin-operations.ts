import { clientScopeOperations } from './client-scopes/client-scope-operations.js';
import { defaultScopeOperations } from './client-scopes/default-scope-operations.js';
import { clientCredentialOperations } from './clients/client-credential-operations.js';
import { clientInstallationOperations } from './clients/client-installation-operations.js';
import { clientListOperation } from './clients/client-list-operation.js';
import { clientNodeOperations } from './clients/client-node-operations.js';
import { type ClientParts, clientOperations } from './clients/client-operations.js';
import { clientScopeListOperations } from './clients/client-scope-list-operations.js';
import { type EvaluateScopeParts, evaluateScopeOperations } from './clients/evaluate-scope-operations.js';
import { type ProtocolMapperParts, protocolMapperOperations } from './mappers/protocol-mapper-operations.js';
import type { AdminOperation } from './operation.js';
import { type RealmOperationParts, realmOperations } from './realms/realm-operations.js';
import { descriptionOperations } from './registration/description-operations.js';
import { initialAccessOperations } from './registration/initial-access-operations.js';
import type { RegistrationTokenParts } from './registration/registration-token.js';
import { compositeOperations } from './roles/composite-operations.js';
import { type RoleHolderParts, roleHolderOperations } from './roles/role-holder-operations.js';
import { roleListOperations } from './roles/role-list-operations.js';
import { roleOperations } from './roles/role-operations.js';
import { scopeMappingOperations } from './scope-mappings/scope-mapping-operations.js';

export type AdminParts = RealmOperationParts &
  ClientParts &
  RegistrationTokenParts &
  ProtocolMapperParts &
  EvaluateScopeParts &
  RoleHolderParts & { readonly baseUrl: () => string };

/** Everything that the Admin REST API can do. */
export function adminOperations(parts: AdminParts): AdminOperation[] {
  return [
    ...realmOperations(parts),
    clientListOperation(parts),
    ...clientOperations(parts),
    ...clientCredentialOperations(parts),
    ...clientScopeListOperations(parts),
    ...clientInstallationOperations(parts),
    ...clientNodeOperations(parts),
    ...evaluateScopeOperations(parts),
    ...clientScopeOperations(parts),
    ...defaultScopeOperations(parts),
    ...protocolMapperOperations(parts),
    ...scopeMappingOperations(parts),
    ...roleListOperations(parts),
    ...roleOperations(parts),
    ...compositeOperations(parts),
    ...roleHolderOperations(parts),
    ...initialAccessOperations(parts),
    ...descriptionOperations(parts),
  ];
}

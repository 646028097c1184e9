import { type ConfigOperationParts, configOperations } from './authentication/config-operations.js';
import { type ExecutionOperationParts, executionOperations } from './authentication/execution-operations.js';
import { type FlowOperationParts, flowOperations } from './authentication/flow-operations.js';
import { type ProviderListOperationParts, providerListOperations } from './authentication/provider-list-operations.js';
import {
  type RequiredActionOperationParts,
  requiredActionOperations,
} from './authentication/required-action-operations.js';
import { type ComponentOperationParts, componentOperations } from './components/component-operations.js';
import { type EventConfigOperationParts, eventConfigOperations } from './events/event-config-operations.js';
import { type EventOperationParts, eventOperations } from './events/event-operations.js';
import {
  type IdentityProviderOperationParts,
  identityProviderOperations,
} from './identity-providers/identity-provider-operations.js';
import {
  type IdentityProviderMapperOperationParts,
  identityProviderMapperOperations,
} from './identity-providers/mapper-operations.js';
import { type KeyOperationParts, keyOperations } from './keys/key-operations.js';
import type { AdminOperation } from './operation.js';
import {
  type PartialExportOperationParts,
  partialExportOperations,
} from './partial-export/partial-export-operations.js';
import {
  type PartialImportOperationParts,
  partialImportOperations,
} from './partial-import/partial-import-operations.js';
import { type ProviderOperationParts, providerOperations } from './providers/provider-operations.js';
import { absentOperations } from './realms/absent-operations.js';
import { type LocalizationOperationParts, localizationOperations } from './realms/localization-operations.js';
import { type RealmOperationParts, realmOperations } from './realms/realm-operations.js';
import { type ServerInfoOperationParts, serverInfoOperations } from './server-info/server-info-operations.js';

export type AdminParts = RealmOperationParts &
  ProviderOperationParts &
  EventOperationParts &
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
  ServerInfoOperationParts;

/** Everything that the Admin REST API can do. */
export function adminOperations(parts: AdminParts): AdminOperation[] {
  return [
    ...realmOperations(parts),
    ...providerOperations(parts),
    ...eventOperations(parts),
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
    ...absentOperations(),
  ];
}

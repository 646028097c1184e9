import type { ClientPolicyCondition } from './condition.js';
import { acrCondition } from './conditions/acr-condition.js';
import { anyClient } from './conditions/any-client.js';
import { clientAccessType } from './conditions/client-access-type.js';
import { clientAttributes } from './conditions/client-attributes.js';
import { clientRoles } from './conditions/client-roles.js';
import { clientScopes } from './conditions/client-scopes.js';
import { clientType } from './conditions/client-type.js';
import {
  clientUpdaterContext,
  clientUpdaterSourceGroups,
  clientUpdaterSourceRoles,
} from './conditions/client-updater.js';
import { clientUpdaterSourceHost } from './conditions/client-updater-source-host.js';
import { grantType } from './conditions/grant-type.js';
import { identityProviderAlias } from './conditions/identity-provider-alias.js';

/** The built-in conditions. */
export const CONDITIONS: readonly ClientPolicyCondition[] = [
  acrCondition,
  anyClient,
  clientAccessType,
  clientAttributes,
  clientRoles,
  clientScopes,
  clientType,
  clientUpdaterContext,
  clientUpdaterSourceGroups,
  clientUpdaterSourceHost,
  clientUpdaterSourceRoles,
  grantType,
  identityProviderAlias,
];

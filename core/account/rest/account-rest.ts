import type { AccessTokens } from '../../tokens/access-tokens.js';
import type { AccountParts } from '../account.js';
import { applicationOperations } from './application-operations.js';
import { credentialOperations } from './credential-operations.js';
import { linkedAccountOperations } from './linked-account-operations.js';
import { profileOperations } from './profile-operations.js';
import { restEndpoint } from './rest-endpoint.js';
import { sessionOperations } from './session-operations.js';

/** Keycloak's Account REST API, as far as its account console uses it (AccountRestService). */
export function accountRest(parts: AccountParts, accessTokens: AccessTokens) {
  return restEndpoint(accessTokens, [
    ...profileOperations(parts),
    ...sessionOperations(parts),
    ...credentialOperations(parts),
    ...linkedAccountOperations(parts),
    ...applicationOperations(parts),
  ]);
}

import type { RequestEvent } from '../client-policy-events.js';
import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

const CODE = 'authorization_code';

/**
 * The grant type that each request begins, as in Keycloak. The grant of a code begins with the authorization request.
 */
const GRANTS: Readonly<Partial<Record<RequestEvent, string>>> = {
  AUTHORIZATION_REQUEST: CODE,
  TOKEN_REFRESH: 'refresh_token',
  RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST: 'password',
  SERVICE_ACCOUNT_TOKEN_REQUEST: 'client_credentials',
  TOKEN_EXCHANGE_REQUEST: 'urn:ietf:params:oauth:grant-type:token-exchange',
  DEVICE_TOKEN_REQUEST: 'urn:ietf:params:oauth:grant-type:device_code',
};

/** Applies to requests with one of these grant types. */
export const grantType: ClientPolicyCondition = {
  id: 'grant-type',
  helpText: 'Applies to requests with one of these grant types.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'grant_types',
      label: 'Grant Types',
      type: 'MultivaluedList',
      helpText: 'Grant types that meet the condition.',
      options: [...Object.values(GRANTS), 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    },
  ],
  request(config, { event, parameter }) {
    const grant = GRANTS[event] ?? (event === 'TOKEN_REQUEST' ? pluginGrant(parameter('grant_type')) : undefined);
    return grant === undefined ? undefined : textList(config, 'grant_types').includes(grant);
  },
};

/** Returns the type of a plugin's grant; undefined for a code, whose grant began earlier. */
function pluginGrant(grant: string | undefined): string | undefined {
  return grant === CODE ? undefined : grant;
}

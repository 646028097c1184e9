import type { Form } from '../../http/form.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { PolicyClientRequest } from '../../realms/client-policies/client-policy-events.js';
import type { PolicyPlugins } from '../../realms/client-policies/policy-evaluation.js';
import { evaluateAuthorization } from '../client-policy-requests.js';
import { PageRefusal } from './authorization-request.js';
import { redirectUriOf } from './redirect-uris.js';

/** The caller's IP address, and the plugins that may have to evaluate the authorization request. */
export interface PolicyContext {
  readonly ip: string;
  readonly plugins: PolicyPlugins;
  /** Absent if the request was not pushed. */
  readonly pushed?: PolicyClientRequest['pushed'];
}

/**
 * Reads and checks the client and redirect URI of an authorization request. Nothing may be redirected before both are
 * known.
 * @throws PageRefusal in Keycloak's order of checks (AuthorizationEndpoint)
 */
export async function clientOfRequest(
  realm: Realm,
  form: Form,
  policyContext: PolicyContext,
): Promise<{ client: Client; redirectUri: string }> {
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new PageRefusal('invalid_request', { key: 'missingParameterMessage', params: ['client_id'] });
  }
  if (form.duplicate() === 'client_id') throw repeatedParameter('client_id');
  const client = realm.clients.get(clientId);
  if (client === undefined) throw new PageRefusal('client_not_found', { key: 'clientNotFoundMessage' });
  if (!client.enabled) throw new PageRefusal('client_disabled', { key: 'clientDisabledMessage' });
  if (client.bearerOnly) {
    throw new PageRefusal('not_allowed', { key: 'bearerOnlyMessage' }, { status: 403, client });
  }
  if (client.protocol !== 'openid-connect') {
    throw new PageRefusal('invalid_client', { key: 'Wrong client protocol.' }, { client });
  }
  if (form.all('redirect_uri').length > 1) throw repeatedParameter('redirect_uri', client);
  const requestedUri = form.get('redirect_uri');
  const isOpenid = (form.get('scope') ?? '').split(' ').includes('openid');
  const redirectUri = requestedUri === undefined && isOpenid ? undefined : redirectUriOf(client, requestedUri);
  if (redirectUri === undefined) {
    const key = requestedUri === undefined ? 'missingParameterMessage' : 'invalidParameterMessage';
    const details: Record<string, string> = requestedUri === undefined ? {} : { redirect_uri: requestedUri };
    const params = ['redirect_uri', ...(requestedUri === undefined ? [] : [requestedUri])];
    throw new PageRefusal('invalid_redirect_uri', { key, params }, { client, details });
  }
  const request = { client, form, redirectUri, ...policyContext };
  const { refused } = await evaluateAuthorization('PRE_AUTHORIZATION_REQUEST', realm, request);
  if (refused !== undefined) {
    // Never redirect to a URI that the policy finds insecure.
    const { error, errorDescription: key = '', details, status, headers } = refused;
    throw new PageRefusal(error, { key }, { client, details, status, headers, cause: refused });
  }
  return { client, redirectUri };
}

function repeatedParameter(name: string, client?: Client): PageRefusal {
  return new PageRefusal('invalid_request', { key: 'invalidParameterMessage', params: [name] }, { client });
}

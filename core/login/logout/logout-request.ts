import type { Form } from '../../http/form.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { postLogoutRedirectUriOf } from '../../oidc/authorization/redirect-uris.js';
import { type IdTokenHint, readIdTokenHint } from '../../tokens/id-token-hint.js';

/** Where the browser goes when it is logged out, and for whom. */
export interface LogoutTarget {
  /** The application that asks, when it is known and enabled. */
  readonly client: Client | undefined;
  /** One of that client's registered addresses. */
  readonly redirectUri: string | undefined;
  readonly state: string | undefined;
  readonly uiLocales: string | undefined;
}

/** A checked logout request (OpenID Connect RP-Initiated Logout 1.0 §2). */
export interface LogoutRequest extends LogoutTarget {
  readonly hint: IdTokenHint | undefined;
}

/** @throws PageRefusal in Keycloak's order of checks (LogoutEndpoint) */
export async function readLogoutRequest(keys: KeyRing, realm: Realm, form: Form): Promise<LogoutRequest> {
  const repeated = form.duplicate();
  if (repeated !== undefined) throw invalidParameter('invalid_request', repeated);
  // What Keycloak took before version 18; it named no client that could be asked.
  if (form.given('redirect_uri')) throw invalidParameter('invalid_request', 'redirect_uri');
  const token = form.get('id_token_hint');
  const given = form.get('post_logout_redirect_uri');
  const named = form.get('client_id');
  if (given !== undefined && token === undefined && named === undefined) {
    throw new PageRefusal('invalid_request', { key: 'missingParameterMessage', params: ['id_token_hint'] });
  }
  const hint = token === undefined ? undefined : await readIdTokenHint(keys, realm, token);
  if (token !== undefined && hint === undefined) throw invalidParameter('invalid_token', 'id_token_hint');
  if (hint !== undefined && named !== undefined && named !== hint.clientId) {
    throw invalidParameter('invalid_token', 'id_token_hint');
  }
  const client = clientOf(realm, named ?? hint?.clientId);
  return {
    client,
    redirectUri: given === undefined ? undefined : allowed(client, given),
    state: form.get('state'),
    uiLocales: form.get('ui_locales'),
    hint,
  };
}

/** A client that may be told of, and sent back to. */
export function clientOf(realm: Realm, clientId: string | undefined): Client | undefined {
  const client = clientId === undefined ? undefined : realm.clients.get(clientId);
  return client?.enabled === true && client.protocol === 'openid-connect' ? client : undefined;
}

/** @throws PageRefusal for an address that the client did not register */
export function allowed(client: Client | undefined, given: string): string {
  const uri = client && postLogoutRedirectUriOf(client, given);
  if (uri === undefined)
    throw new PageRefusal('invalid_redirect_uri', { key: 'invalidRedirectUriMessage' }, { client });
  return uri;
}

function invalidParameter(eventError: string, name: string): PageRefusal {
  return new PageRefusal(eventError, { key: 'invalidParameterMessage', params: [name] });
}

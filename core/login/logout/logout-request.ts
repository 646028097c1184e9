import type { Form } from '../../http/form.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { postLogoutRedirectUriOf } from '../../oidc/authorization/redirect-uris.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import { type IdTokenHint, readIdTokenHint } from '../../tokens/id-token-hint.js';

/** The client of a logout, and the redirect after it. */
export interface LogoutTarget {
  /** The application that sent the request, if it exists and is enabled. */
  readonly client: Client | undefined;
  /** One of the client's registered post-logout redirect URIs. */
  readonly redirectUri: string | undefined;
  readonly state: string | undefined;
  readonly uiLocales: string | undefined;
}

/** A checked logout request (OpenID Connect RP-Initiated Logout 1.0 §2). */
export interface LogoutRequest extends LogoutTarget {
  readonly hint: IdTokenHint | undefined;
}

/** Reads and checks logout requests. */
export class LogoutRequests {
  readonly #parts: { keys: KeyRing; store: Store };

  constructor(parts: { keys: KeyRing; store: Store }) {
    this.#parts = parts;
  }

  /**
   * Reads and checks a request.
   * @throws PageRefusal in Keycloak's order of checks (LogoutEndpoint)
   */
  async read(realm: Realm, form: Form): Promise<LogoutRequest> {
    const duplicate = form.duplicate();
    if (duplicate !== undefined) throw invalidParameter('invalid_request', duplicate);
    // Keycloak before version 18 accepted this parameter. It cannot be checked, because the request has no client.
    if (form.isPresent('redirect_uri')) throw invalidParameter('invalid_request', 'redirect_uri');
    const token = form.get('id_token_hint');
    const requestedUri = form.get('post_logout_redirect_uri');
    const clientId = form.get('client_id');
    if (requestedUri !== undefined && token === undefined && clientId === undefined) {
      throw new PageRefusal('invalid_request', { key: 'missingParameterMessage', params: ['id_token_hint'] });
    }
    const hint = token === undefined ? undefined : await readIdTokenHint(this.#parts.keys, realm, token);
    if (token !== undefined && hint === undefined) throw invalidParameter('invalid_token', 'id_token_hint');
    if (hint !== undefined && clientId !== undefined && clientId !== hint.clientId) {
      throw invalidParameter('invalid_token', 'id_token_hint');
    }
    const client = clientOf(realm, clientId ?? hint?.clientId);
    return {
      client,
      redirectUri: requestedUri === undefined ? undefined : requireRegisteredUri(client, requestedUri),
      state: form.get('state'),
      uiLocales: form.get('ui_locales'),
      hint,
    };
  }

  /**
   * The session of the hint; undefined if it has ended, or is not of the user whom the hint names.
   * @throws PageRefusal if the hint is older than the session
   */
  async sessionOfHint(realm: Realm, { hint, client }: LogoutRequest): Promise<UserSessionRecord | undefined> {
    if (hint?.sessionId === undefined) return undefined;
    const session = await this.#parts.store.sessions.get({ realm: realm.name, id: hint.sessionId, offline: false });
    if (session === undefined || !isSubject(realm, hint, session.userId)) return undefined;
    if (hint.issuedAt < Math.floor(session.startedAt / 1000)) {
      throw new PageRefusal('invalid_token', { key: 'sessionNotActiveMessage' }, { client });
    }
    return session;
  }
}

/** True if the hint is about this user: its subject is the user's ID, or the client's own subject for the user. */
function isSubject({ clients }: Realm, { clientId, subject }: IdTokenHint, userId: string): boolean {
  return subject === userId || clients.get(clientId)?.matchesSubject(subject, userId) === true;
}

/** The client of a logout, if the browser may be redirected to it. */
export function clientOf(realm: Realm, clientId: string | undefined): Client | undefined {
  const client = clientId === undefined ? undefined : realm.clients.get(clientId);
  return client?.enabled === true && client.protocol === 'openid-connect' ? client : undefined;
}

/**
 * The redirect URI, if the client has registered it.
 * @throws PageRefusal otherwise
 */
export function requireRegisteredUri(client: Client | undefined, requestedUri: string): string {
  const uri = client && postLogoutRedirectUriOf(client, requestedUri);
  if (uri === undefined)
    throw new PageRefusal(
      'invalid_redirect_uri',
      { key: 'invalidRedirectUriMessage', params: [requestedUri] },
      { client },
    );
  return uri;
}

function invalidParameter(eventError: string, name: string): PageRefusal {
  return new PageRefusal(eventError, { key: 'invalidParameterMessage', params: [name] });
}

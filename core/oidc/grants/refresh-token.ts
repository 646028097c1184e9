import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { type Issuance, issuance } from '../../tokens/issuance.js';
import type { RefreshPayload, RefreshTokens } from '../../tokens/refresh-tokens.js';
import { type Impersonation, mayImpersonate } from './impersonation.js';
import { clientOf, type GrantServices } from './services.js';

/** RFC 6749 §6, in Keycloak's order of checks. Rotation and reuse detection are per login and durable. */
export const refreshToken = ({ refreshTokens }: GrantServices) =>
  provide(GrantType, {
    id: 'refresh_token',
    eventType: 'REFRESH_TOKEN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          if (form.refresh_token === undefined) {
            throw new OAuthError('invalid_request', 'No refresh token', { eventError: 'invalid_token' });
          }
          const token = await refreshTokens.readOf(realm, client, form.refresh_token);
          return issuance(await refresh(refreshTokens, realm, client, token, form.scope));
        },
      }),
    }),
  });

async function refresh(
  refreshTokens: RefreshTokens,
  realm: Realm,
  client: Client,
  token: RefreshPayload,
  requestedScope: string | undefined,
): Promise<Issuance> {
  const { user, session, clientSession } = await refreshTokens.check(realm, client, token, { expired: 'end' });
  const impersonation = readImpersonation(clientSession.notes);
  if (impersonation !== undefined && !mayImpersonate(realm, client, user, impersonation)) {
    throw new OAuthError('invalid_grant', 'Client not allowed to exchange', { eventError: 'not_allowed' });
  }
  const scope = impersonation ? undefined : narrowed(client, token.scope, requestedScope);
  if (impersonation && requestedScope !== undefined && requestedScope !== impersonation.scope) {
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requestedScope}`);
  }
  const next = await refreshTokens.rotate(realm, client, token, session);
  const details = { refresh_token_id: token.jti, refresh_token_type: token.typ, refresh_token_sub: token.sub };
  // The login that this token is of: a later one may have asked for another scope.
  const ofToken = { ...clientSession, scope: token.scope };
  const plan = { client, user, session, clientSession: ofToken, grant: 'rt', refresh: next, details };
  if (impersonation !== undefined) {
    return { ...plan, selection: client.selectScope(undefined), exact: impersonation, idToken: false };
  }
  const selection = client.selectScope(scope);
  return { ...plan, nonce: token.nonce, selection, idToken: token.scope.split(' ').includes('openid') };
}

/** RFC 6749 §6: never more than the login was granted. The new refresh token keeps all of it. */
function narrowed(client: Client, granted: string, requested: string | undefined): string {
  const words = granted.split(' ');
  // Scopes that the client lost since the login are left out.
  const kept = words.filter((word) => client.selectScope(word).valid);
  if (requested === undefined) return kept.join(' ');
  const wanted = requested.split(' ').filter((word) => word !== '');
  if (wanted.some((word) => !kept.includes(word)))
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requested}`);
  return wanted.join(' ');
}

/** The note that a naked exchange left on its client session. */
export const IMPERSONATION_NOTE = 'keyhost.impersonation';

function readImpersonation(notes: Readonly<Record<string, string>>): Impersonation | undefined {
  const note = notes[IMPERSONATION_NOTE];
  return note === undefined ? undefined : (JSON.parse(note) as Impersonation);
}

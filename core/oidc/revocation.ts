import { OAuthError } from '@keyhost/spi';
import { writeJson } from '../http/errors.js';
import type { Endpoint, Exchange } from '../http/exchange.js';
import type { KeyRing } from '../keys/key-ring.js';
import { type JwtPayload, verifyJwt } from '../keys/verify.js';
import type { Client } from '../model/client.js';
import type { Store } from '../store/store.js';
import { REVOKED } from '../tokens/access-tokens.js';
import type { ClientRequestRunner } from './client-requests.js';

export interface RevocationParts {
  readonly requests: ClientRequestRunner;
  readonly keys: KeyRing;
  readonly store: Store;
  readonly clock: { now(): number };
}

/** Minimum lifetime in milliseconds of the record that an access token is revoked. */
const MIN_RECORD_MS = 10_000;

/** RFC 7009, `POST …/revoke`. An unknown token is answered with 200, with Keycloak's error body. */
export function revocationEndpoint(parts: RevocationParts): Endpoint {
  return {
    path: '/protocol/openid-connect/revoke',
    cors: 'client',
    methods: { POST: (exchange) => revoke(parts, exchange) },
  };
}

function revoke(parts: RevocationParts, exchange: Exchange): Promise<void> {
  const { ctx, realm } = exchange;
  return parts.requests.serve(exchange, 'REVOKE_GRANT', async (form, client): Promise<Record<string, string>> => {
    const token = form.get('token');
    if (token === undefined) throw new OAuthError('invalid_request', 'Token not provided');
    const payload = await verifyToken(parts, exchange, token);
    if (payload === undefined || typeof payload.azp !== 'string') {
      writeJson(ctx, 200, { error: 'invalid_token', error_description: 'Invalid token' });
      return { reason: 'invalid token' };
    }
    if (!['Refresh', 'Offline', 'Bearer'].includes(String(payload.typ))) {
      throw new OAuthError('unsupported_token_type', 'Unsupported token type');
    }
    if (payload.azp !== client.clientId) throw new OAuthError('invalid_request', 'Unmatching clients');
    if (payload.typ === 'Bearer') await revokeAccessToken(parts, realm.name, payload);
    else await endClientSession(parts, realm.name, client, payload);
    ctx.status = 200;
    ctx.body = Buffer.alloc(0);
    ctx.remove('Content-Type');
    return { token_id: String(payload.jti), refresh_token_type: String(payload.typ) };
  });
}

async function verifyToken(
  { keys }: RevocationParts,
  { realm }: Exchange,
  token: string,
): Promise<JwtPayload | undefined> {
  const realmKeys = await keys.forToken(realm.name, token);
  try {
    const { payload } = verifyJwt(token, realmKeys);
    return payload.iss === realm.issuer ? payload : undefined;
  } catch {
    return undefined;
  }
}

async function revokeAccessToken({ store, clock }: RevocationParts, realm: string, payload: JwtPayload): Promise<void> {
  const now = clock.now();
  const expiresAt = Math.max(Number(payload.exp) * 1000, now + MIN_RECORD_MS);
  await store.marks.claim({ realm, kind: REVOKED, keyHash: String(payload.jti), expiresAt, now });
}

async function endClientSession(
  { store }: RevocationParts,
  realm: string,
  client: Client,
  { sid, typ }: JwtPayload,
): Promise<void> {
  if (typeof sid !== 'string') return;
  // As in Keycloak, revoking an offline token also ends the client's part in its online session.
  for (const offline of typ === 'Offline' ? [true, false] : [false]) {
    await store.sessions.detach({ realm, id: sid, offline }, client.id, { endIfLast: true });
  }
}

import { bearerToken } from '../http/bearer.js';
import { allowOriginsOf, allowOriginsOfRealm } from '../http/cors.js';
import { writeJson } from '../http/errors.js';
import type { Exchange } from '../http/exchange.js';
import type { RequestEvents } from '../http/request-events.js';
import type { KeyRing } from '../keys/key-ring.js';
import { namedIdentityProviders } from '../model/identity-provider.js';
import { codeOf } from '../model/thrown.js';
import { evaluateTokenUse } from '../oidc/client-policy-requests.js';
import type { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import { type AccessTokens, type LiveAccessToken, rolesOfToken } from '../tokens/access-tokens.js';
import { BROKER_CLIENT, READ_TOKEN_ROLE, readToken } from './stored-token.js';

export interface BrokerTokenParts {
  readonly accessTokens: AccessTokens;
  readonly keys: KeyRing;
  readonly events: RequestEvents;
  readonly plugins: PolicyPlugins;
}

/**
 * `GET /realms/{realm}/broker/{alias}/token`: returns the identity provider's stored tokens for the user. The
 * application's access token needs the role `read-token` of the client `broker`. Statuses and bodies are Keycloak's.
 * Client policies are evaluated for the event of Keycloak's identity-brokering-api:v2.
 */
export async function serveBrokerToken(parts: BrokerTokenParts, exchange: Exchange, alias: string): Promise<void> {
  const { ctx, realm } = exchange;
  ctx.set('Cache-Control', 'no-store');
  const live = await authenticateBearer(parts, exchange);
  const refuse = (status: number, errorMessage: string) => writeJson(ctx, status, { errorMessage });
  if (live === undefined) {
    allowOriginsOfRealm(ctx, realm);
    return refuse(400, 'Invalid token.');
  }
  const { client, user } = live;
  allowOriginsOf(ctx, client);
  const quotedAlias = JSON.stringify(alias.slice(0, 255));
  const event = { type: 'IDENTITY_PROVIDER_RETRIEVE_TOKEN', clientId: client.clientId, userId: user.id };
  const details = { identity_provider: alias.slice(0, 255) };
  if (rolesOfToken(realm, live).clients[BROKER_CLIENT]?.includes(READ_TOKEN_ROLE) !== true) {
    parts.events.emit(exchange, { ...event, details, error: 'not_allowed' });
    return refuse(403, `The client ${client.clientId} may not read tokens of the identity provider ${quotedAlias}.`);
  }
  const provider = namedIdentityProviders(realm).find((candidate) => candidate.alias === alias);
  if (provider?.enabled !== true) return refuse(404, `There is no identity provider ${quotedAlias}.`);
  if (!provider.storesToken) return refuse(400, `The identity provider ${quotedAlias} stores no tokens.`);
  const link = user.federatedIdentities.find((identity) => identity.identityProvider === alias);
  if (link === undefined) return refuse(400, `The user is not linked to the identity provider ${quotedAlias}.`);
  const use = { event: 'IDENTITY_BROKERING_API', identityProvider: alias } as const;
  const refusal = await evaluateTokenUse(realm, use, { client, ip: exchange.ip, plugins: parts.plugins });
  if (refusal !== undefined) {
    parts.events.emit(exchange, { ...event, details: { ...details, ...refusal.details }, error: refusal.error });
    ctx.set({ ...refusal.headers });
    return refuse(refusal.status, refusal.message);
  }
  const text = await readToken(parts.keys, realm, link);
  if (text === undefined)
    return refuse(404, `No token of the identity provider ${quotedAlias} is stored for the user.`);
  parts.events.emit(exchange, { ...event, details });
  writeJson(ctx, 200, text);
}

async function authenticateBearer(
  { accessTokens }: BrokerTokenParts,
  { ctx, realm }: Exchange,
): Promise<LiveAccessToken | undefined> {
  const token = bearerToken(ctx.get('authorization') || undefined);
  if (token === undefined) return undefined;
  try {
    return await accessTokens.check(realm, token);
  } catch (error) {
    if (codeOf(error) === 'invalid_token') return undefined;
    throw error;
  }
}

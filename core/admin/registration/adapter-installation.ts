import { OAuthError } from '@keyhost/spi';
import { bearerToken } from '../../http/bearer.js';
import { writeJson } from '../../http/errors.js';
import { callerOf, type Exchange } from '../../http/exchange.js';
import { parseForm } from '../../http/form.js';
import { methodNotAllowed } from '../../http/realm-dispatch.js';
import type { Events } from '../../registry/events/events.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { ClientAuthenticator } from '../../tokens/access-tokens.js';
import type { Users } from '../../users/users.js';
import { adapterConfiguration } from '../clients/adapter-configuration.js';
import { mayManageClient } from '../clients/client-rights.js';
import type { StoredClient } from '../clients/find-client.js';
import { registrationAuth } from './client-registration.js';
import { authenticateRegistrant, invalidToken, type RegistrantParts, requireAccessibleClient } from './registrant.js';
import { RegistrationPolicies } from './registration-policies.js';

export interface InstallationParts extends RegistrantParts {
  readonly users: Users;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly clients: ClientAuthenticator;
}

const ALLOWED = 'GET, HEAD, OPTIONS';
/**
 * The message for an unknown client and for one that requires credentials, so that callers cannot probe for client IDs.
 */
const NOT_AUTHORIZED = 'Not authorized to view client. Not valid token or client credentials provided.';

/**
 * Serves `/realms/{realm}/clients-registrations/install/{clientId}`: the adapter configuration of a client (Keycloak's
 * AdapterInstallationClientRegistrationProvider). The client itself, the holder of its registration token and admins
 * may read it. That of a public client contains no secret, so everyone may read it.
 */
export async function serveInstallation(parts: InstallationParts, exchange: Exchange, clientId: string) {
  const { ctx, realm, ip } = exchange;
  if (ctx.method === 'OPTIONS') {
    ctx.status = 204;
    ctx.set('Allow', ALLOWED);
    return;
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ALLOWED);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
  const createSession = () => parts.sessions.create(realm, callerOf(exchange), 'keyhost');
  const event = { type: 'CLIENT_INFO', clientId, ipAddress: ip };
  try {
    const { client, canSeeSecrets } = await authorizedClient(parts, exchange, clientId);
    writeJson(ctx, 200, adapterConfiguration(realm, client, canSeeSecrets));
    parts.events.emit(realm, event, createSession);
  } catch (error) {
    if (error instanceof OAuthError)
      parts.events.emit(realm, { ...event, error: error.eventError ?? error.error }, createSession);
    throw error;
  }
}

/** Finds the client if the caller may read it. @throws OAuthError 401, 403, 404 */
async function authorizedClient(
  parts: InstallationParts,
  exchange: Exchange,
  clientId: string,
): Promise<{ client: StoredClient; canSeeSecrets: boolean }> {
  const { ctx, realm } = exchange;
  const authorization = ctx.get('authorization');
  if (bearerToken(authorization) !== undefined) {
    const registrant = await authenticateRegistrant(parts, exchange);
    const client = requireAccessibleClient(realm.representation, clientId, registrant, ['view-clients']);
    const policies = new RegistrationPolicies(parts.sessions, realm, callerOf(exchange), registrationAuth(registrant));
    await policies.evaluate('beforeView', { realm: realm.representation, before: client });
    const admin = registrant?.kind === 'admin' ? registrant.admin : undefined;
    return {
      client,
      canSeeSecrets: admin === undefined || (await mayManageClient(parts.users, { admin, realm }, client)),
    };
  }
  if (authorization !== '') await requireClientItself(parts, exchange, clientId);
  const client = realm.representation.clients?.find((candidate) => candidate.clientId === clientId);
  const isPublic = client?.publicClient === true && client.bearerOnly !== true && client.enabled !== false;
  if (client?.id === undefined || (authorization === '' && !isPublic)) throw invalidToken(NOT_AUTHORIZED);
  return { client: client as StoredClient, canSeeSecrets: true };
}

async function requireClientItself({ clients }: InstallationParts, { ctx, realm }: Exchange, clientId: string) {
  let authenticatedId: string;
  try {
    const credentials = { authorization: ctx.get('authorization'), headers: () => ctx.req.headersDistinct };
    authenticatedId = (await clients.authenticate(realm, parseForm(''), credentials)).client.clientId;
  } catch (error) {
    if (error instanceof OAuthError) throw invalidToken('Failed to authenticate client');
    throw error;
  }
  if (authenticatedId !== clientId) throw invalidToken('Different client authenticated');
}

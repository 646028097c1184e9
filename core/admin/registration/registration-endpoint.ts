import { OAuthError } from '@keyhost/spi';
import type { ValidateFunction } from 'ajv';
import { schemaProblems } from '../../config/json/schema-check.js';
import { allowOrigins, answerPreflight, NO_ORIGINS } from '../../http/cors.js';
import { writeJson } from '../../http/errors.js';
import { callerOf, type Exchange } from '../../http/exchange.js';
import { mediaType } from '../../http/form.js';
import { MAX_PROBLEMS, readJsonAs } from '../../http/json-body.js';
import { notFound } from '../../http/not-found.js';
import {
  decodeSegment,
  type Fallback,
  methodNotAllowed,
  realmNotFound,
  requireRealmServed,
} from '../../http/realm-dispatch.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { codeOf, memberOf, messageOf } from '../../model/thrown.js';
import { RealmInvalid } from '../../realms/realm-invalid.js';
import type { Realms } from '../../realms/realms.js';
import type { RemoteChanges } from '../../realms/remote-changes.js';
import { AdminError } from '../admin.js';
import type { ClientParts } from '../clients/client-operations.js';
import { ignoredHeader } from '../ignored-members.js';
import { type InstallationParts, serveInstallation } from './adapter-installation.js';
import { ClientAuthenticators } from './client-authenticators.js';
import { invalidMetadata, type RegistrationContext } from './client-metadata.js';
import { ClientRegistration, type RegisteredClient, registrationAuth } from './client-registration.js';
import { authenticateRegistrant, type RegistrantParts } from './registrant.js';
import { FORMATS, type RegistrationFormat } from './registration-formats.js';
import { type RegistrationAuth, RegistrationPolicies } from './registration-policies.js';
import type { RegistrationInput } from './subject-type.js';

const PREFIX = '/clients-registrations/';
const ALLOWED_METHODS = { all: ['POST', 'OPTIONS'], one: ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] } as const;
const EVENT_TYPES: Readonly<Record<string, string>> = {
  POST: 'CLIENT_REGISTER',
  GET: 'CLIENT_INFO',
  HEAD: 'CLIENT_INFO',
  PUT: 'CLIENT_UPDATE',
  DELETE: 'CLIENT_DELETE',
};

/** A client, and the names of sent members that were ignored. */
type RegistrationResult = RegisteredClient & { readonly ignored: readonly string[] };

type RegistrationParts = ClientParts &
  RegistrantParts &
  InstallationParts & {
    readonly realms: Pick<Realms, 'get' | 'atAddressOf'>;
    readonly changes: Pick<RemoteChanges, 'catchUp'>;
  };

/**
 * Serves `/realms/{realm}/clients-registrations/{openid-connect|default}[/{clientId}]`: dynamic client registration
 * with OpenID Connect metadata (RFC 7591, RFC 7592) or with Keycloak's representation.
 */
export function clientRegistrations(parts: RegistrationParts): Fallback {
  const registration = new ClientRegistration(parts);
  return async function serveRegistration(receivedExchange: Exchange, subPath: string): Promise<void> {
    const [name = '', id, ...extra] = subPath.slice(PREFIX.length).split('/');
    if (name === 'install' && id && extra.length === 0) {
      return serveInstallation(parts, await withCurrentRealm(parts, receivedExchange), decodeSegment(id));
    }
    const format = FORMATS.get(name);
    if (format === undefined || id === '' || extra.length > 0) {
      throw notFound();
    }
    const { ctx, ip } = receivedExchange;
    const allowedMethods = id === undefined ? ALLOWED_METHODS.all : ALLOWED_METHODS.one;
    if (ctx.method === 'OPTIONS') {
      answerPreflight(
        ctx,
        allowedMethods.join(', '),
        await allowedOrigins(parts, receivedExchange, ['anonymous', 'authenticated']),
      );
      return;
    }
    const type = EVENT_TYPES[ctx.method];
    if (type === undefined || !(allowedMethods as readonly string[]).includes(ctx.method)) {
      throw methodNotAllowed(allowedMethods.join(', '));
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache');
    const exchange = await withCurrentRealm(parts, receivedExchange);
    const { realm } = exchange;
    const createSession = () => parts.sessions.create(realm, callerOf(exchange), 'keyhost');
    const clientId = id === undefined ? undefined : decodeSegment(id);
    try {
      const result = await parts.events.emitWithChange<RegistrationResult | undefined>(
        realm,
        (registeredClient) => ({ type, clientId: registeredClient?.client.clientId ?? clientId, ipAddress: ip }),
        createSession,
        () => runRequest(registration, parts, exchange, format, clientId),
      );
      if (result === undefined) ctx.status = 204;
      else writeResult(exchange, name, format, result, Math.floor(parts.clock.now() / 1000));
    } catch (error) {
      const oauthError = toOAuthError(error);
      if (oauthError !== undefined) {
        const code = oauthError.eventError ?? oauthError.error;
        const { details } = oauthError;
        parts.events.emit(
          realm,
          { type, error: code, clientId, ipAddress: ip, ...defined({ details }) },
          createSession,
        );
      }
      throw oauthError ?? error;
    }
  };
}

/**
 * Catches up with changes of other nodes: a client may be registered at one node, and then read at another.
 * @throws OAuthError 403, 404 if the realm no longer serves requests
 */
async function withCurrentRealm({ realms, changes }: RegistrationParts, receivedExchange: Exchange): Promise<Exchange> {
  await changes.catchUp();
  const realm = await realms.get(receivedExchange.realm.name);
  if (realm === undefined) throw realmNotFound();
  const exchange = { ...receivedExchange, realm: realms.atAddressOf(realm, receivedExchange.realm) };
  requireRealmServed(exchange);
  return exchange;
}

async function runRequest(
  registration: ClientRegistration,
  parts: RegistrationParts,
  exchange: Exchange,
  format: RegistrationFormat,
  clientId: string | undefined,
): Promise<RegistrationResult | undefined> {
  const { ctx, realm } = exchange;
  const registrant = await authenticateRegistrant(parts, exchange);
  const caller = callerOf(exchange);
  if (ctx.get('origin') !== '') {
    const auth = registrationAuth(registrant, clientId === undefined);
    allowOrigins(ctx, await allowedOrigins(parts, exchange, [auth]));
  }
  const writeClient = async (change: (input: RegistrationInput) => Promise<RegisteredClient>) => {
    const body = await readBody(exchange, format);
    const registeredClient = await change(format.read(body, clientId === undefined, createContext(exchange)));
    return { ...registeredClient, ignored: format.ignored(body, registeredClient.client) };
  };
  if (clientId === undefined) return writeClient((input) => registration.register(realm, registrant, caller, input));
  switch (ctx.method) {
    case 'PUT':
      return writeClient((input) => registration.change(realm, registrant, caller, clientId, input));
    case 'DELETE':
      await registration.remove(realm, registrant, caller, clientId);
      return undefined;
    default:
      return { ...(await registration.read(realm, registrant, caller, clientId)), ignored: [] };
  }
}

function createContext({ ctx, realm }: Exchange): RegistrationContext {
  return { authenticators: new ClientAuthenticators(ctx.providers), realm };
}

/** Origins from which the realm's policies allow requests of a browser. */
async function allowedOrigins(
  { sessions }: RegistrationParts,
  exchange: Exchange,
  auths: readonly RegistrationAuth[],
): Promise<ReadonlySet<string>> {
  const { ctx, realm } = exchange;
  if (ctx.get('origin') === '') return NO_ORIGINS;
  const caller = callerOf(exchange);
  const requests = auths.map((auth) => new RegistrationPolicies(sessions, realm, caller, auth).allowedOrigins());
  return new Set((await Promise.all(requests)).flatMap((origins) => [...origins]));
}

/** Reads and validates the body. @throws OAuthError 400; HostError 413, 415 */
async function readBody({ ctx }: Exchange, format: RegistrationFormat): Promise<object> {
  if (mediaType(ctx.get('content-type')) !== 'application/json') {
    throw new OAuthError('invalid_request', 'Content type must be application/json', { status: 415 });
  }
  const options = { asWritten: format.isKeycloakFormat !== true, refuse: toMetadataError };
  return (await readJsonAs(ctx, format.schema, options)) as object;
}

function toMetadataError(failedValidator: ValidateFunction): OAuthError {
  const problems = schemaProblems(failedValidator).slice(0, MAX_PROBLEMS);
  return invalidMetadata(
    problems.map(({ path, message }) => `${path.join('.').slice(0, 200) || 'the body'}: ${message}`).join('; '),
  );
}

function writeResult(
  exchange: Exchange,
  name: string,
  format: RegistrationFormat,
  result: RegistrationResult,
  now: number,
): void {
  const { ctx, realm } = exchange;
  const address = clientUrl(realm, name, result.client.clientId);
  const isNew = ctx.method === 'POST';
  if (isNew) ctx.set('Location', address);
  if (result.ignored.length > 0) ctx.set('Keyhost-Ignored', ignoredHeader(result.ignored));
  writeJson(
    ctx,
    isNew ? 201 : 200,
    format.write(result, { address, issuedAt: isNew ? now : undefined }, createContext(exchange)),
  );
}

function clientUrl(realm: Realm, name: string, clientId: string): string {
  return `${realm.issuer}${PREFIX}${name}/${encodeURIComponent(clientId)}`;
}

/** Converts errors of the Admin REST API to those of RFC 7591 §3.2.2. Undefined for other errors. */
function toOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  if (code === 'admin_refused' && memberOf(error, 'status') === 403) {
    return new OAuthError('insufficient_scope', 'Forbidden', { status: 403, eventError: 'not_allowed' });
  }
  if (code !== 'admin_refused' && code !== 'realm_invalid') return undefined;
  const isRedirectUriProblem =
    error instanceof RealmInvalid && error.problems.some(({ path }) => path.includes('redirectUris'));
  const ownDescription = error instanceof AdminError ? error.body.error_description : undefined;
  const description = typeof ownDescription === 'string' ? ownDescription : message;
  return isRedirectUriProblem ? new OAuthError('invalid_redirect_uri', description) : invalidMetadata(description);
}

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
  decoded,
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
import { ClientRegistration, type Registered, registrationAuth } from './client-registration.js';
import { type RegistrantParts, registrantOf } from './registrant.js';
import { FORMATS, type Format } from './registration-formats.js';
import { type RegistrationAuth, RegistrationPolicies } from './registration-policies.js';
import type { RegistrationInput } from './subject-type.js';

const PREFIX = '/clients-registrations/';
const METHODS = { all: ['POST', 'OPTIONS'], one: ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] } as const;
const EVENT_TYPES: Readonly<Record<string, string>> = {
  POST: 'CLIENT_REGISTER',
  GET: 'CLIENT_INFO',
  HEAD: 'CLIENT_INFO',
  PUT: 'CLIENT_UPDATE',
  DELETE: 'CLIENT_DELETE',
};

/** A client, and the names of the sent members that were ignored. */
type RegistrationResult = Registered & { readonly ignored: readonly string[] };

type RegistrationParts = ClientParts &
  RegistrantParts &
  InstallationParts & {
    readonly realms: Pick<Realms, 'get' | 'atAddressOf'>;
    readonly changes: Pick<RemoteChanges, 'catchUp'>;
  };

/**
 * `/realms/{realm}/clients-registrations/{openid-connect|default}[/{clientId}]`: dynamic client registration with
 * metadata of OpenID Connect (RFC 7591, RFC 7592) or with Keycloak's representation.
 */
export function clientRegistrations(parts: RegistrationParts): Fallback {
  const registration = new ClientRegistration(parts);
  return async function serveRegistration(arrived: Exchange, rest: string): Promise<void> {
    const [name = '', id, ...more] = rest.slice(PREFIX.length).split('/');
    if (name === 'install' && id && more.length === 0) {
      return serveInstallation(parts, await withCurrentRealm(parts, arrived), decoded(id));
    }
    const format = FORMATS.get(name);
    if (format === undefined || id === '' || more.length > 0) {
      throw notFound();
    }
    const { ctx, ip } = arrived;
    const allowed = id === undefined ? METHODS.all : METHODS.one;
    if (ctx.method === 'OPTIONS') {
      answerPreflight(ctx, allowed.join(', '), await allowedOrigins(parts, arrived, ['anonymous', 'authenticated']));
      return;
    }
    const type = EVENT_TYPES[ctx.method];
    if (type === undefined || !(allowed as readonly string[]).includes(ctx.method)) {
      throw methodNotAllowed(allowed.join(', '));
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache');
    const exchange = await withCurrentRealm(parts, arrived);
    const { realm } = exchange;
    const session = () => parts.sessions.create(realm, callerOf(exchange), 'keyhost');
    const clientId = id === undefined ? undefined : decoded(id);
    try {
      const done = await parts.events.emitWithChange<RegistrationResult | undefined>(
        realm,
        (registered) => ({ type, clientId: registered?.client.clientId ?? clientId, ipAddress: ip }),
        session,
        () => run(registration, parts, exchange, format, clientId),
      );
      if (done === undefined) ctx.status = 204;
      else answer(exchange, name, format, done, Math.floor(parts.clock.now() / 1000));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) {
        const code = refusal.eventError ?? refusal.error;
        const { details } = refusal;
        parts.events.emit(realm, { type, error: code, clientId, ipAddress: ip, ...defined({ details }) }, session);
      }
      throw refusal ?? error;
    }
  };
}

/**
 * Catches up with other nodes: a client may read at one node what it has just registered at another.
 * @throws OAuthError 403, 404 if the realm does not serve requests any more
 */
async function withCurrentRealm({ realms, changes }: RegistrationParts, arrived: Exchange): Promise<Exchange> {
  await changes.catchUp();
  const realm = await realms.get(arrived.realm.name);
  if (realm === undefined) throw realmNotFound();
  const exchange = { ...arrived, realm: realms.atAddressOf(realm, arrived.realm) };
  requireRealmServed(exchange);
  return exchange;
}

async function run(
  registration: ClientRegistration,
  parts: RegistrationParts,
  exchange: Exchange,
  format: Format,
  clientId: string | undefined,
): Promise<RegistrationResult | undefined> {
  const { ctx, realm } = exchange;
  const registrant = await registrantOf(parts, exchange);
  const caller = callerOf(exchange);
  if (ctx.get('origin') !== '') {
    const auth = registrationAuth(registrant, clientId === undefined);
    allowOrigins(ctx, await allowedOrigins(parts, exchange, [auth]));
  }
  const written = async (change: (sent: RegistrationInput) => Promise<Registered>) => {
    const body = await sentBody(exchange, format);
    const done = await change(format.read(body, clientId === undefined, contextOf(exchange)));
    return { ...done, ignored: format.ignored(body, done.client) };
  };
  if (clientId === undefined) return written((sent) => registration.register(realm, registrant, caller, sent));
  switch (ctx.method) {
    case 'PUT':
      return written((sent) => registration.change(realm, registrant, caller, clientId, sent));
    case 'DELETE':
      await registration.remove(realm, registrant, caller, clientId);
      return undefined;
    default:
      return { ...(await registration.read(realm, registrant, caller, clientId)), ignored: [] };
  }
}

function contextOf({ ctx, realm }: Exchange): RegistrationContext {
  return { authenticators: new ClientAuthenticators(ctx.providers), realm };
}

/** Origins that the realm's policies allow to send requests from a browser. */
async function allowedOrigins(
  { sessions }: RegistrationParts,
  exchange: Exchange,
  auths: readonly RegistrationAuth[],
): Promise<ReadonlySet<string>> {
  const { ctx, realm } = exchange;
  if (ctx.get('origin') === '') return NO_ORIGINS;
  const caller = callerOf(exchange);
  const all = auths.map((auth) => new RegistrationPolicies(sessions, realm, caller, auth).allowedOrigins());
  return new Set((await Promise.all(all)).flatMap((origins) => [...origins]));
}

/** @throws OAuthError 400; HostError 413, 415 */
async function sentBody({ ctx }: Exchange, format: Format): Promise<object> {
  if (mediaType(ctx.get('content-type')) !== 'application/json') {
    throw new OAuthError('invalid_request', 'Content type must be application/json', { status: 415 });
  }
  const options = { asWritten: format.isKeycloaks !== true, refuse: refuseMetadata };
  return (await readJsonAs(ctx, format.schema, options)) as object;
}

function refuseMetadata(failed: ValidateFunction): OAuthError {
  const problems = schemaProblems(failed).slice(0, MAX_PROBLEMS);
  return invalidMetadata(
    problems.map(({ path, message }) => `${path.join('.').slice(0, 200) || 'the body'}: ${message}`).join('; '),
  );
}

function answer(exchange: Exchange, name: string, format: Format, done: RegistrationResult, now: number): void {
  const { ctx, realm } = exchange;
  const address = addressOf(realm, name, done.client.clientId);
  const isNew = ctx.method === 'POST';
  if (isNew) ctx.set('Location', address);
  if (done.ignored.length > 0) ctx.set('Keyhost-Ignored', ignoredHeader(done.ignored));
  writeJson(
    ctx,
    isNew ? 201 : 200,
    format.write(done, { address, issuedAt: isNew ? now : undefined }, contextOf(exchange)),
  );
}

function addressOf(realm: Realm, name: string, clientId: string): string {
  return `${realm.issuer}${PREFIX}${name}/${encodeURIComponent(clientId)}`;
}

/** Converts refusals of the Admin REST API to the errors of RFC 7591 §3.2.2; undefined for other errors. */
function refusalOf(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  const code = codeOf(error);
  const message = messageOf(error);
  if (code === 'admin_refused' && memberOf(error, 'status') === 403) {
    return new OAuthError('insufficient_scope', 'Forbidden', { status: 403, eventError: 'not_allowed' });
  }
  if (code !== 'admin_refused' && code !== 'realm_invalid') return undefined;
  const aboutAddress =
    error instanceof RealmInvalid && error.problems.some(({ path }) => path.includes('redirectUris'));
  const described = error instanceof AdminError ? error.body.error_description : undefined;
  const words = typeof described === 'string' ? described : message;
  return aboutAddress ? new OAuthError('invalid_redirect_uri', words) : invalidMetadata(words);
}

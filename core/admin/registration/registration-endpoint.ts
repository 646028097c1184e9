import { OAuthError } from '@keyhost/spi';
import type { ValidateFunction } from 'ajv';
import { schemaProblems } from '../../config/json/schema-check.js';
import { allowOrigins, answerPreflight, NO_ORIGINS } from '../../http/cors.js';
import { writeJson } from '../../http/errors.js';
import { callerOf, type Exchange } from '../../http/exchange.js';
import { mediaType } from '../../http/form.js';
import { readJsonAs, TOLD_PROBLEMS } from '../../http/json-body.js';
import { notFound } from '../../http/not-found.js';
import { decoded, type Fallback, methodNotAllowed, noRealm, requireServed } from '../../http/realm-dispatch.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { codeOf, memberOf, messageOf } from '../../model/thrown.js';
import type { ChangesElsewhere } from '../../realms/changes-elsewhere.js';
import { RealmInvalid } from '../../realms/realm-invalid.js';
import type { Realms } from '../../realms/realms.js';
import { AdminError } from '../admin.js';
import type { ClientParts } from '../clients/client-operations.js';
import { REGISTERED_SCHEMA } from '../clients/sent-client.js';
import { ignoredHeader } from '../ignored-members.js';
import { type InstallationParts, serveInstallation } from './adapter-installation.js';
import { unusedOf } from './broken-client-promises.js';
import { ClientAuthenticators } from './client-authenticators.js';
import { clientOf, invalidMetadata, METADATA_SCHEMA, metadataOf } from './client-metadata.js';
import { authOf, ClientRegistration, type Registered } from './client-registration.js';
import { type RegistrantParts, registrantOf } from './registrant.js';
import { type RegistrationAuth, RegistrationPolicies } from './registration-policies.js';
import type { SentRegistration } from './subject-type.js';

const PREFIX = '/clients-registrations/';
const METHODS = { all: ['POST', 'OPTIONS'], one: ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] } as const;
const EVENT_TYPES: Readonly<Record<string, string>> = {
  POST: 'CLIENT_REGISTER',
  GET: 'CLIENT_INFO',
  HEAD: 'CLIENT_INFO',
  PUT: 'CLIENT_UPDATE',
  DELETE: 'CLIENT_DELETE',
};

/** How clients are written at one of the addresses. */
interface Format {
  readonly schema: object;
  /** Its values are read as Keycloak reads its representations. */
  readonly isKeycloaks?: true;
  /** @throws OAuthError 400 */
  read(body: unknown, isNew: boolean, authenticators: ClientAuthenticators): SentRegistration;
  /** @param at `issuedAt`: seconds since the epoch, for a new client */
  write(
    registered: Registered,
    at: { readonly address: string; readonly issuedAt: number | undefined },
    authenticators: ClientAuthenticators,
  ): object;
}

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    'openid-connect',
    {
      schema: METADATA_SCHEMA,
      read(body: unknown, isNew: boolean, authenticators: ClientAuthenticators) {
        const client = clientOf(body as Parameters<typeof clientOf>[0], authenticators);
        if (isNew && client.clientId) throw invalidMetadata('Client Identifier included');
        return client;
      },
      write: ({ client, token }: Registered, { address, issuedAt }, authenticators: ClientAuthenticators) => ({
        ...metadataOf(client, authenticators),
        ...defined({ client_id_issued_at: issuedAt, registration_access_token: token }),
        registration_client_uri: address,
      }),
    },
  ],
  [
    'default',
    {
      schema: REGISTERED_SCHEMA,
      isKeycloaks: true,
      // `subjects` is a word of ours alone.
      read: (body: unknown) => ({ ...(body as SentRegistration), subjects: undefined }),
      write: ({ client, token }: Registered) => ({ ...client, ...defined({ registrationAccessToken: token }) }),
    },
  ],
]);

type RegistrationParts = ClientParts &
  RegistrantParts &
  InstallationParts & {
    readonly realms: Pick<Realms, 'get' | 'reachedAs'>;
    readonly changes: Pick<ChangesElsewhere, 'catchUp'>;
  };

/**
 * `/realms/{realm}/clients-registrations/{openid-connect|default}[/{clientId}]`: dynamic client registration in OpenID
 * Connect's words (RFC 7591, RFC 7592) and in Keycloak's.
 */
export function clientRegistrations(parts: RegistrationParts): Fallback {
  const registration = new ClientRegistration(parts);
  return async function serveRegistration(arrived: Exchange, rest: string): Promise<void> {
    const [name = '', id, ...more] = rest.slice(PREFIX.length).split('/');
    if (name === 'install' && id && more.length === 0) {
      return serveInstallation(parts, await asNow(parts, arrived), decoded(id));
    }
    const format = FORMATS.get(name);
    if (format === undefined || id === '' || more.length > 0) {
      throw notFound();
    }
    const { ctx, ip } = arrived;
    const allowed = id === undefined ? METHODS.all : METHODS.one;
    if (ctx.method === 'OPTIONS') {
      answerPreflight(ctx, allowed.join(', '), await pagesOf(parts, arrived, ['anonymous', 'authenticated']));
      return;
    }
    const type = EVENT_TYPES[ctx.method];
    if (type === undefined || !(allowed as readonly string[]).includes(ctx.method)) {
      throw methodNotAllowed(allowed.join(', '));
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache');
    const exchange = await asNow(parts, arrived);
    const { realm } = exchange;
    const session = () => parts.sessions.create(realm, callerOf(exchange), 'keyhost');
    const clientId = id === undefined ? undefined : decoded(id);
    try {
      const done = await parts.events.emitWithChange<Registered | undefined>(
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
 * Clients read at one node what they have just registered at another.
 * @throws OAuthError 403, 404 where the realm serves nobody any more
 */
async function asNow({ realms, changes }: RegistrationParts, arrived: Exchange): Promise<Exchange> {
  await changes.catchUp();
  const realm = await realms.get(arrived.realm.name);
  if (realm === undefined) throw noRealm();
  const exchange = { ...arrived, realm: realms.reachedAs(realm, arrived.realm) };
  requireServed(exchange);
  return exchange;
}

async function run(
  registration: ClientRegistration,
  parts: RegistrationParts,
  exchange: Exchange,
  format: Format,
  clientId: string | undefined,
): Promise<Registered | undefined> {
  const { ctx, realm } = exchange;
  const registrant = await registrantOf(parts, exchange);
  const caller = callerOf(exchange);
  if (ctx.get('origin') !== '') {
    const auth = authOf(registrant, clientId === undefined);
    allowOrigins(ctx, await pagesOf(parts, exchange, [auth]));
  }
  if (clientId === undefined) {
    return registration.register(realm, registrant, caller, await sentClient(exchange, format, true));
  }
  switch (ctx.method) {
    case 'PUT':
      return registration.change(realm, registrant, caller, clientId, await sentClient(exchange, format, false));
    case 'DELETE':
      await registration.remove(realm, registrant, caller, clientId);
      return undefined;
    default:
      return registration.read(realm, registrant, caller, clientId);
  }
}

/** Web origins that the realm's policies let send requests from a browser. */
async function pagesOf(
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
async function sentClient({ ctx }: Exchange, format: Format, isNew: boolean): Promise<SentRegistration> {
  if (mediaType(ctx.get('content-type')) !== 'application/json') {
    throw new OAuthError('invalid_request', 'Content type must be application/json', { status: 415 });
  }
  const options = { asWritten: format.isKeycloaks !== true, refuse: refuseMetadata };
  return format.read(await readJsonAs(ctx, format.schema, options), isNew, new ClientAuthenticators(ctx.providers));
}

function refuseMetadata(failed: ValidateFunction): OAuthError {
  const problems = schemaProblems(failed).slice(0, TOLD_PROBLEMS);
  return invalidMetadata(
    problems.map(({ path, message }) => `${path.join('.').slice(0, 200) || 'the body'}: ${message}`).join('; '),
  );
}

function answer({ ctx, realm }: Exchange, name: string, format: Format, done: Registered, now: number): void {
  const address = addressOf(realm, name, done.client.clientId);
  const isNew = ctx.method === 'POST';
  if (isNew) ctx.set('Location', address);
  const unused = format.isKeycloaks === true && ctx.method !== 'GET' ? unusedOf(done.client) : [];
  if (unused.length > 0) ctx.set('Keyhost-Ignored', ignoredHeader(unused));
  const at = { address, issuedAt: isNew ? now : undefined };
  writeJson(ctx, isNew ? 201 : 200, format.write(done, at, new ClientAuthenticators(ctx.providers)));
}

function addressOf(realm: Realm, name: string, clientId: string): string {
  return `${realm.issuer}${PREFIX}${name}/${encodeURIComponent(clientId)}`;
}

/** What the rooms of the Admin REST API refuse, in the words of RFC 7591 §3.2.2; undefined: no refusal of theirs. */
function refusalOf(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  const [code, message] = [codeOf(error), messageOf(error)];
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

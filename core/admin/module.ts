import { ProtocolMapper } from '@keyhost/spi';
import type { Middleware } from 'koa';
import { Container, type Use } from '../di/container.js';
import { Clock, Log, Options, StartedAt, Version } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins } from '../di/providers.js';
import { token } from '../di/token.js';
import { Mounts, RootMiddleware } from '../http/module.js';
import { lazyMiddleware, lazyMount } from '../http/mount.js';
import { RequestDurations } from '../http/request-durations.js';
import { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import { KeyRing } from '../keys/key-ring.js';
import { MakeKey } from '../keys/module.js';
import { Impersonation } from '../login/impersonation.js';
import { ActionTokenAdmin } from '../login/links/action-token-admin.js';
import { AdminMails } from '../login/links/admin-mails.js';
import { SessionEnder } from '../login/logout/session-ender.js';
import { OtpCredentials } from '../login/steps/otp/otp-credentials.js';
import { TestMails } from '../mail/test-mails.js';
import { BUILT_IN_LOCALES } from '../pages/messages/texts.js';
import { RealmFiles } from '../realm-files/realm-files.js';
import { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import { ApplyServices } from '../realms/module.js';
import { PublicAddress } from '../realms/public-address.js';
import { RealmEdits } from '../realms/realm-edits.js';
import { Realms } from '../realms/realms.js';
import { RemoteChanges } from '../realms/remote-changes.js';
import { EventCounts } from '../registry/events/event-counts.js';
import { Events } from '../registry/events/events.js';
import { StoredEvents } from '../registry/events/stored-events.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { PluginLog } from '../registry/log/plugin-log.js';
import { PluginCommands } from '../registry/module.js';
import { NodeList } from '../registry/nodes/node-list.js';
import { Schedules } from '../registry/schedules/schedules.js';
import { RightRefusals } from '../registry/sessions/right-refusals.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { Workers } from '../registry/worker/workers.js';
import { Store } from '../store/module.js';
import { WriteConditions } from '../store/write-conditions.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { ClaimMapping } from '../tokens/claims.js';
import { exampleClaims } from '../tokens/example-claims.js';
import { ClientAuthenticator } from '../tokens/module.js';
import { CredentialTypes } from '../users/credentials/credential-types.js';
import { LoginFailures } from '../users/passwords/login-failures.js';
import { PasswordLogins } from '../users/passwords/password-logins.js';
import { Passwords } from '../users/passwords/passwords.js';
import { PluginValidators } from '../users/profile/plugin-validators.js';
import { Users } from '../users/users.js';
import type { AdminApiParts } from './admin-api.js';
import type { AdminParts } from './admin-operations.js';
import type { AdminRequests } from './admin-requests.js';
import { checkAdminToken } from './check-admin-token.js';
import type { CredentialCheck as CredentialCheckOf } from './credential-check.js';
import { StreamSlots } from './events/stream-slots.js';
import type { AdminOperation } from './operation.js';
import type { PluginAdministration as PluginAdministrationOf } from './plugin-administration.js';
import { RealmClients } from './realm-clients.js';
import { builtInRegistrationPolicies } from './registration/policies/built-in-registration-policies.js';

interface AdministrationServices {
  readonly operations: readonly AdminOperation[];
  readonly requests: AdminRequests;
}

/** Runs the requests of plugins to the Admin REST API. Imported on first use. */
export const PluginAdministration = token<() => Promise<PluginAdministrationOf>>('PluginAdministration');
/** Checks credentials for plugins. */
export const CredentialCheck = token<() => Promise<CredentialCheckOf>>('CredentialCheck');
/** The operations, and the service that runs them. Imported on first use. */
const Administration = token<() => Promise<AdministrationServices>>('Administration');
/** Checks the bearer token of an admin. */
export const AuthenticateAdmin = token<AdminApiParts['authenticate']>('AuthenticateAdmin');

const sharedParts = (use: Use) => ({
  realms: use(Realms),
  edits: use(RealmEdits),
  users: use(Users),
  fetchedKeys: use(FetchedKeyGenerations),
  store: use(Store),
  keys: use(KeyRing),
  makeKey: use(MakeKey),
  clock: use(Clock),
  events: use(Events),
  storedEvents: use(StoredEvents),
  eventCounts: use(EventCounts),
  privateNetworks: use(Options).privateNetworks,
  realmClients: use(RealmClients),
  policyPlugins: use(PolicyPlugins),
});

/** The API and the client registrations are imported with their first request, since many hosts never get one. */
export const admin = module('admin', [
  service(AuthenticateAdmin, (use) => {
    const accessTokens = use(AccessTokens);
    return (realm, token) => checkAdminToken(accessTokens, realm, token);
  }),
  service(Administration, (use) => createOnce(() => createAdministration(use))),
  service(PluginAdministration, (use) => createOnce(() => createPluginAdministration(use))),
  service(CredentialCheck, (use) =>
    createOnce(async () => {
      const { CredentialCheck } = await import('./credential-check.js');
      return new CredentialCheck({
        users: use(Users),
        passwords: use(PasswordLogins),
        otps: use(OtpCredentials),
        refusals: use(RightRefusals),
      });
    }),
  ),
  service(RealmClients, (use) => new RealmClients({ realms: use(Realms), edits: use(RealmEdits) })),
  service(StreamSlots, () => new StreamSlots()),
  adds(BuiltInPlugins, () => [builtInRegistrationPolicies]),
  adds(Mounts, (use) => [
    lazyMount('/clients-registrations', async () => {
      const { clientRegistrations } = await import('./registration/registration-endpoint.js');
      return clientRegistrations({
        ...sharedParts(use),
        changes: use(RemoteChanges),
        sessions: use(SessionFactory),
        authenticate: use(AuthenticateAdmin),
        clients: use(ClientAuthenticator),
      });
    }),
  ]),
  adds(RootMiddleware, (use) => [lazyMiddleware(isAdminPath, () => createAdminApi(use))]),
]);

function isAdminPath(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/');
}

function createOnce<T>(create: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () => {
    promise ??= create();
    return promise;
  };
}

async function createAdminApi(use: Use): Promise<Middleware> {
  const [{ AdminApi }, { operations, requests }] = await Promise.all([import('./admin-api.js'), use(Administration)()]);
  const api = new AdminApi({
    realms: use(Realms),
    changes: use(RemoteChanges),
    address: use(PublicAddress),
    version: use(Version),
    proxyHeaders: use(Options).proxyHeaders,
    authenticate: use(AuthenticateAdmin),
    operations,
    requests,
  });
  return (ctx, next) => api.serve(ctx, next);
}

/** Creates the operations and the service that runs them, shared by HTTP and plugins. */
async function createAdministration(use: Use): Promise<AdministrationServices> {
  const [{ AdminRequests }, { adminOperations }, { EventStreams }] = await Promise.all([
    import('./admin-requests.js'),
    import('./admin-operations.js'),
    import('./events/event-streams.js'),
  ]);
  const services = { store: use(Store), events: use(Events), clock: use(Clock), logger: use(Log) };
  const streams = new EventStreams(services, use(StreamSlots));
  // The container closes services in reverse order, so the streams end before the servers wait for open requests.
  use(Container).onClose('streams of events', () => streams.close());
  const operations = adminOperations({ ...operationParts(use), streams });
  const requests = new AdminRequests({
    realms: use(Realms),
    events: use(Events),
    sessions: use(SessionFactory),
    realmClients: use(RealmClients),
    edits: use(RealmEdits),
    preconditions: { ...sharedParts(use), conditions: use(WriteConditions) },
    operations,
  });
  return { operations, requests };
}

async function createPluginAdministration(use: Use): Promise<PluginAdministrationOf> {
  const [{ PluginAdministration }, { requests }] = await Promise.all([
    import('./plugin-administration.js'),
    use(Administration)(),
  ]);
  const services = { realms: use(Realms), store: use(Store), conditions: use(WriteConditions) };
  return new PluginAdministration({ requests, refusals: use(RightRefusals), ...services });
}

function operationParts(use: Use): Omit<AdminParts, 'streams'> {
  const registry = use(ProviderRegistry);
  const sessions = use(SessionFactory);
  const plugins = use(HostPlugins);
  const examples = { mapping: use(ClaimMapping), sessions, clock: use(Clock) };
  return {
    ...sharedParts(use),
    registry,
    sessions,
    files: use(RealmFiles),
    applying: use(ApplyServices),
    leftOut: plugins.leftOut,
    commands: use(PluginCommands),
    pluginLog: use(PluginLog),
    node: use(Store).isShared ? use(NodeList).name : undefined,
    createdServices: () => use(Container).createdServices(),
    workers: use(Workers),
    calls: sessions.calls,
    schedules: use(Schedules),
    version: use(Version),
    startedAt: use(StartedAt),
    requests: use(RequestDurations),
    locales: BUILT_IN_LOCALES,
    passwords: use(Passwords),
    types: use(CredentialTypes),
    validators: use(PluginValidators),
    failures: use(LoginFailures),
    sessionEnder: use(SessionEnder),
    adminMails: use(AdminMails),
    testMails: use(TestMails),
    actionTokens: use(ActionTokenAdmin),
    impersonation: use(Impersonation),
    mapperIds: () => registry.all(ProtocolMapper).map(({ id }) => id),
    exampleClaims: (call, kind, subject, onMapped) => exampleClaims(examples, call, kind, subject, onMapped),
  };
}

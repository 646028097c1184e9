import { HostError, type Logger, type Session } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { systemClock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { RealmAdministration } from '../../registry/sessions/administration/administered-realm.js';

/**
 * Creates a provider with a closed session, to check that it has the required methods. None of them is called.
 * @returns the reason why that is impossible; undefined if the check passed
 * @throws BootError `plugin_shape` with the missing methods
 */
export async function tryCreate(registered: RegisteredProvider, logger: Logger): Promise<string | undefined> {
  const { spi, id, plugin, methods, factory } = registered;
  const qualifiedId = `${spi.id}/${id}`;
  const config = registered.checkRealmConfig({});
  if ('problems' in config) return `${qualifiedId} requires configuration in a realm file`;
  let provider: Readonly<Record<string, unknown>> | undefined;
  try {
    provider = factory.create(closedSession(logger), config.value) as typeof provider;
  } catch (error) {
    return `create of ${qualifiedId} threw: ${messageOf(error)}`;
  }
  const { required = [], optional = [] } = methods;
  const missingMethods = required.filter((name) => typeof provider?.[name] !== 'function');
  const declaredMethods = [...required, ...optional];
  const undeclaredMethods = Object.keys(provider ?? {}).filter((name) => !declaredMethods.includes(name));
  await (provider as { close?(): unknown } | undefined)?.close?.();
  if (missingMethods.length === 0) return undefined;
  const renamed = missingMethods
    .map((name) => [didYouMean(name, undeclaredMethods), name])
    .filter(([similar]) => similar !== undefined);
  const hints = renamed.map(([similar, name]) => `it has ${similar}: did you mean ${name}?`);
  throw new BootError(
    'plugin_shape',
    `${plugin.name}: create of ${qualifiedId} returned no ${missingMethods.length === 1 ? 'method' : 'methods'} ${missingMethods.join(', ')}`,
    {
      plugin: plugin.name,
      hint:
        hints.length > 0
          ? hints.join(' ')
          : `create must return every method of ${methods.namedBy ?? 'the SPI'}${undeclaredMethods.length === 0 ? '' : `; it returned ${undeclaredMethods.join(', ')}`}`,
    },
  );
}

/** A session in which every operation fails with `session_closed`. */
function closedSession(logger: Logger): Session {
  const rejectClosed = async () => {
    throw new HostError('session_closed', 'the session has ended');
  };
  const administration = new RealmAdministration({
    request: rejectClosed,
    findClient: rejectClosed,
    verify: rejectClosed,
  });
  const realm = { id: 'none', name: 'none', displayName: 'none', enabled: true, issuer: 'http://none', attributes: {} };
  return Object.freeze({
    realm: Object.freeze(realm),
    logger,
    clock: systemClock,
    signal: AbortSignal.abort(),
    remoteAddress: '127.0.0.1',
    users: { ...administration.users, byId: rejectClosed, byUsername: rejectClosed, isAdmin: rejectClosed },
    clients: { ...administration.clients, byClientId: rejectClosed },
    admin: administration.admin,
    groups: administration.groups,
    roles: administration.roles,
    credentials: administration.credentials,
    sessions: administration.sessions,
    identityProviders: administration.identityProviders,
    events: { emit: rejectClosed },
    store: {
      get: rejectClosed,
      put: rejectClosed,
      claim: rejectClosed,
      replace: rejectClosed,
      list: rejectClosed,
      delete: rejectClosed,
    },
    mail: { send: rejectClosed },
    metrics: { add: rejectClosed, set: rejectClosed, observe: rejectClosed },
    outbound: { request: rejectClosed },
    background: { wake: rejectClosed },
    actionTokens: { issue: rejectClosed },
    loginLinks: { issue: rejectClosed },
    ownCredentials: { list: rejectClosed, verify: rejectClosed, create: rejectClosed, remove: rejectClosed },
    providers: rejectClosed,
    authenticate: rejectClosed,
    tokenRequest: rejectClosed,
  });
}

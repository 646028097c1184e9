import { HostError, type Logger, type Session } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { systemClock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { RealmAdministration } from '../../registry/sessions/administration/administered-realm.js';

/**
 * Creates a provider for a closed session, without calling it, to check that it has its required methods.
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
  const lacking = required.filter((name) => typeof provider?.[name] !== 'function');
  const declaredMethods = [...required, ...optional];
  const undeclaredMethods = Object.keys(provider ?? {}).filter((name) => !declaredMethods.includes(name));
  await (provider as { close?(): unknown } | undefined)?.close?.();
  if (lacking.length === 0) return undefined;
  const renamed = lacking
    .map((name) => [didYouMean(name, undeclaredMethods), name])
    .filter(([similar]) => similar !== undefined);
  const hints = renamed.map(([there, name]) => `it has ${there}: did you mean ${name}?`);
  throw new BootError(
    'plugin_shape',
    `${plugin.name}: create of ${qualifiedId} returned no ${lacking.length === 1 ? 'method' : 'methods'} ${lacking.join(', ')}`,
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
  const closeSession = async () => {
    throw new HostError('session_closed', 'the session has ended');
  };
  const administered = new RealmAdministration({
    request: closeSession,
    findClient: closeSession,
    verify: closeSession,
  });
  const realm = { id: 'none', name: 'none', displayName: 'none', enabled: true, issuer: 'http://none', attributes: {} };
  return Object.freeze({
    realm: Object.freeze(realm),
    logger,
    clock: systemClock,
    signal: AbortSignal.abort(),
    remoteAddress: '127.0.0.1',
    users: { ...administered.users, byId: closeSession, byUsername: closeSession, isAdmin: closeSession },
    clients: { ...administered.clients, byClientId: closeSession },
    admin: administered.admin,
    groups: administered.groups,
    roles: administered.roles,
    credentials: administered.credentials,
    sessions: administered.sessions,
    identityProviders: administered.identityProviders,
    events: { emit: closeSession },
    store: {
      get: closeSession,
      put: closeSession,
      claim: closeSession,
      replace: closeSession,
      list: closeSession,
      delete: closeSession,
    },
    mail: { send: closeSession },
    metrics: { add: closeSession, set: closeSession, observe: closeSession },
    outbound: { request: closeSession },
    background: { wake: closeSession },
    actionTokens: { issue: closeSession },
    loginLinks: { issue: closeSession },
    ownCredentials: { list: closeSession, verify: closeSession, create: closeSession, remove: closeSession },
    providers: closeSession,
    authenticate: closeSession,
    tokenRequest: closeSession,
  });
}

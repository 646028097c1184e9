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
  const what = `${spi.id}/${id}`;
  const config = registered.checkRealmConfig({});
  if ('problems' in config) return `${what} requires configuration in a realm file`;
  let provider: Readonly<Record<string, unknown>> | undefined;
  try {
    provider = factory.create(closedSession(logger), config.value) as typeof provider;
  } catch (error) {
    return `create of ${what} threw: ${messageOf(error)}`;
  }
  const { required = [], optional = [] } = methods;
  const lacking = required.filter((name) => typeof provider?.[name] !== 'function');
  const known = [...required, ...optional];
  const others = Object.keys(provider ?? {}).filter((name) => !known.includes(name));
  await (provider as { close?(): unknown } | undefined)?.close?.();
  if (lacking.length === 0) return undefined;
  const renamed = lacking.map((name) => [didYouMean(name, others), name]).filter(([there]) => there !== undefined);
  const hints = renamed.map(([there, name]) => `it has ${there}: did you mean ${name}?`);
  throw new BootError(
    'plugin_shape',
    `${plugin.name}: create of ${what} returned no ${lacking.length === 1 ? 'method' : 'methods'} ${lacking.join(', ')}`,
    {
      plugin: plugin.name,
      hint:
        hints.length > 0
          ? hints.join(' ')
          : `create must return every method of ${methods.namedBy ?? 'the SPI'}${others.length === 0 ? '' : `; it returned ${others.join(', ')}`}`,
    },
  );
}

/** A session in which every operation fails with `session_closed`. */
function closedSession(logger: Logger): Session {
  const ended = async () => {
    throw new HostError('session_closed', 'the session has ended');
  };
  const administered = new RealmAdministration({ request: ended, findClient: ended, verify: ended });
  const realm = { id: 'none', name: 'none', displayName: 'none', enabled: true, issuer: 'http://none', attributes: {} };
  return Object.freeze({
    realm: Object.freeze(realm),
    logger,
    clock: systemClock,
    signal: AbortSignal.abort(),
    remoteAddress: '127.0.0.1',
    users: { ...administered.users, byId: ended, byUsername: ended, isAdmin: ended },
    clients: { ...administered.clients, byClientId: ended },
    admin: administered.admin,
    groups: administered.groups,
    roles: administered.roles,
    credentials: administered.credentials,
    sessions: administered.sessions,
    identityProviders: administered.identityProviders,
    events: { emit: ended },
    store: { get: ended, put: ended, claim: ended, replace: ended, list: ended, delete: ended },
    mail: { send: ended },
    metrics: { add: ended, set: ended, observe: ended },
    outbound: { request: ended },
    background: { wake: ended },
    actionTokens: { issue: ended },
    loginLinks: { issue: ended },
    ownCredentials: { list: ended, verify: ended, create: ended, remove: ended },
    providers: ended,
    authenticate: ended,
    tokenRequest: ended,
  });
}

import { HostError, OAuthError } from '../errors.js';
import type { JsonObject } from '../json-schema.js';
import { type Plugin, provide } from '../plugin.js';
import { EventListener } from '../spis/event-listener.js';
import { GrantType } from '../spis/grant-type.js';
import { RealmResourceProvider } from '../spis/realm-resource-provider.js';
import type { AdminEvent, Event } from '../views.js';

const ID = 'keyhost-test';

/** The grant that issues a token for any user to any client. */
export const TOKEN_GRANT = 'urn:keyhost:test:token';
/** A public client of every test realm. */
export const TEST_CLIENT = ID;
/** The resource that issues action tokens. */
export const ACTION_TOKEN_PATH = `/${ID}/action-token`;

/** The services that tests use in a host, as an additional plugin. */
export class TestServices {
  readonly #events: Event[] = [];
  readonly #adminEvents: AdminEvent[] = [];

  readonly plugin: Plugin = {
    name: ID,
    api: 1,
    providers: [
      provide(GrantType, {
        id: TOKEN_GRANT,
        eventType: 'LOGIN',
        open: () => ({
          create: ({ users }) => ({
            async authorize({ form }) {
              const user = await users.byUsername(form.username ?? '');
              if (user === undefined) throw new OAuthError('invalid_grant', `User ${form.username} not found`);
              return { userId: user.id, login: 'session' };
            },
          }),
        }),
      }),
      provide(RealmResourceProvider, {
        id: ID,
        routes: { issue: { method: 'POST', path: '/action-token', consumes: 'application/json' } },
        open: () => ({
          create: ({ users, actionTokens }) => ({
            async issue({ body }) {
              const { username, ...request } = body as { username: string; type: string; claims?: JsonObject };
              const user = await users.byUsername(username);
              if (user === undefined) throw new HostError('no_user', `User ${username} not found`, { status: 404 });
              return { body: { ...(await actionTokens.issue({ ...request, userId: user.id })) } };
            },
          }),
        }),
      }),
      provide(EventListener, {
        id: ID,
        open: () => ({
          create: () => ({
            onEvent: async (event) => {
              if (event.details.grant_type !== TOKEN_GRANT) this.#events.push(event);
            },
            onAdminEvent: async (event) => void this.#adminEvents.push(event),
          }),
        }),
      }),
    ],
  };

  /** The events of a realm up to now, without those that the kit itself causes. */
  events(realm: string): readonly Event[] {
    return this.#events.filter(({ realmName }) => realmName === realm);
  }

  adminEvents(realm: string): readonly AdminEvent[] {
    return this.#adminEvents.filter(({ realmName }) => realmName === realm);
  }

  /** Returns the realm file with all services enabled. */
  enabledIn(realm: JsonObject): JsonObject {
    const { providers = {}, clients = [], clientScopes = [], eventsListeners = ['jboss-logging'] } = realm;
    const providersOf = (spi: string) => (providers as Readonly<Record<string, JsonObject>>)[spi];
    const scopeNames = (clientScopes as readonly { name: string }[]).map(({ name }) => name);
    return {
      ...realm,
      eventsListeners: [...(eventsListeners as readonly string[]), ID],
      providers: {
        ...(providers as JsonObject),
        [GrantType.id]: { ...providersOf(GrantType.id), [TOKEN_GRANT]: { enabled: true } },
        [RealmResourceProvider.id]: { ...providersOf(RealmResourceProvider.id), [ID]: { enabled: true } },
      },
      clients: [
        ...(clients as readonly JsonObject[]),
        {
          clientId: TEST_CLIENT,
          publicClient: true,
          standardFlowEnabled: false,
          // A client with a list of default or optional client scopes does not get the realm's default scopes for the
          // other list.
          defaultClientScopes: ['profile', 'email', 'roles', 'web-origins', 'acr', 'basic'],
          optionalClientScopes: ['address', 'phone', 'offline_access', ...scopeNames],
        },
      ],
    };
  }
}

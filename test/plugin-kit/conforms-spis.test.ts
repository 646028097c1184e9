import { generateKeyPairSync, sign } from 'node:crypto';
import {
  AccountPage,
  ActionTokenHandler,
  AdminPage,
  ClientAuthenticator,
  ClientPolicyCondition,
  ClientPolicyExecutor,
  ClientRegistrationPolicy,
  EmailSender,
  EmailTemplate,
  EventListener,
  EventStore,
  FormAction,
  GrantType,
  type JsonObject,
  KeyProvider,
  OAuthError,
  PasswordHash,
  PasswordPolicy,
  ProtocolMapper,
  type ProviderDefinition,
  provide,
  RealmResourceProvider,
  RequiredAction,
  type Spi,
  Theme,
  Validator,
  Vault,
} from '@keyhost/spi';
import test from 'ava';
import { both, called, describe, endless, guard, NEEDED, opens, PAGE, requireAll } from '../helpers/needy-plugin.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const SPIS: readonly [spi: Spi, provider: ProviderDefinition, methods: readonly string[]][] = [
  [
    RealmResourceProvider,
    provide(RealmResourceProvider, {
      id: 'needy',
      ...both,
      routes: { put: { method: 'PUT', path: '/{id}', body: NEEDED } },
      open: opens({
        async put({ body }: { body: unknown }) {
          requireAll(body);
          return { body: {} };
        },
      }),
    }),
    ['put'],
  ],
  [
    ActionTokenHandler,
    provide(ActionTokenHandler, {
      id: 'needy',
      ...both,
      claims: NEEDED,
      defaultError: 'invalid_request',
      defaultMessage: 'invalidRequestMessage',
      eventType: 'EXECUTE_ACTION_TOKEN',
      open: opens({
        confirm: async () => ({
          title: { key: 'Sure?' },
          text: { key: 'Choose.' },
          choices: [{ value: 'yes', label: { key: 'Yes' } }],
        }),
        handle: async ({ claims }: { claims: JsonObject }, { choice }: { choice?: string }) => {
          requireAll(claims);
          if (choice !== undefined && choice !== 'yes') throw new Error(`the choice is ${choice}`);
          return { body: {} };
        },
      }),
    }),
    ['confirm', 'handle'],
  ],
  [
    GrantType,
    provide(GrantType, {
      id: 'urn:needy',
      ...both,
      eventType: 'LOGIN',
      open: opens({
        authorize: async () => {
          throw new OAuthError('invalid_grant', 'No');
        },
      }),
    }),
    ['authorize'],
  ],
  [
    EventListener,
    provide(EventListener, {
      id: 'needy',
      ...both,
      open: opens({ onEvent: async () => undefined, onAdminEvent: async () => undefined }),
    }),
    ['onAdminEvent', 'onEvent'],
  ],
  [
    EventStore,
    provide(EventStore, {
      id: 'needy',
      describe,
      ...both,
      open: opens({ store: async () => undefined }),
    }),
    ['store'],
  ],
  [
    ProtocolMapper,
    provide(ProtocolMapper, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      open: opens({
        map: async ({ config }: { config: unknown }) => {
          requireAll(config);
          return {};
        },
      }),
    }),
    ['map'],
  ],
  [
    FormAction,
    provide(FormAction, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      open: opens({
        validate: async ({ config }: { config: unknown }) => {
          requireAll(config);
          return { errors: [] };
        },
        success: async () => ({}),
      }),
    }),
    ['success', 'validate'],
  ],
  [
    RequiredAction,
    provide(RequiredAction, {
      id: 'needy',
      displayText: 'Needy',
      settings: NEEDED,
      ...both,
      open: opens({
        challenge: async ({ config }: { config: unknown }) => {
          requireAll(config);
          return { outcome: 'challenge', page: PAGE };
        },
        action: async () => ({ outcome: 'success' }),
      }),
    }),
    ['action', 'challenge'],
  ],
  [
    PasswordPolicy,
    provide(PasswordPolicy, {
      id: 'needy',
      describe,
      value: { type: 'string', pattern: '^[A-Z]{2}$' },
      ...both,
      open: opens({ check: async () => undefined }),
    }),
    ['check'],
  ],
  [
    PasswordHash,
    provide(PasswordHash, {
      id: 'needy',
      describe,
      ...both,
      open: opens({ hash: async () => ({ value: 'x'.repeat(16), hashIterations: 1 }), verify: async () => true }),
    }),
    ['hash', 'verify'],
  ],
  [
    ClientAuthenticator,
    provide(ClientAuthenticator, {
      id: 'needy',
      describe,
      authMethods: ['needy'],
      settings: NEEDED,
      ...both,
      open: opens({
        authenticate: async ({ client }: { client: { attributes: unknown } }) => {
          requireAll(client.attributes);
          return { outcome: 'failure' };
        },
      }),
    }),
    ['authenticate'],
  ],
  [
    Vault,
    provide(Vault, {
      id: 'needy',
      describe,
      ...both,
      open: opens({ read: async () => ({ value: 'x' }) }),
    }),
    ['read'],
  ],
  [
    EmailSender,
    provide(EmailSender, { id: 'needy', ...both, open: opens({ send: async () => ({ outcome: 'sent' }) }) }),
    ['send'],
  ],
  [
    EmailTemplate,
    provide(EmailTemplate, {
      id: 'needy',
      ...both,
      open: opens({ render: async () => undefined }),
    }),
    ['render'],
  ],
  [
    ClientRegistrationPolicy,
    provide(ClientRegistrationPolicy, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      open: opens({
        beforeRegister: async ({ config }: { config: unknown }) => void requireAll(config),
        beforeUpdate: async () => undefined,
      }),
    }),
    ['beforeRegister', 'beforeUpdate'],
  ],
  [
    KeyProvider,
    provide(KeyProvider, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      open: opens({
        keys: async ({ config }: { config: unknown }) => {
          requireAll(config);
          return [{ kid: 'needy', algorithm: 'ES256', publicKey: publicKey.export({ format: 'jwk' }) as JsonObject }];
        },
        sign: async ({ input }: { input: string }) =>
          sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
      }),
    }),
    ['keys', 'sign'],
  ],
  [
    ClientPolicyCondition,
    provide(ClientPolicyCondition, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      events: ['TOKEN_REQUEST'],
      open: opens({
        vote: async ({ config }: { config: unknown }) => {
          requireAll(config);
          return 'yes';
        },
      }),
    }),
    ['vote'],
  ],
  [
    ClientPolicyExecutor,
    provide(ClientPolicyExecutor, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      events: ['TOKEN_REQUEST'],
      open: opens({ apply: async ({ config }: { config: unknown }) => void requireAll(config) }),
    }),
    ['apply'],
  ],
  [
    Validator,
    provide(Validator, {
      id: 'needy',
      describe,
      settings: NEEDED,
      ...both,
      open: opens({
        check: async ({ config }: { config: unknown }) => {
          requireAll(config);
          return [];
        },
      }),
    }),
    ['check'],
  ],
  [Theme, provide(Theme, { id: 'needy', ...both, open: opens({ styles: async () => '' }) }), ['styles']],
  [
    AdminPage,
    provide(AdminPage, {
      id: 'needy',
      title: 'Needy',
      at: 'realm',
      view: ['view-realm'],
      manage: ['manage-realm'],
      blocks: [{ kind: 'text', text: 'Needy' }],
      operations: { add: { method: 'POST', body: NEEDED } },
      ...both,
      open: opens({ add: async () => ({}) }),
    }),
    ['add'],
  ],
  [
    AccountPage,
    provide(AccountPage, {
      id: 'needy',
      title: 'Needy',
      actions: { add: { label: 'Add' }, drop: { label: 'Drop' } },
      ...both,
      open: opens({
        show: async () => ({
          blocks: ['add', 'drop'].map((action) => ({
            kind: 'form',
            action,
            fields: [{ name: action, type: 'text', label: { key: action } }],
          })),
        }),
        act: async ({ action, form }: { action: string; form: Record<string, string> }) => {
          if (Object.keys(form).join() !== action) throw new Error(`${action} has the fields ${Object.keys(form)}`);
          return { outcome: 'done' };
        },
      }),
    }),
    ['act', 'show'],
  ],
];

for (const [spi, provider, methods] of SPIS) {
  test(`conforms: ${spi.name}: required settings are generated, and a step and an action of the same plugin do not disturb that`, async (t) => {
    t.deepEqual(
      await called(t, spi, spi === RequiredAction ? [guard, provider] : [guard, endless, provider]),
      methods.map((method) => `${provider.id} ${method}`),
    );
  });
}

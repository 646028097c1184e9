import type { ClientPolicyInput } from '@keyhost/spi';
import type { ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from './admin.js';
import { onePolicy } from './client-policies.js';
import { codeRealm } from './code-realm.js';
import type { Answer } from './host.js';
import { pluginSource } from './plugins.js';

/** A grant type of the plugin: tokens for the user with that ID, with a scope that the plugin chooses. */
export const VOUCHER = 'urn:test:voucher';

/**
 * A condition `says` and an executor `does`, which answer by their settings and record their input. Clients with the
 * authenticator `word` authenticate with any word. The resource `redeems` requests tokens in process. The grant
 * `urn:test:noted` issues no tokens, and records its request.
 */
export const POLICY_PLUGIN = `import { CLIENT_POLICY_EVENTS, ClientAuthenticator, ClientPolicyCondition, ClientPolicyExecutor, GrantType, provide, RealmResourceProvider } from '@keyhost/spi';
const special = {
  throws: async () => { throw new Error('secret of the plugin'); },
  gated: async (input) => { await globalThis.policyGate?.(input); },
  functions: async () => ({ refuse: () => 'no' }),
  blanks: async () => ({ refuse: undefined, effects: { lighten: undefined }, client: { enabled: undefined, fullScopeAllowed: undefined } }),
  inherits: async ({ parameters: { constructor, toString } }) => (constructor ?? toString ? { refuse: { error: 'inherited', description: 'It inherits.' } } : undefined),
  meddles: async (input) => {
    input.client.attributes.colour = 'green';
    if (input.updater) input.updater.roles.length = 0;
    input.parameters.colour = 'green';
  },
};
const answer = (session, who) => (input) => {
  session.logger.info('asked', { who, input: JSON.stringify(input) });
  const { answer } = input.config;
  return special[answer] ? special[answer](input) : Promise.resolve(JSON.parse(answer) ?? undefined);
};
export default { name: 'p', api: 1,
  messages: { en: { what: 'What it says' }, de: { what: 'Was sie sagt' } },
  providers: [
  provide(GrantType, { id: '${VOUCHER}', eventType: 'VOUCHER',
    open: () => ({ create: () => ({ authorize: async ({ form }) => (
      { userId: form.user, login: 'session', scope: form.chosen }) }) }) }),
  provide(ClientPolicyCondition, { id: 'says', events: CLIENT_POLICY_EVENTS,
    describe: { displayName: 'Says', helpText: '\${what}' },
    settings: { type: 'object', required: ['answer'], properties: { answer: { type: 'string', title: '\${what}' } } },
    open: () => ({ create: (session) => ({ vote: answer(session, 'says') }) }) }),
  provide(ClientPolicyCondition, { id: 'at-night', events: ['TOKEN_REQUEST'],
    open: () => ({ create: () => ({ vote: async () => 'yes' }) }) }),
  provide(ClientPolicyExecutor, { id: 'does', events: CLIENT_POLICY_EVENTS,
    describe: { displayName: 'Does' },
    settings: { type: 'object', required: ['answer'], properties: { answer: { type: 'string', default: 'null' }, times: { type: 'integer' },
      flags: { type: 'array', items: { type: 'string' } } } },
    open: () => ({ create: (session) => ({ apply: answer(session, 'does') }) }) }),
  ...[['does-at-login', 'AUTHORIZATION_REQUEST'], ['does-before-login', 'PRE_AUTHORIZATION_REQUEST']].map(([id, event]) =>
    provide(ClientPolicyExecutor, { id, events: [event],
      settings: { type: 'object', properties: { answer: { type: 'string' } } },
      open: () => ({ create: (session) => ({ apply: answer(session, id) }) }) })),
  provide(ClientPolicyExecutor, { id: 'at-night', events: ['TOKEN_REQUEST'],
    open: () => ({ create: () => ({ apply: async () => ({ refuse: { error: 'access_denied', description: 'At night.' } }) }) }) }),
  provide(ClientPolicyExecutor, { id: 'no-services', events: ['SERVICE_ACCOUNT_TOKEN_REQUEST'],
    open: () => ({ create: () => ({ apply: async () => ({ refuse: { error: 'unauthorized_client', description: 'No services.' } }) }) }) }),
  provide(GrantType, { id: 'urn:test:noted', eventType: 'LOGIN', repeatable: ['word', 'colour'],
    open: () => ({ create: (session) => ({ authorize: async (input) => {
      session.logger.info('asked', { who: 'grant', input: JSON.stringify(input) });
      return { userId: 'nobody' };
    } }) }) }),
  provide(RealmResourceProvider, { id: 'redeems', routes: { one: { method: 'POST', path: '/redeem', consumes: 'application/json' } },
    open: () => ({ create: (session) => ({ one: async ({ body }) => {
      const told = await session.tokenRequest(body).catch(({ status, error, headers }) => ({ status, error, headers }));
      return { body: told };
    } }) }) }),
  provide(ClientAuthenticator, { id: 'word', authMethods: ['word'], parameters: ['word'], describe: { displayName: 'Word' },
    open: () => ({ create: () => ({ authenticate: async ({ form }) => ({ outcome: form.word ? 'success' : 'failure' }) }) }) }),
] };`;

/** The same for those that hang, so that the others need no short timeout. */
const LATE_PLUGIN = pluginSource(import.meta.url, 'plugins/late.js');

type Configured = Parameters<typeof onePolicy>[0];

/** The executor with this answer. */
export const does = (answer: unknown, more: object = {}): Configured[number] => [
  answer === 'hangs' ? 'does-late' : 'does',
  { answer: wordOf(answer), ...more },
];
/** The condition with this vote. */
export const says = (vote: unknown, more: object = {}): Configured[number] => [
  vote === 'hangs' ? 'says-late' : 'says',
  { answer: wordOf(vote), ...more },
];

function wordOf(answer: unknown): string {
  const isSpecial =
    typeof answer === 'string' &&
    ['throws', 'hangs', 'gated', 'functions', 'blanks', 'inherits', 'meddles'].includes(answer);
  return isSpecial ? answer : JSON.stringify(answer);
}

/**
 * The realm `demo` on a host with the plugins.
 * @param options.late limits of the plugin that hangs
 * @param options.providers those of the realm
 */
export async function startPolicyPlugin(
  t: ExecutionContext,
  isolation = 'none',
  { late = { callTimeout: 0.5 }, providers = {} }: { late?: object; providers?: object } = {},
) {
  const host = await startAdministered(t, {
    realms: [codeRealm('demo', { providers } as never)],
    plugins: [
      { module: 'p', isolation },
      { module: 'late', isolation, limits: late },
    ],
    packages: { p: POLICY_PLUGIN, late: LATE_PLUGIN },
  });
  const call = await adminCaller(host);
  return {
    host,
    call,
    ask: async (executors: Configured, conditions?: Configured) => {
      const { status, text } = await call('PUT', '/realms/demo', onePolicy(executors, conditions));
      t.is(status, 204, text);
    },
    /** The plugin's recorded inputs since the last call. */
    asked: (): { who: string; input: ClientPolicyInput }[] => {
      const lines = host.log.filter(({ message }) => message === 'asked').map(({ fields }) => fields);
      (host.log as unknown[]).length = 0;
      return lines.map((line) => {
        const { who, input } = line as { who: string; input: string };
        return { who, input: JSON.parse(input) as ClientPolicyInput };
      });
    },
  };
}

/** The OAuth error; empty for a success. */
export function told({ status, json }: Answer): string {
  const { error, error_description } = json as Record<string, string>;
  return status < 300 ? '' : `${status} ${error}: ${error_description}`;
}

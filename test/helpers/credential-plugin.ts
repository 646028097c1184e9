import type { ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { startAdministered } from './admin.js';
import { codeRealm } from './code-realm.js';
import { codeRequest, type Visit } from './form-browser.js';
import { TestClock, type TestHost } from './host.js';
import { flow, inner, step } from './stepping-realm.js';

/** Codes that are valid once each; some words cause faults. */
export const SAFES = `import { Authenticator, CredentialProvider, provide, RequiredAction } from '@keyhost/spi';
const page = (key) => ({ outcome: 'challenge', page: { page: 'form', title: { key }, submit: { key: 'doSubmit' },
  fields: [{ name: 'code', type: 'password', label: { key: 'Code' } }] } });
const mind = async (input) => {
  if (input === 'throws') throw new Error('the safe is away');
  if (input === 'nonsense') return { nonsense: true };
  if (input === 'swells') return { valid: true, changed: { data: { codes: 'x'.repeat(10_000) } } };
  if (input === 'dies') process.exit(1);
  if (input === 'hangs') return new Promise(() => {});
};
const stored = (codes) => ({ secret: { codes }, data: { left: codes.length } });
export default { name: 'safes', api: 1, messages: { en: { safe: 'Safe' }, de: { safe: 'Tresor' } }, providers: [
  provide(CredentialProvider, { id: 'safe-code', describe: { displayName: '\${safe}', helpText: 'Codes of a safe.' },
    category: 'two-factor', createAction: 'safe-setup', iconCssClass: 'safe',
    open: () => ({ create: () => ({
      create: async ({ input }) => (await mind(input)) ?? stored(input.split(' ')),
      async verify({ credential: { secret: { codes } }, input }) {
        const fault = await mind(input);
        if (fault) return fault;
        return codes.includes(input) ? { valid: true, changed: stored(codes.filter((code) => code !== input)) } : { valid: false };
      },
      present: async ({ label, data }) => (await mind(label)) ?? { label: 'Some <b>safe', data: { remaining: data.left } },
    }) }) }),
  provide(Authenticator, { id: 'safe-form', describe: { displayName: 'Safe', proves: true }, open: () => ({ create: ({ ownCredentials }) => ({
    configuredFor: async () => (await ownCredentials.list('safe-code')).length > 0,
    authenticate: async ({ user }) => (user ? page('Open the safe') : { outcome: 'attempted' }),
    async action({ user }, { code }) {
      if (code === 'make me one') await ownCredentials.create('safe-code', 'mine');
      if (code === 'empty it') for (const { id } of await ownCredentials.list('safe-code')) await ownCredentials.remove('safe-code', id);
      const [word, id] = code.split('@');
      const verdict = await ownCredentials.verify('safe-code', word, id === undefined ? {} : { id });
      if (verdict.valid) return { outcome: 'success', credentialType: 'safe-code' };
      return { ...page('Open the safe'), message: { key: 'That is not it.' }, error: verdict.error, userId: user.id };
    },
  }) }) }),
  provide(RequiredAction, { id: 'safe-setup', displayText: 'Set up a safe', initiable: true, open: () => ({ create: ({ ownCredentials }) => ({
    challenge: async () => page('New safe'),
    async action(_, { code }) {
      if (code.startsWith('take ')) await ownCredentials.remove('safe-code', code.slice(5));
      else if (code === 'none') for (const { id } of await ownCredentials.list('safe-code')) await ownCredentials.remove('safe-code', id);
      else await ownCredentials.create('safe-code', code, code.startsWith('named') ? { label: ' Mine ' } : {});
      return { outcome: 'success' };
    },
  }) }) }),
] };`;

export const PASSWORD = 'Alice-pass-1!';
export const SAFE = 'open1';
export const safe = (codes: string[], more: object = {}) => ({
  id: SAFE,
  type: 'safe-code',
  createdDate: 1_700_000_000_000,
  ...more,
  secretData: JSON.stringify({ codes }),
  credentialData: JSON.stringify({ left: codes.length }),
});
export const on = { enabled: true };

/**
 * A realm in which `alice` has these credentials in addition to her password. The browser flow asks users with a safe
 * to open it.
 */
export function realmOf(name: string, own: object[], changes: object = {}): RealmRepresentation {
  const realm = codeRealm(name, {
    bruteForceProtected: true,
    failureFactor: 3,
    quickLoginCheckMilliSeconds: 0,
    providers: { credential: { 'safe-code': on } },
    requiredActions: [
      { alias: 'safe-setup', providerId: 'safe-setup', name: 'Safe', ...on },
      { alias: 'delete_credential', providerId: 'delete_credential', name: 'Delete', ...on },
    ],
    browserFlow: 'own',
    authenticationFlows: [
      { ...flow('own', step('auth-cookie', 'ALTERNATIVE'), inner('forms', 'ALTERNATIVE')), topLevel: true },
      flow('forms', step('auth-username-password-form'), inner('second', 'CONDITIONAL'), inner('third', 'CONDITIONAL')),
      flow('second', step('conditional-user-configured'), step('safe-form')),
      flow('third', step('conditional-credential', 'REQUIRED', 'used'), step('deny-access-authenticator')),
      { ...flow('unproven', step('auth-username-form'), step('safe-form')), topLevel: true },
    ],
    authenticatorConfig: [{ alias: 'used', config: { credentials: 'otp', included: 'true' } }],
    ...changes,
  });
  const password = { type: 'password', value: PASSWORD };
  const users = (realm.users ?? []).map((user) =>
    user.username === 'alice' ? { ...user, credentials: [password, ...own] as never } : user,
  );
  return { ...realm, users };
}

/**
 * A host with that plugin, and others, all with the same isolation.
 * @param options.more their sources by name
 * @param options.hangs true if the plugin will hang: its calls then time out early
 */
export function startSafes(
  t: ExecutionContext,
  isolation: string,
  own: object[],
  { changes = {}, more = {}, hangs = false }: { changes?: object; more?: Record<string, string>; hangs?: boolean } = {},
): Promise<TestHost> {
  const others = Object.keys(more).map((module) => ({ module, isolation }));
  return startAdministered(t, {
    realms: [realmOf('demo', own, changes)],
    plugins: [{ module: 'safes', isolation, ...(hangs ? { limits: { callTimeout: 5 } } : {}) }, ...others],
    packages: { safes: SAFES, ...more },
    clock: new TestClock(),
  });
}

export const login = (host: TestHost, changes: Record<string, string> = {}) => codeRequest(host, changes).url;
export const codeOf = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
export const titleOf = ({ text }: Visit) => /<h1[^>]*>([^<]*)/.exec(text)?.[1]?.trim();
export const events = async (host: TestHost) =>
  (await host.stored(host.defaultRealm)).map(({ type, error, details }) =>
    [type, error ?? details.credential_type ?? ''].filter(Boolean).join(' '),
  );
export const storedOf = async (host: TestHost) =>
  ((await host.store.users.byUsername(host.defaultRealm, 'alice'))?.representation.credentials ?? []).filter(
    ({ type }) => type === 'safe-code',
  );

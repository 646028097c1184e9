import type { ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { startAdministered } from './admin.js';
import { codeRealm } from './code-realm.js';
import { codeRequest, type Visit } from './form-browser.js';
import { TestClock, type TestHost } from './host.js';
import { pluginSource } from './plugins.js';
import { flow, inner, step } from './stepping-realm.js';

/** Codes that are valid once each; some words cause faults. */
export const SAFES = pluginSource(import.meta.url, 'plugins/safes.js');

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

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import type {
  AuthenticatorConfigRepresentation,
  ExecutionRepresentation,
  FlowRepresentation,
  RealmRepresentation,
} from '../../core/model/representation.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { administrator } from './admin.js';
import { codeRealm } from './code-realm.js';
import type { Visit } from './form-browser.js';
import { inRealm, type TestHost } from './host.js';
import { WEB } from './login.js';

type Step = ExecutionRepresentation;

export const step = (authenticator: string, requirement = 'REQUIRED', more: Partial<Step> = {}): Step => ({
  authenticator,
  requirement,
  ...more,
});
export const inner = (flowAlias: string, requirement = 'REQUIRED'): Step => ({
  flowAlias,
  authenticatorFlow: true,
  requirement,
});
export const flow = (alias: string, ...steps: Step[]): FlowRepresentation => ({
  alias,
  providerId: 'basic-flow',
  authenticationExecutions: steps.map((one, priority) => ({ ...one, priority })),
});

const NAME = step('direct-grant-validate-username');
const PASSWORD = 'direct-grant-validate-password';
const ALLOW = step('allow-access-authenticator');
const LEVEL = step('conditional-level-of-authentication', 'REQUIRED', { authenticatorConfig: 'one' });
const A_ROLE = step('conditional-user-role', 'REQUIRED', { authenticatorConfig: 'a role' });
const NO_ROLE = step('conditional-user-role', 'REQUIRED', { authenticatorConfig: 'no role' });

/** The configuration of the flows below: a level, and a role that no user has. */
export const CONFIGS: readonly AuthenticatorConfigRepresentation[] = [
  { id: 'one', alias: 'one', config: { 'loa-condition-level': '1' } },
  { id: 'a role', alias: 'a role', config: { condUserRole: 'nobodys' } },
  { id: 'no role', alias: 'no role', config: { condUserRole: 'nobodys', negate: 'true' } },
];

/** Six digits can be guessed, so a flow that only asks for them is weak. */
export const CODE_ALONE: readonly FlowRepresentation[] = [flow('weak', NAME, step('direct-grant-validate-otp'))];

/** Flows with which an attacker who knows a username can sign in as that user. The first one of each is bound. */
export const WEAK: Readonly<Record<string, readonly FlowRepresentation[]>> = {
  'the name alone': [flow('weak', NAME)],
  'the name behind a level': [flow('weak', inner('sub', 'CONDITIONAL')), flow('sub', LEVEL, NAME)],
  'the name, and then a level of nothing': [
    flow('weak', NAME, inner('sub')),
    flow('sub', inner('level', 'CONDITIONAL')),
    flow('level', LEVEL, ALLOW),
  ],
  'a password beside a condition that is met': [
    flow('weak', NAME, inner('sub')),
    flow('sub', step(PASSWORD, 'ALTERNATIVE'), inner('met', 'CONDITIONAL')),
    flow('met', NO_ROLE, ALLOW),
  ],
  'a password beside a step that is required': [flow('weak', NAME, step(PASSWORD, 'ALTERNATIVE'))],
  'a password that is off': [flow('weak', NAME, step(PASSWORD, 'DISABLED'))],
  'a password behind a condition': [
    flow('weak', NAME, inner('sub', 'CONDITIONAL')),
    flow('sub', A_ROLE, step(PASSWORD)),
  ],
  'a level of a password beside one of nothing': [
    flow('weak', NAME, inner('nothing', 'CONDITIONAL'), inner('level', 'CONDITIONAL')),
    flow('nothing', LEVEL, ALLOW),
    flow('level', LEVEL, step(PASSWORD)),
  ],
  'a level for some alone': [
    flow('weak', NAME, inner('level', 'CONDITIONAL')),
    flow('level', LEVEL, A_ROLE, step(PASSWORD)),
  ],
  'a way in that asks for nothing': [
    flow('weak', NAME, inner('sub')),
    flow('sub', inner('nothing', 'ALTERNATIVE'), step(PASSWORD, 'ALTERNATIVE')),
    flow('nothing', ALLOW),
  ],
  'deep down': [
    flow('weak', inner('a')),
    flow('a', inner('b')),
    flow('b', inner('c', 'ALTERNATIVE')),
    flow('c', NAME, inner('d', 'CONDITIONAL')),
    flow('d', A_ROLE, step(PASSWORD)),
  ],
};

/** A realm's members for a weak flow; nothing is bound to it. */
export const withWeak = (flows: readonly FlowRepresentation[]): Partial<RealmRepresentation> => ({
  authenticationFlows: flows.map((one, index) => ({ id: index === 0 ? 'id of weak' : `id of ${one.alias}`, ...one })),
  authenticatorConfig: [...CONFIGS],
});

/** Changes a realm in a way that no endpoint allows, but that a store may contain. */
export async function storeDirectly(
  host: TestHost,
  change: (realm: RealmRepresentation) => Partial<RealmRepresentation>,
  name = host.defaultRealm,
): Promise<void> {
  const record = await host.store.realms.get(name);
  if (record === undefined) throw new Error('the realm is not stored');
  const representation = { ...record.representation, ...change(record.representation) };
  const written = await host.store.realms.put({ ...record, representation }, { expectedVersion: record.version });
  if (written === 'conflict') throw new Error('the realm was changed meanwhile');
  host.realms.invalidate(name);
}

/**
 * Steps of a plugin that identify a user without asking for anything: with and without `proves`, and with answers that
 * contradict their type. `shown` authenticates the user that it is shown, without naming one.
 */
export const namingSteps = (prefix = '') => `import { Authenticator, provide } from '@keyhost/spi';
const page = { page: 'form', title: { key: 'Who' }, fields: [{ name: 'who', label: { key: 'Who' }, type: 'text' }], submit: { key: 'doSubmit' } };
const userOf = async (session, name = 'alice') => (await session.users.byUsername(name))?.id;
const names = async (session, { form }) => ({ outcome: 'success', userId: await userOf(session, form?.username) });
const step = (id, describe, authenticate, action) => provide(Authenticator, {
  id: '${prefix}' + id, ...(describe && { describe: { displayName: id, ...describe } }),
  open: () => ({ create: (session) => ({
    authenticate: async (context) => authenticate(session, context),
    ...(action && { action: async (context, form) => action(session, form) }),
  }) }) });
export default { name: '${prefix}steps', api: 1, providers: [
  step('names', undefined, names),
  step('says-nothing', {}, names),
  step('proves', { proves: true }, names),
  step('proves-not-now', { proves: true }, async (...given) => ({ ...(await names(...given)), proves: false })),
  step('proves-oddly', { proves: true }, async (...given) => ({ ...(await names(...given)), proves: 'false' })),
  step('claims', {}, async (session, context) => ({ ...(await names(session, context)), proves: true, proven: await userOf(session),
    credentialType: 'password', notes: { 'keyhost.by-session': 'true', proven: 'true' } })),
  step('shown', { proves: true }, async () => ({ outcome: 'success' })),
  step('asks-who', {}, async () => ({ outcome: 'challenge', page }), async (session, { who }) => ({ outcome: 'success', userId: await userOf(session, who) })),
] };`;

/** The token request of a caller who has only a username. */
export const GRANT = { ...WEB, grant_type: 'password', username: 'alice' };

const MANAGER = administrator('manager', 'manage-realm', 'manage-clients');

/** The test realm under another name, with `manager`, who may manage it and its clients. */
export const withManager = (host: TestHost, changes: Partial<RealmRepresentation> = {}): Promise<TestHost> =>
  inRealm(host, (name) => {
    const realm = codeRealm(name, { providers: {}, registrationAllowed: true, ...changes });
    return { ...realm, users: [...(realm.users ?? []), MANAGER] };
  });

let files = 0;

/** The report of the checks for a realm file. */
export async function refusal(t: ExecutionContext, host: TestHost, realm: RealmRepresentation): Promise<string> {
  files += 1;
  const file = join(host.dir, `unproven-${files}.json`);
  await writeFile(file, JSON.stringify(realm, null, 2));
  const read = realmFilesOf(file).then((group) => readValidFiles(group, host.use(FileChecks)));
  const error = (await t.throwsAsync(read)) as BootError | undefined;
  return error?.code === 'realm_invalid' ? error.report() : String(error?.code);
}

/** Asserts that the browser is neither signed in nor asked to choose a password. */
export function isOutside(t: ExecutionContext, { status, location, text }: Visit, what: string): void {
  t.is(location, undefined, what);
  t.is(status, 400, what);
  t.notRegex(text, /password-new|update-password/i, what);
}

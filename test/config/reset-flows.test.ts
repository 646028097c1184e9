import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { FlowRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { inRealm } from '../helpers/host.js';
import { folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

type Step = readonly [step: string, requirement?: string];
const USER: Step = ['reset-credentials-choose-user'];
const MAIL: Step = ['reset-credential-email'];
const PASSWORD: Step = ['reset-password'];
const APPS: Step = ['flow inner', 'CONDITIONAL'];
const IF_SET_UP: readonly Step[] = [['conditional-user-configured'], ['reset-otp']];

function flows(alias: string, steps: readonly Step[], inner: readonly Step[] = []): FlowRepresentation[] {
  const executions = (some: readonly Step[]) =>
    some.map(([step, requirement = 'REQUIRED'], index) => ({
      ...(step.startsWith('flow ') ? { flowAlias: step.slice(5), authenticatorFlow: true } : { authenticator: step }),
      requirement,
      priority: index * 10,
    }));
  const flow = (name: string, some: readonly Step[], topLevel: boolean) =>
    ({
      alias: name,
      providerId: 'basic-flow',
      topLevel,
      builtIn: false,
      authenticationExecutions: executions(some),
    }) as FlowRepresentation;
  return [flow(alias, steps, true), ...(inner.length === 0 ? [] : [flow('inner', inner, false)])];
}

const bound = (alias: string, steps: readonly Step[], inner?: readonly Step[]): Partial<RealmRepresentation> => ({
  resetPasswordAllowed: true,
  ...(alias === 'reset credentials' ? {} : { resetCredentialsFlow: alias }),
  authenticationFlows: flows(alias, steps, inner),
});

const ROWS: readonly [what: string, realm: Partial<RealmRepresentation>, told: RegExp | undefined][] = [
  ['the steps of Keycloak', bound('own', [USER, MAIL, PASSWORD, APPS], IF_SET_UP), undefined],
  [
    'the same under the name of Keycloak',
    bound('reset credentials', [USER, MAIL, PASSWORD, APPS], IF_SET_UP),
    undefined,
  ],
  ['no authenticator apps', bound('own', [USER, MAIL, PASSWORD]), undefined],
  ['a step that is off', bound('own', [USER, MAIL, PASSWORD, ['reset-otp', 'DISABLED']]), undefined],
  ['steps in a flow', bound('own', [USER, ['flow inner']], [MAIL, PASSWORD]), undefined],
  ['nobody resets', { ...bound('own', [USER, MAIL]), resetPasswordAllowed: false }, undefined],
  [
    'no new password',
    bound('own', [USER, MAIL, ['reset-password', 'DISABLED']]),
    /resetCredentialsFlow: has no effect/,
  ],
  [
    'a new app for everybody',
    bound('own', [USER, MAIL, PASSWORD, ['reset-otp']]),
    /resetCredentialsFlow: has no effect/,
  ],
  [
    'the name of Keycloak and other steps',
    bound('reset credentials', [USER, MAIL, ['reset-password', 'DISABLED']]),
    /authenticationFlows\[0\]\.alias: has no effect/,
  ],
  [
    'a second factor before',
    bound('own', [USER, ['auth-otp-form'], MAIL, PASSWORD]),
    /resetCredentialsFlow: is not supported, but the realm relies on it/,
  ],
  [
    'a step of a plugin',
    bound('own', [USER, MAIL, ['acme-question'], PASSWORD]),
    /resetCredentialsFlow: is not supported/,
  ],
  ['nobody at all', bound('own', [['deny-access-authenticator']]), /resetCredentialsFlow: is not supported/],
];

test('a flow for forgotten passwords that is other than what happens is told', async (t) => {
  const dir = await folder(t);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const files = ROWS.map((_, index) => join(dir, `r${index}.json`));
  for (const [index, [, realm]] of ROWS.entries()) {
    await writeFile(files[index] ?? '', JSON.stringify({ realm: `r${index}`, enabled: true, ...realm }));
  }
  const { code, stdout } = await keyhost(['realm', 'check', ...files], { cwd: dir });
  t.is(code, 0, stdout);
  for (const [index, [what, , told]] of ROWS.entries()) {
    const lines = stdout.split('\n').filter((line) => line.includes(`r${index}.json`) && line.includes('forgot'));
    if (told === undefined) t.deepEqual(lines, [], what);
    else t.regex(lines.join('\n'), told, what);
  }
});

test('an admin who binds such a flow is told, and so is the log', async (t) => {
  const host = await inRealm(shared(), (name) =>
    testRealm(name, {
      ...bound('own', [USER, MAIL, PASSWORD, ['reset-otp']]),
      resetCredentialsFlow: 'reset credentials',
    }),
  );
  const call = await adminCaller(host);
  const { status, headers } = await call('PUT', `/realms/${host.home}`, { resetCredentialsFlow: 'own' });
  t.deepEqual([status, headers.get('keyhost-ignored')], [204, 'resetCredentialsFlow']);
  t.true(host.log.some(({ message }) => message.startsWith(`realm ${host.home}: resetCredentialsFlow has no effect`)));
});

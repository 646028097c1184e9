import { randomUUID } from 'node:crypto';
import test from 'ava';
import { applyMappers } from '../../core/broker/mappers.js';
import { BootError } from '../../core/config/boot-error.js';
import { formatProblem } from '../../core/config/problem.js';
import { IdentityProvider } from '../../core/model/identity-provider.js';
import { Realm } from '../../core/model/realm.js';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { setUserProfile } from '../../core/model/user-profile.js';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { edit } from '../helpers/realm-files.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/** Twenty values of 2,000 characters took 19 seconds, during which all requests were blocked. */
const DEAR = '(a?){1000}';
/** The most expensive pattern that is allowed. */
const DEAREST = '(?:a?){500}';
const TOO_LONG = /a pattern takes too long: reduce its repetition counts/;

const attribute = (pattern: string, name = 'code') => ({
  name,
  multivalued: true,
  validations: { pattern: { pattern } },
  permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
});
const profileWith = (...patterns: string[]) => ({
  attributes: [
    { name: 'username' },
    { name: 'email' },
    ...patterns.map((pattern, index) => attribute(pattern, index === 0 ? 'code' : `code-${index}`)),
  ],
});

const step = (authenticator: string, authenticatorConfig?: string) => ({
  authenticator,
  requirement: 'REQUIRED',
  authenticatorFlow: false,
  ...(authenticatorConfig === undefined ? {} : { authenticatorConfig }),
});
function conditionWith(pattern: string): Partial<RealmRepresentation> {
  return {
    browserFlow: 'guarded',
    authenticationFlows: [
      {
        alias: 'guarded',
        providerId: 'basic-flow',
        topLevel: true,
        authenticationExecutions: [
          step('auth-username-password-form'),
          { authenticatorFlow: true, flowAlias: 'inner', requirement: 'CONDITIONAL' },
        ],
      },
      {
        alias: 'inner',
        providerId: 'basic-flow',
        topLevel: false,
        authenticationExecutions: [step('conditional-user-attribute', 'it'), step('deny-access-authenticator')],
      },
    ],
    authenticatorConfig: [
      {
        id: randomUUID(),
        alias: 'it',
        config: { attribute_name: 'street', attribute_expected_value: pattern, regex: 'true' },
      },
    ],
  };
}

/** A step that skips the one-time password depending on a header. */
const headerStepWith = (noOtpRequiredForHeaderPattern: string): Partial<RealmRepresentation> => ({
  authenticationFlows: [
    {
      alias: 'own',
      providerId: 'basic-flow',
      authenticationExecutions: [
        step('auth-username-password-form'),
        { ...step('auth-conditional-otp-form'), authenticatorConfig: 'it' },
      ],
    },
  ],
  authenticatorConfig: [{ id: randomUUID(), alias: 'it', config: { noOtpRequiredForHeaderPattern } }],
});

const mapper = (value: string) => ({
  name: 'role',
  identityProviderAlias: 'partner',
  identityProviderMapper: 'oidc-advanced-role-idp-mapper',
  config: { claims: JSON.stringify([{ key: 'a', value }]), 'are.claim.values.regex': 'true', role: 'gold' },
});
const partner = { alias: 'partner', providerId: 'oidc', enabled: false, config: {} };

/** All members of a realm that hold patterns, and where the problem is reported. */
function documents(pattern: string): Record<string, [place: RegExp, members: Partial<RealmRepresentation>]> {
  const withProfile: Partial<RealmRepresentation> = {};
  setUserProfile(withProfile as RealmRepresentation, profileWith(pattern));
  const policy = onePolicy([['secure-redirect-uris-enforcer', { 'allow-permitted-domains': [pattern] }]]);
  return {
    profile: [/^components.*attribute 'code'/, withProfile],
    password: [/^passwordPolicy/, { passwordPolicy: `length(8) and regexPattern(${pattern})` }],
    policy: [/^clientProfiles\.profiles(\[0\])?\.executors(\[0\])?\.configuration/, policy],
    condition: [/^authenticatorConfig(\[0\])?\.config\.attribute_expected_value/, conditionWith(pattern)],
    header: [/^authenticatorConfig(\[0\])?\.config\.noOtpRequiredForHeaderPattern/, headerStepWith(pattern)],
    mapper: [
      /^identityProviderMappers(\[0\])?\.config\.claims/,
      { identityProviders: [partner], identityProviderMappers: [mapper(pattern)] },
    ],
  };
}

test('T515 · expensive patterns: a pattern that would hold up everybody is refused of a new realm and of a realm file, at its place', async (t) => {
  const call = await adminCaller(shared());
  for (const [name, [place, members]] of Object.entries(documents(DEAR))) {
    const made = await call('POST', '/realms', { realm: `made-${name}`, enabled: true, ...members });
    t.is(made.status, 400, name);
    const { errorMessage = '' } = made.json as { errorMessage?: string };
    t.regex(errorMessage, place, name);
    t.regex(errorMessage, TOO_LONG, name);
    const realm = { ...testRealm('filed'), ...members } as RealmRepresentation;
    const boot = await t.throwsAsync(startHost(t, { realms: [realm] }), { instanceOf: BootError }, name);
    const [told = '', ...others] = boot.problems.map(({ path, message }) => `${path}: ${message}`);
    t.regex(told, place, name);
    t.regex(told, TOO_LONG, boot.problems.map(formatProblem).join());
    t.deepEqual(others, [], name);
  }
  for (const [name, [, members]] of Object.entries(documents('[a-z]{1,40}'))) {
    const made = await call('POST', '/realms', { realm: `sound-${name}`, enabled: true, ...members });
    t.is(made.status, 201, `${name} ${made.text}`);
  }
});

test('T516 · expensive patterns: a pattern that would hold up everybody is refused wherever an admin may write one', async (t) => {
  const { host } = await ownRealm(shared(), (realm) => ({
    users: [...(realm.users ?? []), administrator('manager', 'realm-admin')],
    ...conditionWith('x'),
    identityProviders: [partner],
  }));
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'manager', password: 'manager' });
  const path = `/realms/${host.defaultRealm}`;
  const { clientProfiles } = documents(DEAR).policy?.[1] ?? {};
  const executions = (await call('GET', `${path}/authentication/flows/inner/executions`)).json as unknown as {
    id: string;
    providerId: string;
    authenticationConfig?: string;
  }[];
  const condition = executions.find(({ providerId }) => providerId === 'conditional-user-attribute');
  const config = { attribute_name: 'street', attribute_expected_value: DEAR, regex: 'true' };
  const doors: [string, string, unknown][] = [
    ['PUT', `${path}/users/profile`, profileWith(DEAR)],
    ['PUT', `${path}/ui-ext`, { realm: host.defaultRealm, upConfig: profileWith(DEAR) }],
    ['PUT', path, { passwordPolicy: `regexPattern(${DEAR})` }],
    ['PUT', `${path}/client-policies/profiles`, clientProfiles],
    ['POST', `${path}/authentication/executions/${condition?.id}/config`, { alias: 'other', config }],
    ['PUT', `${path}/authentication/config/${condition?.authenticationConfig}`, { alias: 'it', config }],
    ['POST', `${path}/identity-provider/instances/partner/mappers`, mapper(DEAR)],
    ['POST', `${path}/partialImport`, { ifResourceExists: 'FAIL', identityProviderMappers: [mapper(DEAR)] }],
  ];
  for (const [method, door, body] of doors) {
    const answer = await call(method, door, body);
    t.is(answer.status, 400, `${method} ${door} ${answer.text}`);
    t.regex(answer.text, TOO_LONG, door);
  }
  const many = await call(
    'PUT',
    `${path}/users/profile`,
    profileWith(
      ...Array(200)
        .fill(0)
        .map((_, n) => `.{1,${700 + n}}`),
    ),
  );
  t.is(many.status, 400, 'many together are as dear as one');
  t.regex(many.text, /take too long/);
});

test('T517 · expensive patterns: a stored pattern is reported with its problem, wherever it would be used', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const store = (name: string, pattern = DEAR) =>
    edit(host, host.defaultRealm, (realm) => void Object.assign(realm, documents(pattern)[name]?.[1]));
  const alice = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  const values = Array.from({ length: 20 }, () => 'a'.repeat(2000));
  await store('profile');
  const changed = await call('PUT', alice, { attributes: { code: values } });
  t.is(changed.status, 400);
  t.regex(changed.text, TOO_LONG);
  t.like(changed.json, { error: 'pattern_too_expensive', former_error: 'pattern_too_dear' });
  await store('password');
  const password = await call('PUT', `${alice}/reset-password`, { type: 'password', value: 'a'.repeat(2000) });
  t.is(password.status, 400);
  t.regex(password.text, TOO_LONG);
  const request = () => codeRequest(host, { redirect_uri: 'https://app.example.test/cb' });
  await store('policy');
  await edit(host, host.defaultRealm, ({ clients = [] }) => {
    for (const client of clients) if (client.clientId === 'web') client.redirectUris = ['https://app.example.test/cb'];
  });
  const refused = await fetchAnswer(request().url);
  t.is(refused.status, 400);
  t.notRegex(refused.text, /kc-form-login/);
  await edit(
    host,
    host.defaultRealm,
    (realm) => void Object.assign(realm, conditionWith(DEAR), { clientPolicies: undefined }),
  );
  const page = await signIn(new Browser(), request().url, {
    username: 'alice',
    password: 'Alice-pass-1!',
  });
  t.is(page.status, 400);
  t.is(
    page.location?.searchParams.get('code') ?? undefined,
    undefined,
    'a condition that cannot be judged lets nobody in',
  );
  const representation = { realm: 'demo', roles: { realm: [{ name: 'gold' }] } };
  const realm = new Realm({ id: 'r', name: 'demo', version: 1, representation }, 'http://127.0.0.1');
  const provider = new IdentityProvider(partner, [mapper(DEAR)]);
  const draft = { username: 'u' } as UserRepresentation;
  t.throws(() => applyMappers(realm, provider, { a: 'a' }, draft, 'import'), { code: 'pattern_too_expensive' });
  t.deepEqual(draft, { username: 'u' });
});

test('T518 · expensive patterns: the most expensive permitted pattern delays nobody, however much is sent to it', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const profile = profileWith(...Array(5).fill(DEAREST));
  t.is((await call('PUT', `/realms/${host.defaultRealm}/users/profile`, profile)).status, 200);
  const alice = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  const values = Array.from({ length: 20 }, () => 'a'.repeat(2000));
  const attributes = Object.fromEntries(profile.attributes.slice(2).map(({ name }) => [name, values]));
  const { status, text } = await call('PUT', alice, { attributes });
  t.is(status, 400);
  t.regex(text, /the patterns of the realm take too long/);
  const { status: other } = await fetchAnswer(`${host.realm('master')}/.well-known/openid-configuration`);
  t.is(other, 200);
});

import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const BINDINGS = [
  'browserFlow',
  'registrationFlow',
  'directGrantFlow',
  'resetCredentialsFlow',
  'clientAuthenticationFlow',
  'dockerAuthenticationFlow',
  'firstBrokerLoginFlow',
];
const PASSWORD = { authenticator: 'auth-username-password-form', requirement: 'REQUIRED', priority: 10 };
const REALM: Partial<RealmRepresentation> = {
  ...Object.fromEntries(BINDINGS.map((key) => [key, 'own'])),
  authenticationFlows: [
    {
      id: 'own-id',
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
      authenticationExecutions: [
        PASSWORD,
        { flowAlias: 'asked', authenticatorFlow: true, requirement: 'CONDITIONAL', priority: 20 },
        { flowAlias: 'after', authenticatorFlow: true, requirement: 'CONDITIONAL', priority: 30 },
      ],
    },
    {
      id: 'asked-id',
      alias: 'asked',
      providerId: 'basic-flow',
      topLevel: false,
      builtIn: false,
      authenticationExecutions: [{ authenticator: 'conditional-user-configured', requirement: 'REQUIRED' }],
    },
    {
      id: 'after-id',
      alias: 'after',
      providerId: 'basic-flow',
      topLevel: false,
      builtIn: false,
      authenticationExecutions: [
        {
          authenticator: 'conditional-sub-flow-executed',
          requirement: 'REQUIRED',
          authenticatorConfig: 'looks',
        },
      ],
    },
    { id: 'other-id', alias: 'other', providerId: 'basic-flow', topLevel: true, builtIn: false },
  ],
  authenticatorConfig: [
    { id: 'looks-id', alias: 'looks', config: { flow_to_check: 'asked', check_result: 'executed' } },
  ],
  identityProviders: [
    {
      alias: 'first',
      providerId: 'oidc',
      firstBrokerLoginFlowAlias: 'own',
      postBrokerLoginFlowAlias: 'own',
      config: {
        clientId: 'a',
        clientSecret: 'b',
        authorizationUrl: 'https://idp.test/auth',
        tokenUrl: 'https://idp.test/token',
        issuer: 'https://idp.test',
        jwksUrl: 'https://idp.test/jwks',
      },
    },
  ],
  clientProfiles: {
    profiles: [
      { name: 'p', executors: [{ executor: 'auth-flow-enforcer', configuration: { 'auth-flow-alias': 'own' } }] },
    ],
  },
};

test('renamed flows: a flow is renamed with 204, and all references follow', async (t) => {
  const { host, call, realm, made } = await calledRealm(shared(), REALM);
  const byAlias = { browser: 'own', direct_grant: 'own' };
  await made('/clients', { clientId: 'by-alias', authenticationFlowBindingOverrides: byAlias });
  await made('/clients', { clientId: 'by-id', authenticationFlowBindingOverrides: { browser: 'own-id' } });
  const flow = `${realm}/authentication/flows/own-id`;
  const got = await call('PUT', flow, { ...(await call('GET', flow)).json, alias: 'new' });
  t.deepEqual([got.status, got.text], [204, '']);
  const representation = (await call('GET', realm)).json as Record<string, unknown>;
  for (const key of BINDINGS) t.is(representation[key], 'new', key);
  t.like((await call('GET', `${realm}/identity-provider/instances/first`)).json, {
    firstBrokerLoginFlowAlias: 'new',
    postBrokerLoginFlowAlias: 'new',
  });
  const kept = await host.realms.get(host.defaultRealm);
  t.deepEqual(kept?.clients.get('by-alias')?.flowOverrides, { browser: 'new', direct_grant: 'new' });
  t.deepEqual(kept?.clients.get('by-id')?.flowOverrides, { browser: 'own-id' });
  const { profiles } = (await call('GET', `${realm}/client-policies/profiles`)).json as unknown as {
    profiles: { executors: { configuration: object }[] }[];
  };
  t.deepEqual(profiles[0]?.executors[0]?.configuration, { 'auth-flow-alias': 'new' });

  const inner = await call('PUT', `${realm}/authentication/flows/asked-id`, { alias: 'asked anew' });
  t.is(inner.status, 204, inner.text);
  const steps = (await call('GET', `${realm}/authentication/flows/new/executions`)).json as unknown as {
    displayName: string;
  }[];
  t.true(steps.some(({ displayName }) => displayName === 'asked anew'));
  t.like((await call('GET', `${realm}/authentication/config/looks-id`)).json, {
    config: { flow_to_check: 'asked anew' },
  });
});

test('renamed flows: a flow keeps its name if the new one is invalid, in the words of Keycloak 26.7.3', async (t) => {
  const { call, realm } = await calledRealm(shared(), REALM);
  const rows: readonly (readonly [alias: string | null, status: number, answer: object])[] = [
    ['other', 409, { errorMessage: 'Flow alias name already exists' }],
    ['', 409, { errorMessage: 'Failed to update flow with empty alias name' }],
    [null, 409, { errorMessage: 'Failed to update flow with empty alias name' }],
    ['a/b', 400, { error: "Character '/' not allowed." }],
  ];
  for (const [alias, status, answer] of rows) {
    const got = await call('PUT', `${realm}/authentication/flows/own-id`, { alias });
    t.deepEqual([got.status, got.json], [status, answer], String(alias));
  }
  t.is((await call('GET', `${realm}/authentication/flows/own-id`)).json.alias, 'own');
});

test('renamed flows: a flow that an identity provider uses keeps its name', async (t) => {
  const { call, realm } = await calledRealm(shared(), REALM);
  const standard = Object.fromEntries(
    BINDINGS.map((key) => [key, key === 'firstBrokerLoginFlow' ? 'first broker login' : 'other']),
  );
  t.is(
    (await call('PUT', realm, { ...standard, browserFlow: 'browser', directGrantFlow: 'direct grant' })).status,
    204,
  );
  const got = await call('DELETE', `${realm}/authentication/flows/own-id`);
  t.is(got.status, 400);
  t.regex(got.text, /currently in use: the identity provider first/);
});

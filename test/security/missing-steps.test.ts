import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, inner, step } from '../helpers/weak-flows.js';

const shared = shareHost(test, administered({ realms: [] }));

/** Keycloak's authenticators that this host does not have. */
const STEPS = [
  'auth-spnego',
  'auth-x509-client-username-form',
  'direct-grant-auth-x509-username',
  'docker-http-basic-authenticator',
  'idp-add-organization-member',
  'organization',
];
/** An unknown provider that is named like Keycloak's conditions. */
const CONDITION = 'conditional-of-elsewhere';
const PASSWORD = 'auth-username-password-form';

/**
 * For each step, a flow with it after the password. For the condition, a flow in which it decides whether another step
 * is required.
 */
const FLOWS = {
  ...Object.fromEntries(
    STEPS.map((id) => [id, [flow(id, step(PASSWORD, 'REQUIRED'), step(id, 'REQUIRED', { priority: 20 }))]]),
  ),
  [CONDITION]: [
    flow(CONDITION, step(PASSWORD, 'ALTERNATIVE'), { ...inner('if', 'CONDITIONAL'), priority: 20 }),
    flow('if', step(CONDITION, 'REQUIRED'), step(PASSWORD, 'REQUIRED', { priority: 20 })),
  ],
};

function realmOf(name: string) {
  const realm = codeRealm(name, { providers: {}, authenticationFlows: Object.values(FLOWS).flat() });
  const clients = Object.keys(FLOWS).map((id) => ({
    clientId: id,
    publicClient: true,
    redirectUris: [CALLBACK],
    authenticationFlowBindingOverrides: { browser: id },
  }));
  return { ...realm, clients: [...(realm.clients ?? []), ...clients] };
}

test('T600 · missing steps: a step of Keycloak that the host does not have is stored, and nobody passes it', async (t) => {
  const host = await inRealm(shared(), realmOf);
  for (const id of Object.keys(FLOWS)) {
    const page = await signIn(new Browser(), codeRequest(host, { client_id: id }).url).catch(() => undefined);
    t.is(page?.location?.searchParams.get('code') ?? null, null, id);
  }
  const page = await signIn(new Browser(), codeRequest(host).url);
  t.truthy(page.location?.searchParams.get('code'), 'the flow without any');
});

test('T601 · missing steps: the Admin API accepts each, reports it, and a login by it alone fails', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, { providers: {} }));
  const call = await adminCaller(host);
  const base = `/realms/${host.defaultRealm}/authentication`;
  t.is((await call('POST', `${base}/flows`, { alias: 'all', providerId: 'basic-flow', topLevel: true })).status, 201);
  const listed = (await call('GET', `${base}/authenticator-providers`)).json as unknown as Record<string, string>[];
  for (const id of STEPS) {
    const added = await call('POST', `${base}/flows/all/executions/execution`, { provider: id });
    t.deepEqual([added.status, added.headers.get('keyhost-ignored')], [201, 'provider'], id);
    t.regex(listed.find((one) => one.id === id)?.description ?? '', /Keyhost does not support it/, id);
    const { status, json } = await call('GET', `${base}/config-description/${id}`);
    t.deepEqual([status, json.providerId], [200, id]);
  }
  const known = await call('POST', `${base}/flows/all/executions/execution`, { provider: PASSWORD });
  t.deepEqual([known.status, known.headers.get('keyhost-ignored')], [201, null]);
  t.is((await call('POST', `${base}/flows/all/executions/execution`, { provider: 'nothing' })).status, 400);
  const executions = (await call('GET', `${base}/flows/all/executions`)).json as unknown as { id: string }[];
  const [first] = executions;
  await call('PUT', `${base}/flows/all/executions`, { ...first, requirement: 'REQUIRED' });
  t.is((await call('PUT', `/realms/${host.defaultRealm}`, { browserFlow: 'all' })).status, 204);
  t.true(host.log.some(({ message }) => message.includes(`authenticator "${STEPS[0]}" not found`)));
  const { location } = await new Browser().open(codeRequest(host).url);
  t.is(location, undefined);
  const { providers } = (await call('GET', '/serverinfo')).json as unknown as {
    providers: Record<string, { providers: Record<string, { operationalInfo?: object }> }>;
  };
  for (const id of STEPS) {
    t.deepEqual(providers.authenticator?.providers[id]?.operationalInfo, { supported: 'false' }, id);
  }
});

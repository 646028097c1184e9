import test from 'ava';
import { ROOT } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { does, says, startPolicyPlugin, told } from '../helpers/policy-plugin.js';

for (const isolation of ['none', 'worker']) {
  test(`client policy plugins: an executor refuses clients, or corrects them, when they are created and changed (${isolation})`, async (t) => {
    const { host, call, ask, asked } = await startPolicyPlugin(t, isolation);
    const path = '/realms/demo/clients';
    const made = async (body: object) => {
      const answer = await call('POST', path, body);
      return { answer, id: answer.headers.get('location')?.split('/').pop() ?? '' };
    };
    const client = { consentRequired: true, fullScopeAllowed: false, attributes: { reviewed: 'yes' } };
    await ask([does({ client })], [says('yes')]);
    const { answer, id } = await made({ clientId: 'new', attributes: { colour: 'red' } });
    t.is(answer.status, 201, answer.text);
    t.like((await call('GET', `${path}/${id}`)).json, {
      ...client,
      attributes: { colour: 'red', reviewed: 'yes' },
    } as object);
    // Each is called once, and not again while the realm is locked.
    t.deepEqual(
      asked().map(({ who, input: { event, before, updater } }) => [who, event, before, updater?.context]),
      ['says', 'does'].map((who) => [who, 'REGISTER', undefined, 'ByAuthenticatedUser']),
    );
    t.is((await call('PUT', `${path}/${id}`, { description: 'x' })).status, 204);
    const [, update] = asked();
    t.like(update?.input, {
      event: 'UPDATE',
      client: { description: 'x' },
      before: { clientId: 'new', consentRequired: true },
    });
    t.is(update?.input.before?.description, undefined);

    await ask([does({ refuse: { error: 'invalid_client_metadata', description: 'Not reviewed.' } })]);
    t.is(told((await made({ clientId: 'other' })).answer), '400 invalid_client_metadata: Not reviewed.');
    t.is(told(await call('PUT', `${path}/${id}`, {})), '400 invalid_client_metadata: Not reviewed.');
    t.is((await call('POST', `${path}/${id}/client-secret`)).status, 200, 'a new secret is no change of the client');
    asked();

    await ask([does(null)]);
    const { json } = await call('POST', '/realms/demo/clients-initial-access', { count: 1, expiration: 0 });
    const registrations = `${host.realm('demo')}/clients-registrations/default`;
    const send = (method: string, url: string, token: unknown, body: object) =>
      fetchAnswer(url, {
        method,
        headers: { ...bearer(String(token)), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const registered = await send('POST', registrations, json.token, { redirectUris: ['https://x.test/cb'] });
    t.is(registered.status, 201, registered.text);
    const { clientId, registrationAccessToken } = registered.json as Record<string, string>;
    const changed = await send('PUT', `${registrations}/${clientId}`, registrationAccessToken, {
      clientId,
      name: 'New',
    });
    t.is(changed.status, 200, changed.text);
    t.deepEqual(
      asked().map(({ input: { event, client, updater } }) => [event, client.clientId, updater?.context]),
      [
        ['REGISTER', clientId, 'ByInitialAccessToken'],
        ['UPDATE', clientId, 'ByRegistrationAccessToken'],
      ],
    );
  });
}

test('client policy plugins: a client that has changed meanwhile is checked again', async (t) => {
  const { call, ask, asked } = await startPolicyPlugin(t);
  await ask([does(null)]);
  const created = await call('POST', '/realms/demo/clients', { clientId: 'new' });
  const path = `/realms/demo/clients/${created.headers.get('location')?.split('/').pop()}`;
  asked();
  const names = ['a', 'b', 'c'];
  const changes = await Promise.all(names.map((name) => call('PUT', path, { attributes: { [name]: 'x' } })));
  t.deepEqual(
    changes.map(({ status }) => status),
    [204, 204, 204],
  );
  const judged = asked().map(({ input: { client } }) => names.filter((name) => name in client.attributes).length);
  t.true(judged.includes(3), 'the last one is judged with what the others have done');
  const { attributes } = (await call('GET', path)).json as unknown as { attributes: object };
  t.true(names.every((name) => name in attributes));
});

test('client policy plugins: no edit of a realm waits for a plugin that checks a client, even if it is called again', async (t) => {
  const { call, ask } = await startPolicyPlugin(t);
  await ask([does('gated')]);
  const created = await call('POST', '/realms/demo/clients', { clientId: 'new' });
  const path = `/realms/demo/clients/${created.headers.get('location')?.split('/').pop()}`;
  const scopes = (await call('GET', '/realms/demo/client-scopes')).json as unknown as { id: string; name: string }[];
  const scope = scopes.find(({ name }) => name === 'phone')?.id;
  const gates = [gate(), gate()];
  let count = 0;
  const asked = async () => {
    const { arrive, opened } = gates[count++] ?? gate();
    arrive();
    await opened;
  };
  Object.assign(globalThis, { policyGate: asked });
  t.teardown(() => Reflect.deleteProperty(globalThis, 'policyGate'));
  const changing = call('PUT', path, { attributes: { colour: 'red' } });
  await gates[0]?.arrived;
  t.is((await call('PUT', `${path}/default-client-scopes/${scope}`)).status, 204, 'the client becomes another one');
  gates[0]?.open();
  await gates[1]?.arrived;
  t.is((await call('PUT', '/realms/demo', { displayName: 'Edited' })).status, 204);
  gates[1]?.open();
  t.is((await changing).status, 204);
  t.is(count, 2, 'what changes nothing of the client is no question');
  t.like((await call('GET', path)).json, { attributes: { colour: 'red' } } as object);
});

test('client policy plugins: a client that gets a salt for its subjects is checked once', async (t) => {
  const { host, call, ask, asked } = await startPolicyPlugin(t);
  await ask([does(null)]);
  const pairwise = { name: 'pairwise', protocolMapper: 'oidc-sha256-pairwise-sub-mapper', config: {} };
  const made = await call('POST', '/realms/demo/clients', {
    clientId: 'new',
    redirectUris: ['https://x.test/cb'],
    protocolMappers: [pairwise],
  });
  t.is(made.status, 201, made.text);
  t.is(asked().length, 1);
  const { json } = await call('POST', '/realms/demo/clients-initial-access', { count: 1, expiration: 0 });
  const registered = await fetchAnswer(`${host.realm('demo')}/clients-registrations/openid-connect`, {
    method: 'POST',
    headers: { ...bearer(String(json.token)), 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://x.test/cb'], subject_type: 'pairwise' }),
  });
  t.is(registered.status, 201, registered.text);
  t.is(asked().length, 1);
});

test('client policy plugins: admins see conditions and executors beside the built-in ones, in their language, and their settings are checked', async (t) => {
  const { host, call, asked } = await startPolicyPlugin(t);
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const headers = { ...bearer(json.access_token ?? ''), 'accept-language': 'de' };
  const info = (await fetchAnswer(`${host.url}/admin/serverinfo`, { headers })).json as unknown as {
    componentTypes: Record<string, { id: string; helpText: string; properties: { name: string; label: string }[] }[]>;
    providers: Record<string, { providers: Record<string, { operationalInfo?: object }> }>;
  };
  const of = (kind: string) =>
    info.componentTypes[
      `org.keycloak.services.clientpolicy.${kind}.ClientPolicy${kind[0]?.toUpperCase()}${kind.slice(1)}Provider`
    ] ?? [];
  const condition = of('condition');
  const executor = of('executor');
  t.deepEqual(
    condition.slice(0, 2).map(({ id }) => id),
    ['acr-condition', 'any-client'],
  );
  t.like(
    condition.find(({ id }) => id === 'says'),
    { helpText: 'Was sie sagt' },
  );
  t.deepEqual(
    condition.find(({ id }) => id === 'says')?.properties.map(({ name, label }) => [name, label]),
    [
      ['is-negative-logic', 'Negative Logic'],
      ['answer', 'Was sie sagt'],
    ],
  );
  t.deepEqual(
    executor.find(({ id }) => id === 'does')?.properties.map(({ name }) => name),
    ['answer', 'times', 'flags'],
  );
  const listed = info.providers['client-policy-condition']?.providers;
  t.deepEqual(
    [listed?.says?.operationalInfo !== undefined, listed?.['any-client']?.operationalInfo],
    [true, undefined],
  );

  const put = async (...policy: Parameters<typeof onePolicy>) => {
    const { status, json: answer, text } = await call('PUT', '/realms/demo', onePolicy(...policy));
    return status === 204 ? '' : `${status} ${(answer as Record<string, string>).errorMessage ?? text}`;
  };
  t.is(
    await put([['does', { answer: 'null', times: '3', flags: 'one' }]], [says('yes', { 'is-negative-logic': 'true' })]),
    '',
  );
  t.is(await put([['does']], [says('yes')]), '', 'what has a default need not be said');
  await call('POST', '/realms/demo/clients', { clientId: 'new' });
  t.deepEqual(
    asked().map(({ input }) => input.config),
    [{ answer: '"yes"' }, { answer: 'null' }],
  );
  t.regex(
    await put([['does', { times: 'three' }]]),
    /400 .*clientProfiles\.profiles\.executors\.configuration\.times: must be an integer/,
  );
  t.regex(await put([['does', { ansver: 'x' }]]), /configuration\.ansver.*unknown key.*did you mean "answer"/);
  t.regex(await put([['does', { 'is-negative-logic': true }]]), /configuration\.is-negative-logic.*unknown key/);
  t.regex(await put([does(null)], [['says', {}]]), /clientPolicies\.policies\.conditions\.configuration.*answer/);
  t.regex(await put([does(null)], [['sayz', {}]]), /condition "sayz" is not supported \(did you mean "says"\?\)/);
  t.regex(await put([['dose', {}]]), /executor "dose" is not supported \(did you mean "does"\?\)/);
});

/** A gate: its visitor calls `arrive` and awaits `opened`; the test awaits `arrived` and calls `open`. */
function gate() {
  let arrive = () => {};
  let open = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { arrive, arrived, open, opened };
}

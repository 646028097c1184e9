import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer, generate, logIn } from '../helpers/login.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, administered({ realms: [testRealm('demo')] }));
const HALF = /half of a surrogate pair/;
const JSON_TYPE = { 'content-type': 'application/json' };

test('T534 · lone surrogates: one in a body is 400 with its place, at every endpoint that reads JSON', async (t) => {
  const call = await adminCaller(host());
  const account = await logIn(host());
  const initial = (await call('POST', '/realms/demo/clients-initial-access', { count: 10 })).json.token ?? '';
  for (const half of ['\\ud800', '\\uDFFF', 'a\\udc00b', '\\ud83d\\u0020', '\\ude00\\ud83d']) {
    const answers = {
      username: await call('POST', '/realms/demo/users', `{"username":"${half}"}`),
      'attributes.a.1': await call('POST', '/realms/demo/users', `{"username":"u","attributes":{"a":["b","${half}"]}}`),
      clientId: await call('POST', '/realms/demo/clients', `{"clientId":"${half}"}`),
      'attributes.': await call('POST', '/realms/demo/clients', `{"clientId":"c","attributes":{"${half}":"x"}}`),
      name: await call('POST', '/realms/demo/roles', `{"name":"${half}"}`),
      'name ': await call('POST', '/realms/demo/groups', `{"name":"${half}"}`),
      'name holds': await call('POST', '/realms/demo/client-scopes', `{"name":"${half}"}`),
      displayName: await call('PUT', '/realms/demo', `{"displayName":"${half}"}`),
      realm: await call('POST', '/realms', `{"realm":"${half}"}`),
      'users.0.username': await call('POST', '/realms/demo/partialImport', `{"users":[{"username":"${half}"}]}`),
      redirect_uris: await fetchAnswer(`${host().realm('demo')}/clients-registrations/openid-connect`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...bearer(initial) },
        body: `{"client_name":"x","redirect_uris":["${half}"]}`,
      }),
      firstName: await fetchAnswer(`${host().realm('demo')}/account`, {
        method: 'POST',
        headers: { ...JSON_TYPE, accept: 'application/json', ...bearer(account.access_token) },
        body: `{"firstName":"${half}"}`,
      }),
      applicationId: await generate(host(), `{"userId":"${ALICE}","applicationId":"${half}"}`),
    };
    for (const [place, { status, text }] of Object.entries(answers)) {
      t.is(status, 400, `${place} ${half}: ${text}`);
      t.regex(text, HALF, place);
      t.true(text.includes(place.trim().replace(' holds', '')), `${place}: ${text}`);
    }
  }
  const whole = await call('PUT', '/realms/demo', '{"displayName":"\\ud83d\\ude00 \\\\ud800"}');
  t.is(whole.status, 204, 'a whole pair, and what only looks like a half');
  t.is((await call('GET', '/realms/demo/users?search=%EF%BF%BD')).text, '[]', 'nothing was stored in its place');
});

test('T535 · lone surrogates: one in a form, a query or a path is 400, and does not match another value', async (t) => {
  const call = await adminCaller(host());
  for (const half of ['%ED%A0%80', '%ED%BF%BF', '%FF', '%C3']) {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = [
      await fetchAnswer(`${host().oidc('demo')}/token`, {
        method: 'POST',
        headers: form,
        body: `grant_type=password&username=${half}`,
      }),
      await fetchAnswer(`${host().oidc('demo')}/auth?client_id=${half}&response_type=code`),
      await call('GET', `/realms/demo/users?username=${half}`),
      await call('GET', `/realms/demo/roles/${half}`),
      await call('GET', `/realms/demo/clients?clientId=a${half}`),
      await fetchAnswer(`${host().realm('demo')}/newsletter/generate-token?x=${half}`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: '{}',
      }),
    ];
    for (const [index, { status, text }] of answers.entries())
      t.is(status, 400, `${index} ${half}: ${text.slice(0, 200)}`);
  }
  t.is((await call('GET', '/realms/demo/users?search=100%25')).status, 200);
  const text = { 'content-type': 'text/plain' };
  const broken = new Uint8Array([0x61, 0xed, 0xa0, 0x80]);
  const token = await fetchAnswer(`${host().url}/admin/realms/demo/localization/en/a`, {
    method: 'PUT',
    headers: text,
    body: broken,
  });
  t.true([400, 401].includes(token.status));
});

test('T536 · lone surrogates: one in a realm file is a problem with line and column', async (t) => {
  const path = join(host().dir, 'half.json');
  const read = async (json: string) => {
    await writeFile(path, json);
    return readValidFiles(await realmFilesOf(path), host().use(FileChecks));
  };
  const error = await t.throwsAsync(
    read(
      '{ "realm": "half", "enabled": true,\n  "users": [{ "username": "a\\ud800" }],\n  "attributes": { "\\udc00": "x" } }',
    ),
  );
  const told = JSON.stringify((error as { problems?: unknown }).problems ?? error?.message);
  t.regex(told, HALF);
  t.regex(told, /users\[0\]\.username/);
  t.regex(told, /"line":2/);
  t.is((await read('{ "realm": "half", "enabled": true, "displayName": "\\ud83d\\ude00" }')).length, 1);
});

import test from 'ava';
import { adminCaller, clientUuid, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { fileState, states, writeRealm } from '../helpers/realm-files.js';
import { testRealm } from '../helpers/realms.js';

test('T332 · management port: it shows where a realm was edited, and no value', async (t) => {
  const realm = testRealm('demo', { displayName: 'In the file', users: [] });
  const host = await startAdministered(t, { realms: [realm] });
  const { managementUrl, managementSecret } = host;
  const root = await adminCaller(host);
  const smtpServer = {
    host: 'mail.internal.example',
    from: 'id@example.test',
    user: 'mailer',
    password: 'mail-secret',
  };
  t.is((await root('PUT', '/realms/demo', { displayName: 'Edited-value', smtpServer })).status, 204);
  const web = `/realms/demo/clients/${await clientUuid(host, 'web')}`;
  const redirectUris = ['http://127.0.0.1:9999/cb', 'https://internal.example/cb'];
  t.is((await root('PUT', web, { redirectUris, secret: 'another-secret' })).status, 204);
  t.is((await root('POST', '/realms/demo/clients', { clientId: 'added' })).status, 201);
  const ask = async (authorization?: string) =>
    (await fetchAnswer(`${managementUrl}/realms`, authorization === undefined ? {} : { headers: { authorization } }))
      .text;
  const values = /Edited-value|In the file|internal\.example|mailer|mail-secret|another-secret/;
  for (const authorization of [
    undefined,
    'Bearer',
    'Bearer wrong',
    `Basic ${managementSecret}`,
    `Bearer ${managementSecret}x`,
  ]) {
    const text = await ask(authorization);
    t.notRegex(text, values, authorization ?? 'no credentials');
    const [state] = JSON.parse(text) as { state: string; edits: string[] }[];
    t.is(state?.state, 'drifted');
    for (const name of ['displayName', 'client web: redirectUris', 'client web: secret', 'client added is created'])
      t.true(state?.edits.includes(name), `${name}: ${state?.edits}`);
  }
  const told = await ask(`Bearer ${managementSecret}`);
  t.regex(told, /displayName is .*Edited-value/);
  t.regex(told, /client web may redirect to https:\/\/internal\.example\/cb/);
  t.notRegex(told, /mail-secret|another-secret/);

  await writeRealm(host, { ...realm, displayName: 'File-value', defaultGroups: ['/no-such-value'] });
  await fileState(host, 'demo.json', ({ state }) => state === 'invalid');
  t.notRegex(await ask(), /no-such-value|File-value/);
  t.like((await states({ managementUrl }))['demo.json']?.problems[0], {
    path: 'defaultGroups[0]',
    message: 'is a mistake: see the log',
  });
  t.regex(await ask(`Bearer ${managementSecret}`), /no-such-value/);
  await writeRealm(host, { ...realm, displayName: 'File-value' });
  await fileState(host, 'demo.json', ({ state, conflicts }) => state === 'drifted' && conflicts.length > 0);
  const [state] = JSON.parse(await ask()) as { conflicts: string[] }[];
  t.deepEqual(state?.conflicts, ['displayName']);
});

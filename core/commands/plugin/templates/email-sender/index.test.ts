import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { EmailSender } from '@keyhost/spi';
import { conforms, type RealmClient, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

const ID = '__id__';

/** A stand-in for the service. */
async function startService(t: TestContext, status = 200) {
  const mails: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.headers.authorization === 'Bearer the-key') mails.push(JSON.parse(body));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { mails, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mails` };
}

/** Makes Keyhost send a link to alice, as an admin can. */
async function mailAlice(realm: RealmClient, url: string) {
  const token = await realm.token('dave');
  const users = `${url}/admin/realms/${realm.name}/users`;
  const [alice] = (await realm.fetch(`${users}?username=alice`, { token })).json as { id: string }[];
  const path = `${users}/${alice?.id}/execute-actions-email`;
  return realm.fetch(path, { method: 'PUT', token, json: ['UPDATE_PASSWORD'] });
}

const realmWith = (name: string, url: string) =>
  testRealm(name, {
    smtpServer: { from: 'shop@example.test' },
    providers: { emailSender: { [ID]: { enabled: true, config: { url, key: 'the-key' } } } },
  });

test('mails of the realm go to the service, and a refusal is told', async (t) => {
  const [service, refusing] = [await startService(t), await startService(t, 422)];
  const realms = [realmWith('good', service.url), realmWith('bad', refusing.url)];
  const host = await startHost(t, { plugins: [plugin], realms });
  assert.equal((await mailAlice(host.realm('good'), host.url)).status, 204);
  const [mail] = service.mails as { to: object; from: object; text: string }[];
  assert.deepEqual(mail?.to, { name: 'Alice Example', address: 'alice@example.test' });
  assert.deepEqual(mail?.from, { name: '', address: 'shop@example.test' });
  assert.match(mail?.text ?? '', /action-token\?key=/);
  assert.equal((await mailAlice(host.realm('bad'), host.url)).status, 500);
});

test('it keeps the rules of its SPI', async (t) => {
  const { url } = await startService(t);
  await conforms(t, EmailSender, plugin, { realmConfig: { [`emailSender/${ID}`]: { url, key: 'the-key' } } });
});

import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';

test('nodes, admin reads: an admin reads at any node what they have just changed at another one', async (t) => {
  const { nodes, front } = await startNodes(t, { ...administered(), count: 3, realms: [testRealm('demo')] });
  const [one, two, three] = await Promise.all(nodes.map((node) => adminCaller({ ...front, url: node.url })));
  if (one === undefined || two === undefined || three === undefined) return t.fail();
  // The request makes each node hold the realm in memory.
  for (const node of [one, two, three]) t.is((await node('GET', '/realms/demo')).status, 200);
  for (let round = 0; round < 5; round += 1) {
    const id = `app-${round}`;
    t.is((await one('POST', '/realms/demo/clients', { clientId: id, id })).status, 201);
    t.is((await two('GET', `/realms/demo/clients/${id}`)).status, 200, 'created');
    t.is((await two('POST', `/realms/demo/clients/${id}/roles`, { name: 'reader' })).status, 201);
    t.is((await three('GET', `/realms/demo/clients/${id}/roles/reader`)).status, 200, 'a role of it');
    t.is((await three('PUT', `/realms/demo/clients/${id}`, { clientId: id, description: 'new' })).status, 204);
    const { json } = await one('GET', `/realms/demo/clients/${id}`);
    t.is((json as { description?: string }).description, 'new');
    t.is((await one('DELETE', `/realms/demo/clients/${id}`)).status, 204);
    t.is((await two('GET', `/realms/demo/clients/${id}`)).status, 404, 'deleted');
    const realm = `realm-${round}`;
    t.is((await two('POST', '/realms', { realm, enabled: true })).status, 201);
    t.is((await three('GET', `/realms/${realm}`)).status, 200, 'a realm');
    t.is((await three('DELETE', `/realms/${realm}`)).status, 204);
    t.is((await one('GET', `/realms/${realm}`)).status, 404, 'a deleted realm');
  }
});

test('nodes, admin reads: a client reads, changes and removes itself at other nodes than it has registered at', async (t) => {
  const { nodes, front } = await startNodes(t, { ...administered(), count: 3, realms: [testRealm('demo')] });
  const admin = await adminCaller(front);
  const { json } = await admin('POST', '/realms/demo/clients-initial-access', { count: 3, expiration: 0 });
  const send = async (node: number, method: string, token: string | undefined, path = '', body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `${nodes[node]?.realm('demo')}/clients-registrations/openid-connect${path}`;
    return fetchAnswer(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  // The request makes each node hold the realm in memory.
  for (const node of nodes) t.is((await fetchAnswer(node.realm('demo'))).status, 200);
  for (let round = 0; round < 3; round += 1) {
    const sent = { redirect_uris: ['http://localhost/cb'] };
    const { status, json: made } = await send(0, 'POST', String(json.token), '', sent);
    t.is(status, 201);
    const path = `/${made.client_id}`;
    const read = await send(1, 'GET', made.registration_access_token, path);
    t.is(read.status, 200, 'registered');
    const token = read.json.registration_access_token ?? made.registration_access_token;
    const changed = await send(2, 'PUT', token, path, { ...sent, client_id: made.client_id, client_name: 'New' });
    t.is(changed.status, 200, 'changed');
    const next = changed.json.registration_access_token;
    t.like((await send(0, 'GET', next, path)).json, { client_name: 'New' });
    t.is((await send(1, 'DELETE', next, path)).status, 204);
    t.is((await send(2, 'GET', next, path)).status, 401, 'removed');
  }
});

test('nodes, admin reads: a client of a realm that was switched off or deleted at another node reads nothing', async (t) => {
  const realms = [testRealm('off'), testRealm('gone')];
  const { nodes, front } = await startNodes(t, { ...administered(), realms });
  const admin = await adminCaller(front);
  for (const [name, method, body, status] of [
    ['off', 'PUT', { enabled: false }, 403],
    ['gone', 'DELETE', undefined, 404],
  ] as const) {
    const { json: initial } = await admin('POST', `/realms/${name}/clients-initial-access`, {
      count: 1,
      expiration: 0,
    });
    const url = (node: number) => `${nodes[node]?.realm(name)}/clients-registrations/openid-connect`;
    const made = await fetchAnswer(url(0), {
      method: 'POST',
      headers: { authorization: `Bearer ${initial.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['http://localhost/cb'] }),
    });
    const headers = { authorization: `Bearer ${made.json.registration_access_token}` };
    const read = () => fetchAnswer(`${url(1)}/${made.json.client_id}`, { headers });
    t.is((await read()).status, 200);
    const atFirst = await adminCaller({ ...front, url: nodes[0]?.url ?? '' });
    t.is((await atFirst(method, `/realms/${name}`, body)).status, 204);
    t.is((await read()).status, status, name);
  }
});

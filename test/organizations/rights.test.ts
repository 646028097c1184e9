import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { REALM, started } from './started.js';

const RIGHTS = [
  'view-organization',
  'delete-organization',
  'manage-organization',
  'view-members',
  'manage-members',
  'view-roles',
  'manage-roles',
  'view-invitations',
  'manage-invitations',
];

test('organizations, rights: each role of an organization is one right, and a member without roles has none', async (t) => {
  const { as, ids, organization } = await started(t);
  const ada = as('ada');
  const bob = as('bob');
  const org = await organization('Acme');
  const user = (path: string) => `${org}${path}/${ids.carol}`;
  const calls: [string, string, unknown, string[]][] = [
    ['PUT', org, { name: 'Acme' }, ['manage-organization']],
    ['GET', `${org}/members`, undefined, ['view-members', 'manage-members']],
    ['GET', `${org}/members/count`, undefined, ['view-members', 'manage-members']],
    ['GET', user('/members'), undefined, ['view-members', 'manage-members']],
    ['PUT', user('/members'), undefined, ['manage-members']],
    ['DELETE', user('/members'), undefined, ['manage-members']],
    ['GET', `${org}/roles`, undefined, ['view-roles', 'manage-roles']],
    ['GET', `${org}/roles/view-roles`, undefined, ['view-roles', 'manage-roles']],
    ['GET', `${org}/roles/view-roles/users`, undefined, ['view-roles', 'manage-roles']],
    ['GET', user('/roles/view-roles/users'), undefined, ['view-roles', 'manage-roles']],
    ['GET', `/users/${ids.bob}${org}/roles`, undefined, ['view-roles', 'manage-roles']],
    ['POST', `${org}/roles`, { name: 'pilot' }, ['manage-roles']],
    ['PUT', `${org}/roles/pilot`, { name: 'pilot', description: 'Flies' }, ['manage-roles']],
    ['PUT', user('/roles/pilot/users'), undefined, ['manage-roles']],
    ['DELETE', user('/roles/pilot/users'), undefined, ['manage-roles']],
    ['DELETE', `${org}/roles/pilot`, undefined, ['manage-roles']],
    ['GET', `${org}/invitations`, undefined, ['view-invitations', 'manage-invitations']],
    ['GET', `${org}/invitations/count`, undefined, ['view-invitations', 'manage-invitations']],
    ['POST', `${org}/invitations`, { email: 'x@example.com' }, ['manage-invitations']],
    ['PUT', `${org}/invitations/none/resend-email`, undefined, ['manage-invitations']],
    ['DELETE', `${org}/invitations/none`, undefined, ['manage-invitations']],
    ['DELETE', org, undefined, ['delete-organization']],
  ];
  const refused = async () => {
    const all: boolean[] = [];
    for (const [method, path, body] of calls) all.push((await bob(method, path, body)).status === 403);
    return all;
  };
  t.deepEqual(
    await refused(),
    calls.map(() => true),
    'no member',
  );
  await ada('PUT', `${org}/members/${ids.bob}`);
  for (const right of [undefined, ...RIGHTS.filter((name) => name !== 'delete-organization'), 'delete-organization']) {
    const holds = `${org}/roles/${right}/users/${ids.bob}`;
    if (right !== undefined) t.is((await ada('PUT', holds)).status, 201);
    t.is((await bob('GET', org)).status, 200, 'members see their organization');
    await ada('PUT', user('/members'));
    t.deepEqual(
      await refused(),
      calls.map(([, , , rights]) => right === undefined || !rights.includes(right)),
      right,
    );
    if (right !== 'delete-organization') await ada('DELETE', holds);
  }
  t.is((await ada('GET', org)).status, 404);
});

test('organizations, rights: the roles of realm-management are rights in all organizations, and only of a token that shows them', async (t) => {
  const { as, ids, organization, token, host } = await started(t);
  const org = await organization('Acme');
  const status = async (username: string, method: string, path: string, body?: unknown) =>
    (await as(username)(method, path, body)).status;
  t.is(await status('viewer', 'GET', '/orgs/count'), 200);
  t.is(await status('viewer', 'GET', `${org}/members`), 200);
  t.is(await status('viewer', 'GET', `${org}/invitations`), 200);
  t.is(await status('viewer', 'PUT', org, { name: 'Mine' }), 403);
  t.is(await status('viewer', 'PUT', `${org}/members/${ids.viewer}`), 403);
  t.is(await status('viewer', 'POST', '/orgs', { name: 'Mine' }), 403);
  t.is(await status('bob', 'POST', '/orgs', { name: 'Mine' }), 403);
  t.is(await status('bob', 'GET', '/orgs/count'), 403);
  t.is(await status('bob', 'GET', org), 403);
  t.deepEqual((await as('bob')('GET', '/orgs')).json as unknown, []);
  t.is(await status('root', 'GET', org), 403, 'realm-admin does not contain them unless the realm says so');

  const made = await as('creator')('POST', '/orgs', { name: 'Own' });
  const own = new URL(made.headers.get('location') ?? '').pathname.replace(`/realms/${REALM}`, '');
  t.is(await status('creator', 'PUT', own, { name: 'Own two' }), 204);
  t.is(await status('creator', 'GET', org), 403);
  t.is(await status('creator', 'GET', '/orgs/count'), 403);

  const get = (path: string, bearer?: string) =>
    fetchAnswer(
      `${host.realm(REALM)}${path}`,
      bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } },
    );
  t.is((await get('/orgs')).status, 401);
  t.is((await get(org, 'nonsense')).status, 401);
  t.is((await get(org, await token('ada', {}, 'other'))).status, 401, 'of another realm');
  t.is((await get(org, await token('ada', { client_id: 'narrow' }))).status, 403, 'of a client without these roles');

  const abroad = await fetchAnswer(`${host.realm('other')}${org}`, {
    headers: { authorization: `Bearer ${await token('ada', {}, 'other')}` },
  });
  t.is(abroad.status, 404, 'the organization is not of that realm');
});

test('organizations, rights: a realm can ask for a scope', async (t) => {
  const { host, token } = await started(t, { config: { scope: 'phone' } });
  const get = async (scope: string) =>
    (
      await fetchAnswer(`${host.realm(REALM)}/orgs`, {
        headers: { authorization: `Bearer ${await token('ada', { scope })}` },
      })
    ).status;
  t.is(await get('openid'), 403);
  t.is(await get('openid phone'), 200);
});

test('organizations, rights: nobody assigns or removes a right that they do not hold', async (t) => {
  const { as, ids, organization } = await started(t);
  const ada = as('ada');
  const org = await organization('Acme');
  const grant = (role: string, name: string) => ada('PUT', `${org}/roles/${role}/users/${ids[name]}`);
  for (const name of ['bob', 'carol', 'dave']) await ada('PUT', `${org}/members/${ids[name]}`);
  for (const role of ['manage-roles', 'manage-members', 'manage-invitations']) await grant(role, 'bob');
  await grant('manage-invitations', 'dave');
  await grant('delete-organization', 'carol');
  await ada('POST', `${org}/roles`, { name: 'pilot' });
  const statuses: [string, string, string, unknown, number][] = [
    ['bob', 'PUT', `/roles/delete-organization/users/${ids.bob}`, undefined, 403],
    ['bob', 'PUT', `/roles/delete-organization/users/${ids.dave}`, undefined, 403],
    ['bob', 'DELETE', `/roles/delete-organization/users/${ids.carol}`, undefined, 403],
    ['bob', 'DELETE', `/members/${ids.carol}`, undefined, 403],
    ['bob', 'POST', '/invitations', { email: 'b@example.com', roles: ['delete-organization'] }, 403],
    ['bob', 'POST', '/invitations', { email: 'b@example.com', inviterId: ids.ada }, 403],
    ['bob', 'DELETE', '/roles/manage-roles', undefined, 400],
    ['bob', 'PUT', `/roles/manage-members/users/${ids.dave}`, undefined, 201],
    ['bob', 'PUT', `/roles/pilot/users/${ids.bob}`, undefined, 201],
    ['bob', 'PUT', `/roles/pilot/users/${ids.erin}`, undefined, 400],
    ['bob', 'PUT', '/roles/pilot/users/nobody', undefined, 404],
    ['bob', 'PUT', `/roles/none/users/${ids.bob}`, undefined, 404],
    ['bob', 'POST', '/invitations', { email: 'b@example.com', roles: ['pilot', 'manage-members'] }, 201],
    ['dave', 'POST', '/invitations', { email: 'd@example.com', roles: ['pilot'] }, 403],
    ['dave', 'POST', '/invitations', { email: 'd@example.com', roles: ['none'] }, 400],
    ['dave', 'POST', '/invitations', { email: 'd@example.com', roles: ['manage-invitations'] }, 201],
    ['carol', 'DELETE', `/members/${ids.carol}`, undefined, 204],
    ['carol', 'DELETE', `/members/${ids.carol}`, undefined, 403],
    ['ada', 'POST', '/roles', { name: 'pilot' }, 409],
    ['ada', 'PUT', '/roles/pilot', { name: 'other' }, 400],
    ['ada', 'DELETE', '/roles/pilot', undefined, 204],
    ['ada', 'POST', '/roles', { name: 'pilot' }, 201],
    ['ada', 'GET', `/roles/pilot/users/${ids.bob}`, undefined, 404],
    ['ada', 'DELETE', `/members/${ids.erin}`, undefined, 404],
    ['ada', 'PUT', '/members/nobody', undefined, 404],
    ['ada', 'POST', '/roles', { name: 'a\nb' }, 400],
  ];
  for (const [name, method, path, body, wanted] of statuses) {
    const { status, text } = await as(name)(method, `${org}${path}`, body);
    t.is(status, wanted, `${name} ${method} ${path}: ${text}`);
  }
});

for (const listens of [true, false]) {
  const when = listens ? 'at once' : 'by the daily run, where the realm has no listener';
  test(`organizations, rights: an erased user leaves no membership behind, ${when}`, async (t) => {
    const { as, ids, organization, host, token, clock } = await started(t, { listens });
    const ada = as('ada');
    const org = await organization('Acme');
    for (const name of ['bob', 'carol']) await ada('PUT', `${org}/members/${ids[name]}`);
    const headers = { authorization: `Bearer ${await token('root')}` };
    const erased = await fetch(`${host.url}/admin/realms/${REALM}/users/${ids.bob}`, { method: 'DELETE', headers });
    t.is(erased.status, 204);
    t.is((await ada('GET', `${org}/members/count`)).text, '1');
    const left = async (name: string) => {
      const place = { realm: REALM, namespace: '@keyhost/organizations', prefix: '', first: 0, max: 1000 };
      const entries = await host.store.entries.list({ ...place, now: clock.now() });
      return entries.filter(({ key }) => key.includes(ids[name] ?? '-')).length;
    };
    await eventually(async () => {
      if (!listens) clock.forward(3600);
      return (await left('bob')) === 0;
    });
    t.is(await left('carol'), 2);
    if (!listens) return;
    t.is((await ada('GET', `${org}/members/${ids.bob}`)).status, 404);
    t.is((await ada('PUT', `${org}/members/${ids.bob}`)).status, 404);
  });
}

import test from 'ava';
import { started } from '../organizations/started.js';

for (const isolation of ['none', 'worker']) {
  test(`T815 · organization members: a manager of an organization adds no user by an ID, and so reads no name and no address (${isolation})`, async (t) => {
    const { as, ids, organization } = await started(t, { isolation });
    const ada = as('ada');
    const bob = as('bob');
    const creator = as('creator');
    const org = await organization('Acme');
    t.is((await ada('PUT', `${org}/members/${ids.bob}`)).status, 201, 'who manages all organizations');
    for (const right of ['manage-members', 'manage-roles', 'manage-invitations', 'manage-organization']) {
      t.is((await ada('PUT', `${org}/roles/${right}/users/${ids.bob}`)).status, 201);
    }
    const refused = await bob('PUT', `${org}/members/${ids.carol}`);
    t.is(refused.status, 403);
    t.regex(refused.text, /Invite the user, or use the role manage-organizations/);
    t.is((await bob('PUT', `${org}/members/nobody`)).status, 403, 'nor learns which users there are');
    t.is((await bob('PUT', `${org}/members/${ids.bob}`)).status, 201, 'a member is one already');
    t.notRegex((await bob('GET', `${org}/members`)).text, /carol/);
    t.is((await bob('PUT', `${org}/roles/manage-members/users/${ids.carol}`)).status, 400);
    t.deepEqual(JSON.parse((await bob('GET', `/users/${ids.carol}/orgs`)).text), []);
    t.deepEqual(JSON.parse((await bob('GET', '/users/nobody/orgs')).text), []);

    const made = await creator('POST', '/orgs', { name: 'Own' });
    t.is(made.status, 201);
    const own = new URL(made.headers.get('location') ?? '').pathname.replace(/^\/realms\/[^/]+/, '');
    t.is((await creator('PUT', `${own}/members/${ids.carol}`)).status, 403, 'with all rights of an own organization');
    const invited = await creator('POST', `${own}/invitations`, { email: 'carol@example.com', roles: [] });
    t.is(invited.status, 201);
    t.notRegex((await creator('GET', `${own}/members`)).text, /carol/);
    const [{ id }] = JSON.parse((await as('carol')('GET', '/orgs/me/invitations')).text) as [{ id: string }];
    t.is((await as('carol')('POST', `/orgs/me/invitations/${id}`)).status, 204);
    t.regex((await creator('GET', `${own}/members`)).text, /carol@example\.com/, 'who has accepted');
  });
}

test('T816 · organization members: members without the right to view members learn no memberships through users', async (t) => {
  const { as, ids, organization } = await started(t);
  const ada = as('ada');
  const org = await organization('Acme');
  for (const name of ['bob', 'carol']) await ada('PUT', `${org}/members/${ids[name]}`);
  const namesOf = async (caller: string, user: string) =>
    (JSON.parse((await as(caller)('GET', `/users/${ids[user]}/orgs`)).text) as { name: string }[]).map(
      ({ name }) => name,
    );
  t.deepEqual(await namesOf('bob', 'bob'), ['Acme']);
  t.deepEqual(await namesOf('bob', 'carol'), []);
  t.deepEqual(await namesOf('viewer', 'carol'), ['Acme']);
  await ada('PUT', `${org}/roles/view-members/users/${ids.bob}`);
  t.deepEqual(await namesOf('bob', 'carol'), ['Acme']);
});

import test from 'ava';
import { claimsOf } from '../helpers/host.js';
import { REALM, started } from './started.js';

for (const isolation of ['none', 'worker']) {
  test(`organizations: an organization with a member, a role and the claim of a token (${isolation})`, async (t) => {
    const { as, ids, organization, token, host } = await started(t, { isolation });
    const ada = as('ada');
    const org = await organization('Acme', {
      displayName: 'Acme Ltd',
      url: 'https://acme.example',
      domains: ['Acme.example'],
    });
    const id = org.slice('/orgs/'.length);
    const own = {
      id,
      name: 'Acme',
      displayName: 'Acme Ltd',
      url: 'https://acme.example',
      domains: ['acme.example'],
      attributes: {},
      realm: REALM,
    };
    t.deepEqual((await ada('GET', org)).json as object, own);
    t.deepEqual((await ada('GET', '/orgs?search=ACM')).json as unknown, [own]);

    t.is((await ada('PUT', `${org}/members/${ids.bob}`)).status, 201);
    t.is((await ada('POST', `${org}/roles`, { name: 'pilot', description: 'Flies' })).status, 201);
    t.is((await ada('PUT', `${org}/roles/pilot/users/${ids.bob}`)).status, 201);
    t.is((await ada('PUT', `${org}/roles/view-members/users/${ids.bob}`)).status, 201);
    const claim = { [id]: { name: 'Acme', roles: ['view-members', 'pilot'] } };
    t.deepEqual(claimsOf(await token('bob')).organizations as unknown, claim);
    t.deepEqual(claimsOf(await token('carol')).organizations as unknown, {});
    t.deepEqual((await as('bob')('GET', `/users/${ids.bob}/orgs`)).json as unknown, [own]);
    t.like((await as('bob')('GET', '/orgs/me')).json as object, {
      [id]: { name: 'Acme', roles: ['view-members', 'pilot'] },
    });

    const [member] = (await as('bob')('GET', `${org}/members?includeOrgs=true`)).json as unknown as [
      { username: string; organizations: Record<string, { name: string }[]> },
    ];
    t.is(member.username, 'bob');
    t.deepEqual(
      member.organizations[id]?.map(({ name }) => name),
      ['view-members', 'pilot'],
    );

    t.is((await ada('DELETE', org)).status, 204);
    t.is((await ada('GET', org)).status, 404);
    t.deepEqual(claimsOf(await token('bob')).organizations as unknown, {});
    const told = (await host.stored(REALM)).map(({ type }) => type).filter((type) => /ORG/.test(type));
    t.deepEqual(told.sort(), [
      'CREATE_ORGANIZATION',
      'CREATE_ORGANIZATION_MEMBERSHIP',
      'CREATE_ORGANIZATION_ROLE',
      'CREATE_ORGANIZATION_ROLE_MAPPING',
      'CREATE_ORGANIZATION_ROLE_MAPPING',
      'DELETE_ORGANIZATION',
    ]);
  });
}

test('organizations: organizations are listed, searched, counted, changed and deleted; bad input is refused', async (t) => {
  const { as, organization } = await started(t);
  const ada = as('ada');
  const odd = ['Müller & Söhne <b>"x"</b>', '../../etc', 'a/b?c#d%2e', '日本 🚀', '__proto__', "{0} '' {1}"];
  for (const name of odd) {
    const org = await organization(name);
    t.is((await ada('GET', org)).json.name as unknown, name);
    const found = (await ada('GET', `/orgs?search=${encodeURIComponent(name)}`)).json as unknown as { name: string }[];
    t.deepEqual(
      found.map((one) => one.name),
      [name],
    );
  }
  t.is((await ada('GET', '/orgs/count')).text, String(odd.length));
  t.is((await ada('GET', '/orgs/count?search=zzz')).text, '0');

  const acme = await organization('Acme', { attributes: { tier: ['gold'], 'a b': ['c d'] } });
  const named = async (query: string) =>
    ((await ada('GET', `/orgs?${query}`)).json as unknown as { name: string }[]).map(({ name }) => name);
  t.deepEqual(await named('q=tier:gold'), ['Acme']);
  t.deepEqual(await named(`q=${encodeURIComponent('tier:gold "a b":"c d"')}`), ['Acme']);
  t.deepEqual(await named('q=tier:silver'), []);
  const all = await named('');
  t.is(all.length, odd.length + 1);
  t.deepEqual([...(await named('first=0&max=3')), ...(await named('first=3&max=3')), ...(await named('first=6'))], all);

  for (const [path, body, told] of [
    ['/orgs', { name: 'a\0b' }, 'name must be one line of text'],
    ['/orgs', { name: 'x'.repeat(256) }, 'name must have at most 255 characters'],
    [`${acme}/invitations`, { email: 'nobody' }, 'email must be an email address'],
  ] as const) {
    t.is((await ada('POST', path, body)).json.error_description as unknown, `Invalid request: ${told}`);
  }
  t.is((await ada('POST', '/orgs', { name: 'aCME' })).status, 409);
  const id = acme.slice('/orgs/'.length);
  t.is((await ada('POST', '/orgs', { name: 'New', id })).status, 409);
  t.is(
    (await ada('POST', '/orgs', { name: 'New', id: 'chosen' })).headers.get('location')?.endsWith('/orgs/chosen'),
    true,
  );
  t.is((await ada('PUT', acme, { name: 'New' })).status, 409);
  t.is((await ada('PUT', acme, { name: 'Acme two', displayName: null })).status, 204);
  t.like((await ada('GET', acme)).json as object, { name: 'Acme two', attributes: {} });
  t.deepEqual(await named('search=acme'), ['Acme two']);
  await organization('Acme');
  t.is((await ada('DELETE', acme)).status, 204);
  await organization('Acme two');

  const wrong = { name: 'Wrong' };
  const bad: [string, string, unknown?][] = [
    ['POST', '/orgs', {}],
    ['POST', '/orgs', []],
    ['POST', '/orgs', { name: '' }],
    ['POST', '/orgs', { name: '  ' }],
    ['POST', '/orgs', { name: 'a\nb' }],
    ['POST', '/orgs', { name: 'a\u0000' }],
    ['POST', '/orgs', { name: '\ud800' }],
    ['POST', '/orgs', { name: 'x'.repeat(256) }],
    ['POST', '/orgs', { name: 7 }],
    ['POST', '/orgs', { ...wrong, more: true }],
    ['POST', '/orgs', { ...wrong, id: '../x' }],
    ['POST', '/orgs', { ...wrong, url: 'javascript:alert(1)' }],
    ['POST', '/orgs', { ...wrong, domains: ['no domain'] }],
    ['POST', '/orgs', { ...wrong, attributes: { a: 'b' } }],
    ['POST', '/orgs', { ...wrong, realm: 'other' }],
    ['GET', '/orgs?first=-1'],
    ['GET', '/orgs?max=0'],
    ['GET', '/orgs?max=1001'],
    ['GET', '/orgs?max=many'],
    ['GET', '/orgs?q=tier'],
  ];
  for (const [method, path, body] of bad) {
    const { status, text } = await ada(method, path, body);
    t.is(status, 400, `${method} ${path} ${JSON.stringify(body)}: ${text}`);
  }
  for (const path of ['/orgs/nothing', '/orgs/%2e%2e%2fchosen', '/orgs/chosen%00', `/users/nobody/orgs`]) {
    t.is((await ada('GET', path)).status, 404, path);
  }
});

test('organizations: parallel changes lose nothing', async (t) => {
  const { as, ids, organization } = await started(t);
  const ada = as('ada');
  const statuses = async (calls: Promise<{ status: number }>[]) =>
    (await Promise.all(calls)).map(({ status }) => status).sort();
  const ten = Array.from({ length: 10 }, (_, index) => index);

  const made = await statuses(ten.map(() => ada('POST', '/orgs', { name: 'One' })));
  t.deepEqual(made, [201, ...ten.slice(1).map(() => 409)]);

  const org = await organization('Two');
  t.deepEqual([...new Set(await statuses(ten.map((n) => ada('POST', `${org}/roles`, { name: `role ${n}` }))))], [201]);
  await statuses([ada('PUT', `${org}/members/${ids.bob}`), ada('PUT', `${org}/members/${ids.bob}`)]);
  await statuses(ten.map((n) => ada('PUT', `${org}/roles/role%20${n}/users/${ids.bob}`)));
  const roles = (await ada('GET', `/users/${ids.bob}/orgs${org.slice('/orgs'.length)}/roles`))
    .json as unknown as object[];
  t.is(roles.length, 10);
  t.is((await ada('GET', `${org}/members/count`)).text, '1');

  const { headers } = await ada('GET', org);
  const change = (name: string) => ada('PUT', org, { name }, { 'if-match': headers.get('etag') ?? '' });
  t.deepEqual(await statuses([change('Three'), change('Four')]), [204, 412]);
  const [deleted] = await Promise.all([ada('DELETE', org), ada('PUT', `${org}/members/${ids.carol}`)]);
  t.is(deleted.status, 204);
  t.deepEqual((await ada('GET', `/users/${ids.carol}/orgs`)).json as unknown, []);
});

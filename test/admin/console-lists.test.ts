import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { logIn, WEB2 } from '../helpers/login.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('Keycloak’s console: the lists of users and sessions have the members that it shows', async (t) => {
  const { host } = await ownRealm(shared(), { bruteForceProtected: true });
  const call = await adminCaller(host);
  const get = async (path: string) => {
    const answer = await call('GET', `/realms/${host.defaultRealm}/ui-ext/${path}`);
    t.is(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  };
  t.deepEqual(await get('info'), { userProfileProvidersEnabled: false });
  const wrong = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'wrong' };
  await host.token(host.defaultRealm, wrong);
  const users = await get('brute-force-user?briefRepresentation=true&first=0&max=11&search=ali');
  t.is(users.length, 1);
  t.like(users[0], {
    id: idIn(host.defaultRealm),
    username: 'alice',
    bruteForceStatus: { numFailures: 1, disabled: false },
  });
  await logIn(host, { scope: 'openid offline_access' });
  await logIn(host, WEB2);
  await logIn(host, { username: 'dave', password: 'Dave-pass-1!' });
  const shown = async (path: string) =>
    (await get(path))
      .map(({ username, type, clients }: { username: string; type: string; clients: object }) =>
        [username, type, Object.values(clients)].join(' '),
      )
      .sort();
  const all = ['alice OFFLINE web', 'alice REGULAR web2', 'dave REGULAR web'];
  t.deepEqual(await shown('sessions?first=0&max=11&type=ALL&search='), all);
  t.deepEqual(await shown('sessions?type=OFFLINE'), all.slice(0, 1));
  t.deepEqual(await shown('sessions?search=lic&type=REGULAR'), all.slice(1, 2));
  t.is((await shown('sessions?search=lic&first=1')).length, 1);
  const web = (await host.realms.get(host.defaultRealm))?.clients.get('web')?.id;
  t.deepEqual(await shown(`sessions/client?type=ALL&clientId=${web}&search=`), [all[0], all[2]]);
  t.is((await call('GET', `/realms/${host.defaultRealm}/ui-ext/sessions/client?clientId=none`)).status, 404);
  const alice = await adminCaller(host, { realm: host.defaultRealm, username: 'alice', password: 'Alice-pass-1!' });
  for (const path of ['info', 'brute-force-user', 'sessions', `sessions/client?clientId=${web}`]) {
    t.is((await alice('GET', `/realms/${host.defaultRealm}/ui-ext/${path}`)).status, 403, path);
  }
});

test('Keycloak’s console: settings and user profile are saved in one change, or neither', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const profile = (await call('GET', `/realms/${host.defaultRealm}/users/profile`)).json as unknown as {
    attributes: object[];
  };
  const realm = (await call('GET', `/realms/${host.defaultRealm}`)).json as object;
  const upConfig = { ...profile, attributes: [...profile.attributes, { name: 'shoeSize' }] };
  const saved = await call('PUT', `/realms/${host.defaultRealm}/ui-ext`, { ...realm, displayName: 'Shoes', upConfig });
  t.is(saved.status, 204, saved.text);
  t.is((await call('GET', `/realms/${host.defaultRealm}`)).json.displayName, 'Shoes');
  t.regex((await call('GET', `/realms/${host.defaultRealm}/users/profile`)).text, /shoeSize/);
  const broken = { ...profile, attributes: [{ name: 'a b' }] };
  t.is(
    (await call('PUT', `/realms/${host.defaultRealm}/ui-ext`, { displayName: 'Hats', upConfig: broken })).status,
    400,
  );
  t.is((await call('GET', `/realms/${host.defaultRealm}`)).json.displayName, 'Shoes');
  const smtpServer = { host: 'mail.example.test', from: 'a@example.test' };
  t.is((await call('PUT', `/realms/${host.defaultRealm}/ui-ext`, { realm: 'other', smtpServer })).status, 400);
});

import test from 'ava';
import type { UserRepresentation } from '../../core/model/representation.js';
import { ROOT, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { shownRealm } from '../helpers/shown-realm.js';

/** Hashes of other libraries, of the password `U*U` or of none. */
const VECTORS: readonly [name: string, value: string, password: string, isRight: boolean][] = [
  ['openwall', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U', true],
  ['openwall2', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK', 'U*U*', true],
  ['empty', '$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkY8jIucDrjc8deX1s.', '', false],
  ['cut', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.', 'U*U', false],
  ['faulty', '$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U', false],
  ['dear', '$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', 'U*U', false],
];

function user(username: string, value: string): UserRepresentation {
  const credentialData = JSON.stringify({ algorithm: 'bcrypt', hashIterations: 5 });
  const credential = { type: 'password', secretData: JSON.stringify({ value, salt: '' }), credentialData };
  return { username, enabled: true, credentials: [credential] };
}

for (const isolation of ['none', 'worker']) {
  test(`bcrypt: hashes of another system sign in, and are replaced as the realm’s policy says (${isolation})`, async (t) => {
    const realm = await shownRealm('bcrypt');
    const users = [...(realm.users ?? []), ...VECTORS.map(([name, value]) => user(name, value))];
    const staying = {
      ...realm,
      realm: 'staying',
      passwordPolicy: 'hashAlgorithm(bcrypt) and hashIterations(4)',
      users,
    };
    const host = await startAdministered(t, {
      realms: [{ ...realm, users }, staying],
      plugins: [{ module: '@keyhost/bcrypt', isolation }],
    });
    const login = (name: string, username: string, password: string) =>
      host.token(name, { client_id: 'app', grant_type: 'password', username, password });
    const stored = async (name: string, username: string) => {
      const [password] = (await host.store.users.byUsername(name, username))?.representation.credentials ?? [];
      const { algorithm } = JSON.parse(password?.credentialData ?? '{}') as { algorithm?: string };
      return [algorithm, (JSON.parse(password?.secretData ?? '{}') as { value: string }).value.slice(0, 7)];
    };

    t.is((await login('bcrypt', 'ada', 'wrong')).status, 400);
    t.deepEqual(await stored('bcrypt', 'ada'), ['bcrypt', '$2y$10$']);
    t.is((await login('bcrypt', 'ada', 'ada-password')).status, 200);
    t.is((await stored('bcrypt', 'ada'))[0], 'argon2');
    t.is((await login('bcrypt', 'ada', 'ada-password')).status, 200);
    for (const [name, , password, isRight] of VECTORS) {
      t.is((await login('bcrypt', name, password)).status, isRight ? 200 : 400, name);
    }

    t.is((await login('staying', 'ada', 'ada-password')).status, 200);
    t.deepEqual(await stored('staying', 'ada'), ['bcrypt', '$2b$04$']);
    // A password longer than what bcrypt reads is rejected.
    const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
    const users_ = `${host.url}/admin/realms/staying/users`;
    const headers = { ...bearer(json.access_token ?? ''), 'content-type': 'application/json' };
    const found = (await fetchAnswer(`${users_}?username=ada`, { headers })).json as unknown as { id: string }[];
    const reset = (value: string) =>
      fetchAnswer(`${users_}/${found[0]?.id}/reset-password`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ value }),
      });
    const refused = await reset('é'.repeat(37));
    t.deepEqual([refused.status, refused.json.error], [400, 'invalidPasswordMaxLengthMessage']);
    t.is((await reset('é'.repeat(36))).status, 204);
    t.is((await login('staying', 'ada', 'é'.repeat(36))).status, 200);
  });
}

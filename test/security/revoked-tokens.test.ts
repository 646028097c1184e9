import test from 'ava';
import type { ClientRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { introspect, logIn, post, type Tokens, userinfo, WEB } from '../helpers/login.js';
import { edit } from '../helpers/realm-files.js';
import { ALICE } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const REALMS = ['realm-later', 'client-later', 'user-later', 'offline', 'offline-role'];
const host = shareHost(test, { realms: REALMS.map((name) => codeRealm(name)), clock });

const refresh = (token: string, realm: string) =>
  post(host(), 'token', { ...WEB, grant_type: 'refresh_token', refresh_token: token }, {}, realm);

/** The uses for which the tokens are still valid: userinfo, refresh, and introspection of both. */
async function goodFor(realm: string, tokens: Tokens): Promise<boolean[]> {
  const { access_token: access, refresh_token: token } = tokens;
  const hint = { token_type_hint: 'refresh_token' };
  return [
    (await userinfo(host(), access, realm)).status === 200,
    (await introspect(host(), access, {}, realm)).json.active as unknown as boolean,
    (await introspect(host(), token, hint, realm)).json.active as unknown as boolean,
    (await refresh(token, realm)).status === 200,
  ];
}

const ALL = [true, true, true, true];
const NONE = [false, false, false, false];

function changeClient(realm: RealmRepresentation, change: (client: ClientRepresentation) => void): void {
  for (const client of realm.clients ?? []) if (client.clientId === 'web') change(client);
}

async function changeAlice(own: TestHost, name: string, change: object): Promise<void> {
  const realm = await own.realms.get(name);
  const alice = realm && (await own.users.byId(realm, `${ALICE}-${name}`));
  if (realm === undefined || alice === undefined) throw new Error('there is no alice');
  await own.users.update(realm, alice, { ...alice.representation, ...change });
}

/** Revokes tokens issued before a time: of the realm, of the client `web`, and of alice. */
async function revokeBefore(name: string, [realm, client, user]: readonly [number, number, number]): Promise<void> {
  await edit(host(), name, (draft) => {
    draft.notBefore = realm;
    changeClient(draft, (web) => {
      web.notBefore = client;
    });
  });
  await changeAlice(host(), name, { notBefore: user });
}

for (const [name, which] of [
  ['realm-later', 0],
  ['client-later', 1],
  ['user-later', 2],
] as const) {
  test.serial(
    `T352 · revoked tokens: of the not-before of realm, client and user the latest counts: ${name}`,
    async (t) => {
      const online = await logIn(host(), {}, name);
      const offline = await logIn(host(), { scope: 'openid offline_access' }, name);
      const issued = Math.floor(clock.now() / 1000);
      await revokeBefore(name, [issued - 50, issued - 50, issued - 50]);
      t.deepEqual(await goodFor(name, online), ALL);
      const later = [issued - 50, issued - 50, issued - 50] as [number, number, number];
      later[which] = issued + 1;
      await revokeBefore(name, later);
      t.deepEqual(await goodFor(name, online), NONE);
      t.deepEqual(await goodFor(name, offline), NONE);
      clock.forward(2);
      t.deepEqual(await goodFor(name, await logIn(host(), {}, name)), ALL);
    },
  );
}

test.serial('T351 · revoked tokens: an offline token ends when offline access is taken from the client', async (t) => {
  const tokens = await logIn(host(), { scope: 'openid offline_access' }, 'offline');
  const { json } = await refresh(tokens.refresh_token, 'offline');
  const current = String(json.refresh_token);
  await edit(host(), 'offline', (draft) =>
    changeClient(draft, (web) => {
      web.optionalClientScopes = ['address', 'phone'];
    }),
  );
  const inspected = await introspect(host(), current, { token_type_hint: 'refresh_token' }, 'offline');
  t.deepEqual(inspected.json, { active: false });
  const answer = await refresh(current, 'offline');
  t.deepEqual(
    [answer.status, answer.json],
    [
      400,
      {
        error: 'invalid_grant',
        error_description: 'Offline session invalid because offline access not granted anymore',
      },
    ],
  );
  t.is(answer.json.access_token, undefined);
});

test.serial('T351 · revoked tokens: an offline token ends when its user may not have one any more', async (t) => {
  const tokens = await logIn(host(), { scope: 'openid offline_access' }, 'offline-role');
  await changeAlice(host(), 'offline-role', { realmRoles: ['reader'] });
  const hint = { token_type_hint: 'refresh_token' };
  t.deepEqual((await introspect(host(), tokens.refresh_token, hint, 'offline-role')).json, { active: false });
  const answer = await refresh(tokens.refresh_token, 'offline-role');
  t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant']);
});

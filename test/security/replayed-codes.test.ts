import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { type FreshCode, freshCode, redeem } from '../helpers/codes.js';
import { CALLBACK } from '../helpers/form-browser.js';
import { type Answer, claimsOf, TestClock, type TestHost } from '../helpers/host.js';
import { introspect, post, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

/** The tests that move it run first, one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [realm()], clock });

type Parameters = Record<string, string | undefined>;

const PUBLIC: Parameters = { client_id: 'one', client_secret: undefined };
const BARE: Parameters = { code_challenge: undefined, code_challenge_method: undefined };
const ROUNDS = 4;

/** The client `bare` does not require PKCE. */
function realm(): RealmRepresentation {
  const unguarded = { clientId: 'bare', publicClient: true, redirectUris: [CALLBACK] };
  const { clients = [], ...rest } = codeRealm('demo');
  return { ...rest, clients: [...clients, { ...unguarded, attributes: { 'pkce.code.challenge.method': 'none' } }] };
}

/** True for each use of the response's tokens that still works: userinfo and refresh. */
async function work(host: TestHost, { json }: Answer, as: Parameters = {}): Promise<boolean[]> {
  const credentials = 'client_id' in as ? { client_id: as.client_id ?? '' } : WEB;
  const refresh_token = String(json.refresh_token);
  const shown = await userinfo(host, String(json.access_token));
  const refreshed = await post(host, 'token', { ...credentials, grant_type: 'refresh_token', refresh_token });
  return [shown.status === 200, refreshed.status === 200];
}

function isRefused(t: ExecutionContext, { status, json, headers }: Answer) {
  t.deepEqual([status, json.error], [400, 'invalid_grant']);
  t.is(headers.get('content-type'), 'application/json');
}

for (const [kind, as] of Object.entries({ confidential: {}, public: PUBLIC }) as [string, Parameters][]) {
  test(`T350 · replayed codes: of twenty uses of a code at once by its own ${kind} client no token that any gets works`, async (t) => {
    const host = shared();
    for (const scope of ['openid', 'openid offline_access']) {
      for (let round = 0; round < ROUNDS; round++) {
        const fresh = await freshCode(host, { client_id: as.client_id ?? 'web', scope });
        const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(host, fresh, as)));
        const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status);
        for (const other of others) isRefused(t, other);
        t.is(winner?.status, 200, scope);
        if (winner !== undefined) t.deepEqual(await work(host, winner, as), [false, false], scope);
      }
    }
  });
}

test('T350 · replayed codes: one use among twenty without client authentication leaves nobody a valid token', async (t) => {
  const host = shared();
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = await freshCode(host);
    const stolen = (index: number) => (index === 10 ? { code_verifier: 'x'.repeat(43) } : {});
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => redeem(host, fresh, stolen(index))));
    for (const answer of answers) {
      if (answer.status === 200) t.deepEqual(await work(host, answer), [false, false]);
      else isRefused(t, answer);
    }
  }
});

test.serial(
  'T056 · replayed codes: a second use ends the tokens of the first, by whichever client, how soon, and with what proof',
  async (t) => {
    const host = shared();
    const uses: [string, Parameters, Parameters, { after?: number; asked?: Parameters }?][] = [
      ['at once', {}, {}],
      ['after ten seconds', {}, {}, { after: 10 }],
      ['after more', {}, {}, { after: 11 }],
      ['another verifier', {}, { code_verifier: 'x'.repeat(43) }],
      ['no verifier', {}, { code_verifier: undefined }],
      ['another address', {}, { redirect_uri: TWO }],
      ['no address', {}, { redirect_uri: undefined }],
      ['another client', {}, WEB2],
      ['another client, which is public', {}, PUBLIC],
      ['a public client', PUBLIC, PUBLIC],
      ['a public client after more', PUBLIC, PUBLIC, { after: 11 }],
      ['a public client, another verifier', PUBLIC, { ...PUBLIC, code_verifier: 'x'.repeat(43) }],
      ['a public client, no verifier', PUBLIC, { ...PUBLIC, code_verifier: undefined }],
      ['a secret and no challenge', { code_verifier: undefined }, { code_verifier: undefined }, { asked: BARE }],
      ['a verifier without a challenge', { code_verifier: undefined }, {}, { asked: BARE }],
    ];
    for (const [what, first, second, { after = 0, asked = {} } = {}] of uses) {
      const fresh = await freshCode(host, { client_id: first.client_id ?? 'web', ...asked });
      const won = await redeem(host, fresh, first);
      t.is(won.status, 200, what);
      clock.forward(after);
      isRefused(t, await redeem(host, fresh, second));
      t.deepEqual(await work(host, won, first), [false, false], what);
      const { json } = await introspect(host, String(won.json.access_token));
      t.false(json.active, what);
    }
  },
);

test('T056 · replayed codes: a public client without a challenge has nothing to prove itself by', async (t) => {
  const host = shared();
  const bare = { client_id: 'bare', client_secret: undefined, code_verifier: undefined };
  const fresh = await freshCode(host, { client_id: 'bare', ...BARE });
  const won = await redeem(host, fresh, bare);
  t.is(won.status, 200, won.text);
  isRefused(t, await redeem(host, fresh, bare));
  t.deepEqual(await work(host, won, bare), [false, false]);
});

test('T056 · replayed codes: a wrong secret is no use of the code', async (t) => {
  const host = shared();
  const fresh = await freshCode(host);
  t.is((await redeem(host, fresh, { client_secret: 'wrong' })).status, 401);
  const won = await redeem(host, fresh);
  t.is((await redeem(host, fresh, { client_secret: 'wrong' })).status, 401);
  t.deepEqual(await work(host, won), [true, true]);
});

test.serial('T056 · replayed codes: the second use of a code also ends an offline login that it began', async (t) => {
  const host = shared();
  const fresh: FreshCode = await freshCode(host, { scope: 'openid offline_access' });
  const first = await redeem(host, fresh);
  t.is(first.status, 200, first.text);
  t.is(claimsOf(String(first.json.refresh_token)).typ, 'Offline');
  isRefused(t, await redeem(host, fresh));
  t.deepEqual(await work(host, first), [false, false]);
});

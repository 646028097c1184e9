import test from 'ava';
import { claimsOf, TestClock, type TestHost } from '../helpers/host.js';
import { follow, issueKey } from '../helpers/login.js';
import { ALICE, guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const host = shareHost(test, {
  realms: [
    ...['disabled-user', 'dying', 'rotating', 'forgetful'].map((name) => guardedRealm(name)),
    guardedRealm('short', {}, { actionTokenGeneratedByUserLifespan: 2 }),
  ],
  clock,
});

async function changeAlice(realmName: string, change: object): Promise<void> {
  const realm = await host().realms.get(realmName);
  const alice = realm && (await host().users.byId(realm, `${ALICE}-${realmName}`));
  if (realm === undefined || alice === undefined) throw new Error('there is no alice');
  await host().users.update(realm, alice, { ...alice.representation, ...change });
}

type Representation = NonNullable<Awaited<ReturnType<TestHost['store']['realms']['get']>>>['representation'];

async function changeRealm(name: string, change: (old: Representation) => Partial<Representation>): Promise<void> {
  const stored = await host().store.realms.get(name);
  if (stored === undefined) throw new Error('there is no such realm');
  const representation = { ...stored.representation, ...change(stored.representation) };
  await host().store.realms.put({ ...stored, representation }, { expectedVersion: stored.version });
  host().realms.invalidate(name);
}

/** The answers for browsers and programs, and the newest event. */
async function visit(key: string, realm: string) {
  const page = await follow(host(), key, { accept: 'text/html' }, realm);
  clock.forward(1);
  const { status, text } = await follow(host(), key, {}, realm);
  const [event] = await host().stored(realm);
  return { page, status, text, error: event?.error };
}

test.serial(
  'T155 · action links: the link of a disabled user is refused, and works again when the user is enabled',
  async (t) => {
    const key = await issueKey(host(), 'disabled-user');
    await changeAlice('disabled-user', { enabled: false });
    const { page, status, text, error } = await visit(key, 'disabled-user');
    t.deepEqual([page.status, status, error], [400, 400, 'user_disabled']);
    t.regex(page.headers.get('content-type') ?? '', /text\/html/);
    t.notRegex(page.text + text, /access_token|alice/);
    await changeAlice('disabled-user', { enabled: true });
    t.is((await follow(host(), key, {}, 'disabled-user')).status, 200);
  },
);

test.serial('T156 · action links: an expired link is reported on a page and in the event', async (t) => {
  const key = await issueKey(host(), 'short');
  t.is(Number(claimsOf(key).exp) - Number(claimsOf(key).iat), 2);
  t.is((await follow(host(), key, {}, 'short')).status, 200);
  clock.forward(3);
  const { page, status, error } = await visit(key, 'short');
  t.deepEqual([page.status, status, error], [400, 400, 'expired_code']);
  t.true(page.text.includes('Action expired'));
});

test.serial(
  'T159 · action links: a link gives nothing once its client is disabled, or its scope or entry is gone',
  async (t) => {
    const key = await issueKey(host(), 'dying');
    const before = (await host().store.realms.get('dying'))?.representation ?? { realm: 'dying' };
    const nl = (change: object) => (old: Representation) => ({
      clients: (old.clients ?? []).map((client) => (client.clientId === 'nl' ? { ...client, ...change } : client)),
    });
    const changes: ((old: Representation) => Partial<Representation>)[] = [
      nl({ enabled: false }),
      nl({ secret: 'another' }),
      nl({ optionalClientScopes: [] }),
      nl({ impersonation: { enabled: false, scopes: ['newsletterscope*'], audiences: ['newsletter-api'] } }),
      nl({ impersonation: { enabled: true, scopes: ['otherscope*'], audiences: ['newsletter-api'] } }),
      (old) => ({ clients: (old.clients ?? []).filter(({ clientId }) => clientId !== 'nl') }),
      ({ clientScopes }) => ({ clientScopes: (clientScopes ?? []).filter(({ name }) => name !== 'newsletterscope') }),
    ];
    for (const change of changes) {
      t.is((await follow(host(), key, {}, 'dying')).status, 200);
      await changeRealm('dying', change);
      const { page, status, text } = await visit(key, 'dying');
      for (const code of [page.status, status]) t.true(code >= 400 && code < 500, `${change} answers ${code}`);
      t.notRegex(page.text + text, /access_token|secret/);
      await changeRealm('dying', () => before);
    }
  },
);

test.serial(
  'T282 · action links: a link outlives the rotation of the key that signed it, and dies with that key',
  async (t) => {
    const key = await issueKey(host(), 'rotating');
    const { kid } = JSON.parse(Buffer.from(key.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };
    const newKid = await host().keys.rotate('rotating', 'HS512');
    t.not(newKid, kid);
    t.is((await follow(host(), key, {}, 'rotating')).status, 200);
    await host().keys.setStatus('rotating', kid, 'DISABLED');
    const { page, status, text } = await visit(key, 'rotating');
    t.deepEqual([page.status, status], [400, 400]);
    t.notRegex(page.text + text, /access_token/);
    t.is((await follow(host(), await issueKey(host(), 'rotating'), {}, 'rotating')).status, 200);
  },
);

test.serial('T287 · action links: logging everybody out, or this user, kills the links made before', async (t) => {
  const seconds = () => Math.floor(clock.now() / 1000);
  for (const forget of [
    () => changeRealm('forgetful', () => ({ notBefore: seconds() })),
    () => changeAlice('forgetful', { notBefore: seconds() }),
  ]) {
    const key = await issueKey(host(), 'forgetful');
    t.is((await follow(host(), key, {}, 'forgetful')).status, 200);
    clock.forward(1);
    await forget();
    const { page, status } = await visit(key, 'forgetful');
    t.deepEqual([page.status, status], [400, 400]);
    clock.forward(1);
    t.is((await follow(host(), await issueKey(host(), 'forgetful'), {}, 'forgetful')).status, 200);
  }
});

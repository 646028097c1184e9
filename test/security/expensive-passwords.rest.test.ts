import { randomUUID } from 'node:crypto';
import test from 'ava';
import { BootError } from '../../core/config/boot-error.js';
import { formatProblem } from '../../core/config/problem.js';
import { replacing } from '../../core/di/module.js';
import { Patterns } from '../../core/model/patterns.js';
import type { CredentialRepresentation } from '../../core/model/representation.js';
import { PasswordQueueLimit } from '../../core/users/module.js';
import { PasswordPolicy } from '../../core/users/passwords/password-policy.js';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { realHashes } from '../helpers/cheap-hashes.js';
import { gate } from '../helpers/gate.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

interface Hash {
  readonly algorithm: string;
  readonly hashIterations: number;
  readonly additionalParameters?: Readonly<Record<string, readonly string[]>>;
  /** Length of the hash in bytes. */
  readonly length?: number;
}

const argon2 = (memory: number, hashIterations: number, parallelism = 1): Hash => ({
  algorithm: 'argon2',
  hashIterations,
  additionalParameters: {
    memory: [String(memory)],
    parallelism: [String(parallelism)],
    type: ['id'],
    version: ['1.3'],
  },
});
const pbkdf2 = (algorithm: string, hashIterations: number, length = 64): Hash => ({
  algorithm,
  hashIterations,
  length,
});

/** Each would occupy a thread for seconds to minutes. */
const TOO_DEAR: readonly Hash[] = [
  argon2(1024 * 1024, 1000),
  argon2(1024 * 1024, 1),
  argon2(64 * 1024, 1000),
  argon2(8, 1_000_000),
  argon2(512, 1000, 64),
  // The threads for each lane and slice cost more than the small memory.
  argon2(16, 93_750, 2),
  pbkdf2('pbkdf2', 10_000_000),
  pbkdf2('pbkdf2-sha256', 10_000_000),
  pbkdf2('pbkdf2-sha512', 10_000_000),
  // Few iterations, but each is repeated for every part of a long hash.
  pbkdf2('pbkdf2', 1_300_000, 512),
  pbkdf2('pbkdf2-sha512', 500_000, 512),
];

/** Parameters in files of all Keycloak versions, and its recommendations. */
const OF_KEYCLOAK: readonly Hash[] = [
  argon2(7168, 5),
  argon2(7168, 100),
  argon2(65_536, 3, 4),
  pbkdf2('pbkdf2', 20_000),
  pbkdf2('pbkdf2', 1_300_000),
  pbkdf2('pbkdf2-sha256', 27_500),
  pbkdf2('pbkdf2-sha256', 600_000),
  pbkdf2('pbkdf2-sha512', 210_000),
];

function stored({ length = 32, ...data }: Hash, type = 'password'): CredentialRepresentation {
  const bytes = Buffer.alloc(length, 7).toString('base64');
  const secretData = JSON.stringify({ value: bytes, salt: Buffer.alloc(16, 7).toString('base64') });
  return { type, secretData, credentialData: JSON.stringify({ additionalParameters: {}, ...data }) };
}

const person = (username: string, credentials: CredentialRepresentation[]) => ({
  username,
  enabled: true,
  credentials,
});

const REFUSAL = /(memory is not a whole number from \d+ to 65536|may have \d+ hashIterations at most)/;

test('T475 · expensive hashes: a hash that would delay all logins is refused for a new or changed user, and as a password', async (t) => {
  const { host } = await ownRealm(shared(), (realm) => ({
    users: [...(realm.users ?? []), administrator('manager', 'manage-users')],
  }));
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'manager', password: 'manager' });
  const users = `/realms/${host.defaultRealm}/users`;
  for (const hash of TOO_DEAR) {
    const credentials = [stored(hash)];
    const name = JSON.stringify(hash);
    const made = await call('POST', users, person('eve', credentials));
    t.is(made.status, 400, name);
    t.regex(made.text, REFUSAL, name);
    const id = (await call('GET', `${users}?username=alice&exact=true`)).text.match(/"id":"([^"]+)"/)?.[1];
    const changed = await call('PUT', `${users}/${id}`, { credentials });
    t.is(changed.status, 400, name);
    t.regex(changed.text, REFUSAL, name);
    t.is((await call('PUT', `${users}/${id}/reset-password`, credentials[0])).status, 400, name);
  }
  for (const [index, hash] of OF_KEYCLOAK.entries()) {
    const made = await call('POST', users, person(`person-${index}`, [stored(hash)]));
    t.is(made.status, 201, `${JSON.stringify(hash)} ${made.text}`);
  }
});

test('T476 · expensive hashes: a hash that would hold up every login is refused of an import, a new realm and a realm file, at its place', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  for (const type of ['password', 'password-history']) {
    for (const hash of TOO_DEAR) {
      const users = [person('eve', [stored(hash, type)])];
      const name = `${type} ${JSON.stringify(hash)}`;
      const realm = `made-${randomUUID().slice(0, 8)}`;
      const made = await call('POST', '/realms', { realm, enabled: true, users });
      t.is(made.status, 400, name);
      t.regex(made.text, /users\.credentials: /, name);
      t.regex(made.text, REFUSAL, name);
      const imported = await call('POST', `/realms/${host.defaultRealm}/partialImport`, {
        ifResourceExists: 'SKIP',
        users,
      });
      t.is(imported.status, 400, name);
    }
  }
  const users = OF_KEYCLOAK.map((hash, index) => person(`person-${index}`, [stored(hash)]));
  const imported = await call('POST', `/realms/${host.defaultRealm}/partialImport`, {
    ifResourceExists: 'FAIL',
    users,
  });
  t.is(imported.status, 200, imported.text);
  const all = [...TOO_DEAR, ...OF_KEYCLOAK].map((hash, index) => person(`person-${index}`, [stored(hash)]));
  const boot = await t.throwsAsync(startHost(t, { realms: [testRealm('filed', { users: all })] }), {
    instanceOf: BootError,
  });
  const told = boot.problems.map(formatProblem).filter((line) => line.includes('credentials'));
  t.is(told.length, TOO_DEAR.length);
  for (const [index, text] of told.entries()) {
    t.regex(text, new RegExp(`users\\[${index}\\]\\.credentials\\[0\\]`));
    t.regex(text, REFUSAL);
  }
});

test('T477 · expensive hashes: a password policy may not ask for a hash that would hold up every login', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const dear = [
    'hashAlgorithm(pbkdf2-sha512) and hashIterations(5000000)',
    'hashIterations(5000000) and hashAlgorithm(pbkdf2-sha256)',
    'hashIterations(1600000) and hashAlgorithm(pbkdf2)',
  ];
  for (const passwordPolicy of dear) {
    const changed = await call('PUT', `/realms/${host.defaultRealm}`, { passwordPolicy });
    t.is(changed.status, 400, passwordPolicy);
    t.regex(changed.text, /passwordPolicy: hashIterations must be at most \d+ with pbkdf2/, passwordPolicy);
    t.is((await call('POST', '/realms', { realm: 'made', passwordPolicy })).status, 400, passwordPolicy);
    // A stored policy of this kind uses the algorithm's default.
    t.is(PasswordPolicy.parse(passwordPolicy, new Patterns('demo')).policy.hashIterations, -1);
  }
  for (const passwordPolicy of ['hashAlgorithm(pbkdf2-sha512) and hashIterations(210000)', 'hashIterations(600000)']) {
    t.is((await call('PUT', `/realms/${host.defaultRealm}`, { passwordPolicy })).status, 204, passwordPolicy);
  }
});

test('T478 · expensive hashes: a stored hash that would delay all logins is never computed: the login fails as any other, and the log says why', async (t) => {
  const { host } = await ownRealm(shared());
  const realm = await host.realms.get(host.defaultRealm);
  const alice = await host.store.users.byUsername(host.defaultRealm, 'alice');
  if (alice === undefined || realm === undefined) return;
  const answers = [];
  for (const hash of TOO_DEAR) {
    await host.users.change(realm, alice.id, (draft) => {
      draft.credentials = [{ id: 'dear', ...stored(hash) }];
    });
    answers.push(await guess('alice'));
  }
  const nobody = await guess('nobody');
  t.is(nobody.status, 400);
  for (const { status, text } of answers) t.deepEqual([status, text], [nobody.status, nobody.text]);
  const warnings = host.log.filter(({ fields }) => 'credentialId' in fields && fields.credentialId === 'dear');
  t.is(warnings.length, TOO_DEAR.length);
  for (const { level, message, fields } of warnings) {
    t.is(level, 'warn');
    t.regex(message, REFUSAL);
    t.like(fields, { realm: host.defaultRealm });
  }

  function guess(username: string) {
    return host.token(host.defaultRealm, { ...WEB, grant_type: 'password', username, password: 'Alice-pass-1!' });
  }
});

test('T479 · expensive hashes: while one realm fills the queue of passwords, another one logs in', async (t) => {
  const passwordPolicy = 'hashAlgorithm(pbkdf2-sha512) and hashIterations(400000)';
  const host = await startHost(t, {
    realms: [testRealm('greedy', { passwordPolicy }), testRealm('modest')],
    replace: [realHashes, replacing(PasswordQueueLimit, 8)],
  });
  const login = (realm: string, username: string) =>
    host.token(realm, { ...WEB, grant_type: 'password', username, password: 'Alice-pass-1!' });
  let isOver = false;
  const full = gate();
  const flood = Array.from({ length: 24 }, async () => {
    while (!isOver) {
      const { status, headers } = await login('greedy', 'nobody');
      if (status !== 503) continue;
      t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      full.open();
    }
  });
  await full.opened;
  let answers: Awaited<ReturnType<typeof login>>[] = [];
  for (let n = 0; n < 5 && answers.every(({ status }) => status !== 503); n += 1) {
    answers = await Promise.all([login('modest', 'alice'), login('modest', 'nobody'), login('modest', 'alice')]);
  }
  isOver = true;
  await Promise.all(flood);
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 200],
  );
  t.is((await fetchAnswer(`${host.managementUrl}/health`)).status, 200);
});

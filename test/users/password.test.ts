import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import test from 'ava';
import type { CredentialRepresentation } from '../../core/model/representation.js';
import { hashConcurrency, PasswordHasher, type PasswordWarning } from '../../core/users/passwords/password-hasher.js';

const hasher = new PasswordHasher({ concurrency: 2 });
/** Cheap parameters for tests that do not measure the cost. */
const CHEAP = { hashAlgorithm: 'argon2', hashIterations: 1 };

function stored(
  algorithm: string,
  hashIterations: number,
  salt: string,
  hex: string,
  additionalParameters: Record<string, string[]> = {},
): CredentialRepresentation {
  return {
    id: 'c1',
    type: 'password',
    secretData: JSON.stringify({
      value: Buffer.from(hex, 'hex').toString('base64'),
      salt: Buffer.from(salt).toString('base64'),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters }),
  };
}

test('passwords: a password is hashed with the parameters and in the form of Keycloak', async (t) => {
  const credential = await hasher.hash('demo', 'correct horse');
  t.is(credential.type, 'password');
  t.deepEqual(JSON.parse(credential.credentialData ?? ''), {
    hashIterations: 5,
    algorithm: 'argon2',
    additionalParameters: {
      hashLength: ['32'],
      memory: ['7168'],
      type: ['id'],
      version: ['1.3'],
      parallelism: ['1'],
    },
  });
  const { value, salt, additionalParameters } = JSON.parse(credential.secretData ?? '');
  t.deepEqual([Buffer.from(value, 'base64').length, Buffer.from(salt, 'base64').length], [32, 16]);
  t.deepEqual(additionalParameters, {});
  t.deepEqual(await hasher.verify('demo', 'correct horse', credential), { ok: true, outdated: false });
  t.deepEqual(await hasher.verify('demo', 'Correct horse', credential), { ok: false, outdated: false });
  t.not((await hasher.hash('demo', 'correct horse')).secretData, credential.secretData);
});

test('passwords: published test vectors of every stored algorithm verify', async (t) => {
  const vectors: [CredentialRepresentation, string][] = [
    [stored('pbkdf2', 1, 'salt', '0c60c80f961f0e71f3a9b524af6012062fe037a6'), 'RFC 6070'],
    [
      stored('pbkdf2-sha256', 1, 'salt', '120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b'),
      'PBKDF2-HMAC-SHA256, 32 bytes',
    ],
    [
      stored(
        'pbkdf2-sha512',
        1,
        'salt',
        '867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce',
      ),
      'PBKDF2-HMAC-SHA512, 64 bytes',
    ],
    [
      stored('argon2', 2, 'somesalt', '9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe', {
        hashLength: ['32'],
        memory: ['256'],
        type: ['id'],
        version: ['1.3'],
        parallelism: ['1'],
      }),
      'argon2 reference implementation',
    ],
  ];
  for (const [credential, name] of vectors) {
    t.deepEqual(await hasher.verify('demo', 'password', credential), { ok: true, outdated: true }, name);
    t.deepEqual(await hasher.verify('demo', 'passwore', credential), { ok: false, outdated: false }, name);
  }
});

test('passwords: a credential is outdated when the policy asks for another hash', async (t) => {
  const policy = { hashAlgorithm: 'pbkdf2-sha256', hashIterations: 1000 };
  const credential = await hasher.hash('demo', 'secret', policy);
  t.like(JSON.parse(credential.credentialData ?? ''), { algorithm: 'pbkdf2-sha256', hashIterations: 1000 });
  t.is(Buffer.from(JSON.parse(credential.secretData ?? '').value, 'base64').length, 64);
  t.deepEqual(await hasher.verify('demo', 'secret', credential, policy), { ok: true, outdated: false });
  t.deepEqual(await hasher.verify('demo', 'secret', credential, { ...policy, hashIterations: 1001 }), {
    ok: true,
    outdated: true,
  });
  t.deepEqual(await hasher.verify('demo', 'secret', credential), { ok: true, outdated: true });
  const meant = await hasher.hash('demo', 'secret', { hashIterations: 27_500 });
  t.is(JSON.parse(meant.credentialData ?? '').hashIterations, 5, 'iterations meant for PBKDF2 are ignored for argon2');
});

test('passwords: a password is taken exactly as it was received', async (t) => {
  const long = 'x'.repeat(72);
  const groups = [
    ['pass\0word', 'pass', 'pass\0worD'],
    ['caf\u00e9', 'cafe\u0301'],
    [`${long}a`, `${long}b`, long],
    [' secret', 'secret', 'secret '],
    ['', ' '],
  ];
  for (const policy of [CHEAP, { hashAlgorithm: 'pbkdf2-sha512', hashIterations: 1 }]) {
    for (const group of groups) {
      for (const password of group) {
        const credential = await hasher.hash('demo', password, policy);
        for (const other of group) t.is((await hasher.verify('demo', other, credential)).ok, other === password);
      }
    }
  }
});

test('passwords: a password may have 4096 characters and no more', async (t) => {
  const longest = 'p'.repeat(4096);
  const credential = await hasher.hash('demo', longest, CHEAP);
  t.true((await hasher.verify('demo', longest, credential)).ok);
  t.false((await hasher.verify('demo', `${longest}p`, credential)).ok);
  await t.throwsAsync(hasher.hash('demo', `${longest}p`), { code: 'password_too_long' });
  const empty = await hasher.hash('demo', '', CHEAP);
  t.false((await hasher.verify('demo', `${longest}p`, empty)).ok);
});

test('passwords: a credential that cannot be read is a wrong password and a warning', async (t) => {
  const warnings: PasswordWarning[] = [];
  const warned = new PasswordHasher({ onWarning: (warning) => warnings.push(warning) });
  const good = stored('pbkdf2-sha256', 1, 'salt', '12'.repeat(32));
  const parameters = (change: Record<string, string[]>) => stored('argon2', 1, 'somesalt', '12'.repeat(32), change);
  const broken: CredentialRepresentation[] = [
    { id: 'c1', type: 'password' },
    { ...good, secretData: '{"value":' },
    { ...good, secretData: '{"value":"","salt":"AAAA"}' },
    { ...good, secretData: 'null' },
    { ...good, credentialData: '{"algorithm":"bcrypt","hashIterations":10}' },
    { ...good, credentialData: '{"algorithm":"constructor","hashIterations":10}' },
    stored('pbkdf2-sha256', 0, 'salt', '12'.repeat(32)),
    stored('pbkdf2-sha256', 1e9, 'salt', '12'.repeat(32)),
    parameters({ type: ['x'] }),
    parameters({ memory: ['99999999'] }),
    parameters({ hashLength: ['64'] }),
  ];
  for (const credential of broken)
    t.deepEqual(await warned.verify('demo', 'secret', credential, CHEAP), { ok: false, outdated: false });
  t.is(warnings.length, broken.length);
  for (const warning of warnings) t.like(warning, { code: 'credential_unreadable', credentialId: 'c1' });
});

test('passwords: logins leave a core to token requests', (t) => {
  t.deepEqual([1, 2, 4, 8].map(hashConcurrency), [1, 1, 3, 7]);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('passwords: passwords are hashed by threads whose turn comes after that of the others', async (t) => {
  await new PasswordHasher().hash('demo', 'secret', CHEAP);
  const niceness = readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
  t.true(niceness.includes(Math.min(getPriority() + 10, 19)), String(niceness));
});

test('passwords: when too many are waiting the next is refused at once and the others are served', async (t) => {
  const small = new PasswordHasher({ concurrency: 1, queueLimit: 2 });
  const served = [1, 2, 3].map(() => small.hash('demo', 'secret', CHEAP));
  await t.throwsAsync(small.hash('demo', 'secret', CHEAP), { code: 'temporarily_unavailable' });
  await t.throwsAsync(small.dummyVerify('demo', 'secret'), { code: 'temporarily_unavailable' });
  t.is((await Promise.all(served)).length, 3);
  t.is((await small.hash('demo', 'secret', CHEAP)).type, 'password');
  await t.notThrowsAsync(small.dummyVerify('demo', 'x'.repeat(5000), CHEAP));
});

import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { decodeProtectedHeader, importPKCS8, SignJWT } from 'jose';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { folder } from '../helpers/process.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const KEYS = 'org.keycloak.keys.KeyProvider';
const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'der' });
const PRIVATE_KEY = small.toString('base64');
const SHORT = Buffer.alloc(8, 7).toString('base64url');

const key = (providerId: string, config: Record<string, string[]>) => ({
  components: { [KEYS]: [{ name: 'k', providerId, config }] },
});
const policies = (...all: object[]) => ({ clientPolicies: { policies: all } });

interface Case {
  readonly sent: object;
  /** The path in Keyhost-Ignored and in `realm check`. */
  readonly path: string;
  /** Value of the first member of `sent` afterwards, if the API shows it. */
  readonly stored?: unknown;
  /** Production refuses it. */
  readonly weakens?: true;
}

/**
 * Keycloak 26.7.3 answers each with 201. It stores the value, except that it drops all client policies of the old form.
 */
const CASES: Readonly<Record<string, Case>> = {
  'a built-in policy of Keycloak 13': {
    sent: policies({ name: 'builtin-default-policy', builtin: true, enable: false }),
    path: 'clientPolicies.policies[0]',
    stored: { policies: [] },
  },
  'a policy of Keycloak 13 that was on': {
    sent: policies({
      name: 'p',
      builtin: false,
      enable: true,
      conditions: [{ 'clientroles-condition': { roles: [] } }],
    }),
    path: 'clientPolicies.policies[0]',
    stored: { policies: [] },
    weakens: true,
  },
  'a policy whose form is that of today': {
    sent: policies({ name: 'p', builtin: false, enable: true, conditions: [], profiles: [] }),
    path: 'clientPolicies.policies[0]',
    stored: { policies: [{ name: 'p', enabled: true, conditions: [], profiles: [] }] },
  },
  'a profile of Keycloak 13': {
    sent: { clientProfiles: { profiles: [{ name: 'p', builtin: false, executors: [{ 'secure-session': {} }] }] } },
    path: 'clientProfiles.profiles[0]',
    stored: { profiles: [] },
    weakens: true,
  },
  'an unknown member of client policies': {
    sent: { clientPolicies: { policies: [{ name: 'p', lastChanged: 7 }] } },
    path: 'clientPolicies.policies[0].lastChanged',
    stored: { policies: [{ name: 'p', enabled: false, conditions: [], profiles: [] }] },
  },
  'an address as RP ID': {
    sent: { webAuthnPolicyRpId: 'https://a.test:8443/x' },
    path: 'webAuthnPolicyRpId',
    stored: '',
  },
  'an address as RP ID of passwordless passkeys': {
    sent: { webAuthnPolicyPasswordlessRpId: 'localhost:8080' },
    path: 'webAuthnPolicyPasswordlessRpId',
    stored: '',
  },
  'an RP ID in the attributes': {
    sent: { attributes: { webAuthnPolicyRpId: 'http://a.test' } },
    path: 'attributes.webAuthnPolicyRpId',
  },
  'a signature algorithm of passkeys that nobody has': {
    sent: { webAuthnPolicySignatureAlgorithms: ['ES256', 'GOST'] },
    path: 'webAuthnPolicySignatureAlgorithms',
    stored: ['ES256'],
  },
  'a preference of passkeys that nobody has': {
    sent: { webAuthnPolicyUserVerificationRequirement: 'sometimes' },
    path: 'webAuthnPolicyUserVerificationRequirement',
    stored: 'not specified',
  },
  'a policy of one-time passwords that nobody has': {
    sent: { otpPolicyDigits: 5 },
    path: 'otpPolicyDigits',
    stored: 6,
  },
  'tokens signed with a shared secret by default': {
    sent: { defaultSignatureAlgorithm: 'HS256' },
    path: 'defaultSignatureAlgorithm',
    stored: 'RS256',
  },
  'no levels, as the console of Keycloak 19 stored them': {
    sent: { attributes: { 'acr.loa.map': '[]' } },
    path: 'attributes["acr.loa.map"]',
  },
  'a client that has an id alone': { sent: { clients: [{ id: 'the-id', name: 'x' }] }, path: 'clients[0]' },
  'an RSA key of 1024 bits': { sent: key('rsa', { privateKey: [PRIVATE_KEY] }), path: `components["${KEYS}"][0]` },
  'an RSA key of 1024 bits that was generated': {
    sent: key('rsa-generated', { privateKey: [PRIVATE_KEY], keySize: ['1024'], priority: ['100'] }),
    path: `components["${KEYS}"][0]`,
  },
  'an RSA key of 1024 bits that is to be generated': {
    sent: key('rsa-enc-generated', { keySize: ['1024'] }),
    path: `components["${KEYS}"][0]`,
  },
  'a short secret': {
    sent: key('hmac-generated', { kid: ['a'], secret: [SHORT], algorithm: ['HS512'] }),
    path: `components["${KEYS}"][0]`,
  },
  'the size of a short secret': {
    sent: key('hmac-generated', { secretSize: ['16'] }),
    path: `components["${KEYS}"][0]`,
  },
  'a key of AES of a wrong size': {
    sent: key('aes-generated', { kid: ['a'], secret: [SHORT] }),
    path: `components["${KEYS}"][0]`,
  },
  'the realm’s own key of 1024 bits, as Keycloak 1 wrote it': { sent: { privateKey: PRIVATE_KEY }, path: 'privateKey' },
};

test('stale members of realm files: a realm that Keycloak imports is imported: stale members are dropped or replaced, and named', async (t) => {
  const call = await adminCaller(shared());
  for (const [index, [title, { sent, path, stored }]] of Object.entries(CASES).entries()) {
    const realm = `stale-${index}`;
    const answer = await call('POST', '/realms', { realm, enabled: true, ...sent });
    t.is(answer.status, 201, `${title}: ${answer.text}`);
    t.deepEqual((answer.headers.get('keyhost-ignored') ?? '').split(', '), [path], title);
    const [member = ''] = Object.keys(sent);
    const part = { clientPolicies: '/client-policies/policies', clientProfiles: '/client-policies/profiles' }[member];
    const shown = (await call('GET', `/realms/${realm}${part ?? ''}`)).json as Record<string, unknown>;
    if (stored !== undefined) t.deepEqual(part === undefined ? shown[member] : shown, stored, title);
  }
  const client = (await call('GET', '/realms/stale-13/clients?clientId=the-id')).json as unknown as object[];
  t.is(client.length, 1, 'Keycloak too takes the id');
});

test('stale members of realm files: realm check names each at its place, and in production refuses those that protect a realm', async (t) => {
  const dir = await folder(t, []);
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const titles = Object.keys(CASES);
  const files = titles.map((_, index) => join(dir, `stale-${index}.json`));
  for (const [index, { sent }] of Object.values(CASES).entries()) {
    const realm = { realm: `stale-${index}`, ...sent };
    await writeFile(files[index] ?? '', JSON.stringify(realm, null, 2));
  }
  const lenient = await keyhost(['realm', 'check', ...files, ...places]);
  t.is(lenient.code, 0, lenient.stdout + lenient.stderr);
  const strict = await keyhost(['realm', 'check', '--production', ...files, ...places]);
  t.is(strict.code, 1);
  for (const [index, { path, weakens }] of Object.values(CASES).entries()) {
    const start = new RegExp(
      `stale-${index}\\.json:\\d+:\\d+ ${path.replace(/[.[\]"]/g, '\\$&')}:? (?!is read as the setting).*`,
    );
    const told = start.exec(lenient.stdout)?.[0] ?? '';
    t.regex(told, /(is|are|its key is) left out|id is used|read as "enabled"|algorithms that are not/, titles[index]);
    t.regex(told, /\[warning]$/, titles[index]);
    const inProduction = start.exec(strict.stdout)?.[0] ?? '';
    t.is(
      inProduction !== '' && !inProduction.endsWith('[warning]'),
      weakens === true,
      `${titles[index]}: ${inProduction}`,
    );
  }
});

test('stale members of realm files: a realm whose only key has 1024 bits signs with a new one, since the old one cannot sign', async (t) => {
  const weak = await importPKCS8(`-----BEGIN PRIVATE KEY-----\n${PRIVATE_KEY}\n-----END PRIVATE KEY-----`, 'RS256');
  await t.throwsAsync(new SignJWT({}).setProtectedHeader({ alg: 'RS256' }).sign(weak), {
    message: /2048 bits or larger/,
  });
  const clients = [{ clientId: 'svc', secret: 'svc-secret', serviceAccountsEnabled: true }];
  const file = { realm: 'weak-key', enabled: true, clients, ...key('rsa', { privateKey: [PRIVATE_KEY] }) };
  const host = await startHost(t, { realms: [file as RealmRepresentation] });
  t.true(host.log.some(({ level, message }) => level === 'warn' && /the RSA key has 1024 bits/.test(message)));
  const form = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };
  const { status, json } = await host.token('weak-key', form);
  t.is(status, 200);
  const { keys } = (await fetchAnswer(`${host.oidc('weak-key')}/certs`)).json as unknown as {
    keys: { kid: string; n?: string }[];
  };
  const { kid } = decodeProtectedHeader(String(json.access_token));
  t.is(Buffer.from(keys.find((one) => one.kid === kid)?.n ?? '', 'base64url').length, 256);
  t.true(keys.every(({ n }) => n === undefined || Buffer.from(n, 'base64url').length >= 256));
});

test('stale members of realm files: a value that is nearly a known one counts as a typing error, and is refused with a hint', async (t) => {
  const call = await adminCaller(shared());
  for (const [sent, message] of [
    [{ defaultSignatureAlgorithm: 'RS265' }, /did you mean "RS256"/],
    [{ webAuthnPolicyUserVerificationRequirement: 'requird' }, /did you mean "required"/],
    [policies({ name: 'p', conditons: [] }), /did you mean "conditions"/],
    [policies({ name: 'p', conditions: [{ condition: 'nope' }] }), /condition "nope" is not supported/],
    [key('rsa', { privateKey: ['**********'] }), /the key is masked/],
    [key('hmac-generated', { kid: ['a'], secret: ['**********'] }), /the key is masked/],
  ] as const) {
    const answer = await call('POST', '/realms', { realm: 'mistyped', ...sent });
    t.is(answer.status, 400, JSON.stringify(sent));
    t.regex(answer.text.replaceAll('\\"', '"'), message);
  }
});

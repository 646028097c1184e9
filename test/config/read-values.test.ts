import { pbkdf2Sync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminClient, startAdministered } from '../helpers/admin.js';
import { realHashes } from '../helpers/cheap-hashes.js';
import { keyhost } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';
import { folder } from '../helpers/process.js';
import { states, writeRealm } from '../helpers/realm-files.js';

const HASH = pbkdf2Sync('old-secret', Buffer.from('salt-of-16-bytes'), 27_500, 64, 'sha256').toString('base64');
/** As Keycloak 7 wrote it. */
const OLD_PASSWORD = {
  type: 'password',
  hashedSaltedValue: HASH,
  salt: Buffer.from('salt-of-16-bytes').toString('base64'),
  hashIterations: '27500',
  algorithm: 'pbkdf2-sha256',
  digits: 0,
  counter: 0,
  period: 0,
  config: {},
};
const OLD_TOTP = {
  type: 'totp',
  hashedSaltedValue: 'rkQ2mYqH1bX0c9ZpLw7T',
  algorithm: 'HmacSHA1',
  digits: 6,
  counter: 0,
  period: 30,
  config: {},
};
const OLD_HOTP = {
  ...OLD_TOTP,
  type: 'hotp',
  hashedSaltedValue: 'Zp0Xc9bQ1HmYq2kR7LwT',
  counter: '3',
  device: 'Token',
};

/** A realm as Keycloak 7 exported it. */
const OLD_REALM = {
  realm: 'old',
  enabled: 'true',
  accessTokenLifespan: '120',
  displayName: null,
  directGrantFlow: 'grant',
  authenticationFlows: [
    {
      alias: 'grant',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
      authenticationExecutions: [
        { authenticator: 'direct-grant-validate-username', requirement: 'REQUIRED', priority: 10 },
        { authenticator: 'direct-grant-validate-password', requirement: 'REQUIRED', priority: 20 },
        { authenticator: 'direct-grant-validate-otp', requirement: 'OPTIONAL', priority: 30 },
      ],
    },
  ],
  groups: [{ name: 'staff', subGroups: [{ name: 'desk' }] }],
  clients: [{ clientId: 'app', publicClient: 'TRUE', directAccessGrantsEnabled: 1, redirectUris: 'http://app.test/*' }],
  users: [
    { username: 'anna', enabled: 'true', groups: ['staff/desk'], credentials: [OLD_PASSWORD] },
    { username: 'otto', enabled: true, credentials: [OLD_PASSWORD, OLD_TOTP] },
    { username: 'hugo', enabled: true, credentials: [OLD_PASSWORD, OLD_HOTP] },
  ],
} as unknown as RealmRepresentation;

/** Signs in with the old password: how each answers, the counter-based code of hugo the second time, too. */
async function logsIn(host: TestHost, clock: TestClock) {
  const grant = async (username: string, more: Record<string, string> = {}) => {
    const form = { grant_type: 'password', client_id: 'app', username, password: 'old-secret', ...more };
    return (await host.token('old', form)).status;
  };
  const format = { digits: 6, algorithm: 'HmacSHA1' } as const;
  const timed = codeAt(Buffer.from(OLD_TOTP.hashedSaltedValue), Math.floor(clock.now() / 30_000), format);
  const counted = codeAt(Buffer.from(OLD_HOTP.hashedSaltedValue), Number(OLD_HOTP.counter), format);
  const otto = [await grant('otto'), await grant('otto', { totp: timed })];
  const hugo = [await grant('hugo'), await grant('hugo', { totp: counted }), await grant('hugo', { totp: counted })];
  return { anna: await grant('anna'), otto, hugo };
}

const EACH_BY_THEIR_OWN = { anna: 200, otto: [400, 200], hugo: [400, 200, 400] };

test('lenient realm files: users of a file of an old Keycloak can sign in, without a code if they have none', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { realms: [OLD_REALM], clock, replace: [realHashes] });
  t.deepEqual(await logsIn(host, clock), EACH_BY_THEIR_OWN);
  const { representation } = (await host.store.realms.get('old')) ?? {};
  t.is(representation?.accessTokenLifespan, 120);
  t.deepEqual(representation?.clients?.find(({ clientId }) => clientId === 'app')?.redirectUris, ['http://app.test/*']);
  const [grant, conditional] = representation?.authenticationFlows ?? [];
  t.like(grant?.authenticationExecutions?.[2], {
    flowAlias: 'grant - direct-grant-validate-otp - Conditional',
    requirement: 'CONDITIONAL',
    priority: 30,
  });
  t.deepEqual(
    conditional?.authenticationExecutions?.map(({ authenticator, requirement }) => [authenticator, requirement]),
    [
      ['conditional-user-configured', 'REQUIRED'],
      ['direct-grant-validate-otp', 'REQUIRED'],
    ],
  );
  const anna = await host.store.users.byUsername('old', 'anna');
  t.deepEqual(anna?.representation.groups, ['/staff/desk']);
});

test('lenient realm files: the same realm over REST is the same', async (t) => {
  const clock = new TestClock();
  const host = await startAdministered(t, { clock, replace: [realHashes] });
  const admin = await adminClient(host);
  await admin.realms.create(OLD_REALM as object);
  t.deepEqual(await logsIn(host, clock), EACH_BY_THEIR_OWN);
});

test('lenient realm files: such a realm can be edited, and its file applied again', async (t) => {
  const clock = new TestClock();
  const host = await startAdministered(t, { realms: [OLD_REALM], clock, replace: [realHashes] });
  const admin = await adminClient(host);
  await admin.realms.update({ realm: 'old' }, { displayName: 'Old' });
  const before = await admin.realms.findOne({ realm: 'old' });
  t.is(before?.displayName, 'Old');
  await writeRealm(host, { ...OLD_REALM, accessTokenLifespan: '60' } as unknown as RealmRepresentation);
  const state = await eventually(async () => {
    const found = (await states(host))['old.json'];
    return (await host.store.realms.get('old'))?.representation.accessTokenLifespan === 60 && found;
  });
  t.deepEqual([state.state, state.edits], ['drifted', ['displayName is "Old"']], 'what was read otherwise is no edit');
  t.deepEqual(await admin.realms.findOne({ realm: 'old' }), { ...before, accessTokenLifespan: 60 });
  t.deepEqual(await logsIn(host, clock), EACH_BY_THEIR_OWN);
});

test('lenient realm files: check reports each converted value as a hint at its place', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'x.json');
  const write = (text: string) => writeFile(file, text);
  const check = async () => {
    const { code, stdout: out } = await keyhost(['realm', 'check', file, '--plugins-file', join(dir, 'plugins.json')]);
    return { code, lines: out.trim().replaceAll(`${file}`, 'x.json').split('\n') };
  };
  await write(`{ "realm": "x", "displayName": null,
  "enabled": "true",
  "accessTokenLifespan": "300", "notBefore": 1.9,
  "duplicateEmailsAllowed": true, "loginWithEmailAllowed": true, "registrationEmailAsUsername": false,
  "rememberMe": "",
  "attributes": { "a": 5, "none": null },
  "sslRequired": "External",
  "clients": [{ "clientId": "a", "redirectUris": "http://a.test/*" }],
  "groups": [{ "name": "g" }],
  "authenticationFlows": [{ "alias": "f", "authenticationExecutions": [{ "authenticator": "auth-otp-form", "requirement": "OPTIONAL" }] }],
  "users": [{ "username": "u", "groups": ["g"], "credentials": [{ "type": "password", "hashedSaltedValue": "${HASH}", "salt": "c2FsdA==", "hashIterations": 1 }] }]
}`);
  t.deepEqual(await check(), {
    code: 0,
    lines: [
      'x.json:2:3 enabled: the text is read as true [hint]',
      'x.json:3:3 accessTokenLifespan: the text is read as 300 [hint]',
      'x.json:3:33 notBefore: is read as 1 [hint]',
      'x.json:4:35 loginWithEmailAllowed: is read as false, since "duplicateEmailsAllowed" is true [hint]',
      'x.json:5:3 rememberMe: an empty string is read as a missing value [hint]',
      'x.json:6:19 attributes.a: the number is read as "5" [hint]',
      'x.json:7:3 sslRequired: is read as "external" [hint]',
      'x.json:8:34 clients[0].redirectUris: a string is read as a list of one [hint]',
      'x.json:10:108 authenticationFlows[0].authenticationExecutions[0].requirement: OPTIONAL is read as the CONDITIONAL flow "f - auth-otp-form - Conditional" [hint]',
      'x.json:11:43 users[0].groups[0]: read as "/g" [hint]',
      'x.json:11:87 users[0].credentials[0].hashedSaltedValue: hashedSaltedValue is read as secretData and credentialData [hint]',
      'x.json: realm x has no mistakes',
    ],
  });
  await write(`{ "realm": "x",
  "clients": [{ "clientId": "a" }, { "clientId": "a" }, { "clientId": "b", "redirectUris": [null, "javascript:x"] }],
  "authenticationFlows": [{ "alias": "f", "authenticationExecutions": [{ "authenticator": "auth-otp-form", "requirement": "BOGUS" }] }]
}`);
  t.deepEqual(await check(), {
    code: 1,
    lines: [
      'x.json:2:38 clients[1].clientId: the client "a" is used twice',
      'x.json:2:99 clients[2].redirectUris[1]: must not have this scheme',
      'x.json:3:108 authenticationFlows[0].authenticationExecutions[0].requirement: must be one of REQUIRED, ALTERNATIVE, CONDITIONAL, DISABLED',
    ],
  });
});

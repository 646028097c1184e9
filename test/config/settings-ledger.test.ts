import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { ignoredSettings, unsupportedProtections } from '../../core/config/settings/ignored-settings.js';
import { KEYCLOAK_SETTINGS } from '../../core/config/settings/keycloak-settings.js';
import type { SettingState } from '../../core/config/settings/setting-state.js';
import { unimplementedObjects } from '../../core/config/settings/unimplemented-objects.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { realmFileMistakes } from '../../core/realms/realm-file-checks.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';
import { realmWith } from './realm-with-setting.js';

const ROOT = new URL('../../../', import.meta.url);
const rows: readonly [kind: string, name: string, state: SettingState][] = Object.entries(KEYCLOAK_SETTINGS).flatMap(
  ([kind, states]) =>
    Object.entries(states).map(([name, state]) => [kind, name, state] as [string, string, SettingState]),
);

test('ledger of settings: every setting of Keycloak 26.7 has a state, and nothing else has one', (t) => {
  const listed: string[] = [];
  let kind = '';
  for (const line of readFileSync(new URL('test/config/keycloak-settings.txt', ROOT), 'utf8').trimEnd().split('\n')) {
    if (line.startsWith('  ')) listed.push(`${kind} · ${line.trim()}`);
    else kind = line;
  }
  t.true(listed.length > 1000);
  t.deepEqual(
    rows.map(([of, name]) => `${of} · ${name}`).sort(),
    listed.sort(),
    'a setting of Keycloak needs a state in core/config/settings',
  );
});

/** A test with the helpers that it uses. */
function textOf(name: string): string {
  const file = new URL(`test/${name}.test.ts`, ROOT);
  if (!existsSync(file)) return '';
  const text = readFileSync(file, 'utf8');
  const helpers = [...text.matchAll(/from '\.\.\/helpers\/([\w-]+)\.js'/g)].map(
    ([, helper]) => `test/helpers/${helper}.ts`,
  );
  const read = [text, ...helpers.map((helper) => readFileSync(new URL(helper, ROOT), 'utf8'))].join('\n');
  // Its cases may be in a fixture.
  const fixtures = [...read.matchAll(/test\/fixtures\/[\w.-]+\.json/g)].map(([path]) => path);
  return [read, ...fixtures.map((path) => readFileSync(new URL(path, ROOT), 'utf8'))].join('\n');
}

test('ledger of settings: the test that proves a setting exists, and names it', (t) => {
  const texts = new Map<string, string>();
  const wrong = rows.flatMap(([kind, name, state]) => {
    if (state.state !== 'works') return [];
    const text = texts.get(state.test) ?? textOf(state.test);
    texts.set(state.test, text);
    // The two policies of WebAuthn have the same settings: tests put the names together.
    const bare = name.replace(/^webAuthnPolicy(Passwordless)?(?=[A-Z])/, '').replaceAll('.', '\\.');
    return new RegExp(`(?<![\\w.-])(webAuthnPolicy(Passwordless)?)?${bare}(?![\\w-])`).test(text)
      ? []
      : [`${kind} ${name}: ${state.test}`];
  });
  t.deepEqual(wrong, []);
});

test('ledger of settings: a setting without effect is reported at its place, and a value that asks for nothing is not', (t) => {
  for (const [kind, name, state] of rows) {
    if (state.state !== 'ignored' || state.isWholeOwner) continue;
    const say = (value: unknown) => {
      const realm = realmWith(kind, name, value);
      return (state.isProtection ? unsupportedProtections : ignoredSettings)(realm).map(
        ({ path, message }) => `${path.at(-1)} ${message}`,
      );
    };
    const told = say(name === 'browserSecurityHeaders' ? { xFrameOptions: 'DENY' } : 'something');
    t.true(
      told.some((one) => one.includes(state.sentence) && (one.includes(name) || one.startsWith('xFrameOptions'))),
      `${kind} ${name}: ${told}`,
    );
    // Where true is the default, false asks for something.
    const off = state.exceptValues.includes('true') ? [] : ['false'];
    for (const nothing of [undefined, null, '', [], ...off, ...state.exceptValues]) {
      t.deepEqual(say(nothing), [], `${kind} ${name}: ${JSON.stringify(nothing)}`);
    }
  }
});

test('ledger of settings: an object that this host does not have is reported as a whole, or refused', (t) => {
  for (const [kind, name, state] of rows) {
    const realm = () => realmWith(kind, name, 'something');
    if (state.state === 'ignored' && state.isWholeOwner)
      t.not([...unimplementedObjects(realm(), []), ...ignoredSettings(realm())].length, 0, `${kind} ${name}`);
    if (state.state === 'rejected') t.not(realmFileMistakes(realm()).length, 0, `${kind} ${name}`);
  }
});

test('ledger of settings: settings without effect are reported by realm check, the log and the Admin API, at their places', async (t) => {
  const dir = await folder(t);
  const file = join(dir, 'shop.json');
  const realm = {
    realm: 'shop',
    enabled: true,
    accessCodeLifespanUserAction: 60,
    eventsListeners: ['jboss-logging', 'workflow-event-listener'],
    clients: [
      { clientId: 'old', protocol: 'saml' },
      { clientId: 'certified', clientAuthenticatorType: 'client-x509' },
    ],
    components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'ldap', providerId: 'ldap', config: {} }] },
  };
  await writeFile(file, JSON.stringify(realm, undefined, 2));
  const TOLD = [
    /shop\.json:4:3 accessCodeLifespanUserAction: has no effect on the realm: pages of required actions end with/,
    /shop\.json:7:5 eventsListeners\[1\]: event listener "workflow-event-listener" not found/,
    /shop\.json:12:7 clients\[0\]\.protocol: "saml" is not supported: users cannot sign in to client old/,
    /clients\[1\]\.clientAuthenticatorType: "client-x509" is not supported: client certified cannot authenticate/,
    /shop\.json:21:7 components.*\[0\]: user storage "ldap" not found: users of this directory cannot sign in/,
  ];
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const { code, stdout } = await keyhost(['realm', 'check', file], { cwd: dir });
  t.is(code, 0, stdout);
  for (const one of TOLD) t.regex(stdout, one);

  const host = await startAdministered(t, { realms: [realm as RealmRepresentation] });
  const log = host.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  t.is(log.filter((line) => /has no effect|not found|is not supported/.test(line)).length, TOLD.length, log.join('\n'));
  const call = await adminCaller(host);
  const changed = await call('PUT', '/realms/shop', { displayNameHtml: '<b>Shop</b>', accessTokenLifespan: 60 });
  t.deepEqual([changed.status, changed.headers.get('keyhost-ignored')], [204, 'displayNameHtml']);
  t.true(
    host.log.some(
      ({ message }) => message === 'realm shop: displayNameHtml has no effect on the realm: pages show displayName',
    ),
  );
  const again = await call('PUT', '/realms/shop', { accessTokenLifespan: 70 });
  t.is(again.headers.get('keyhost-ignored'), null);
});

test('ledger of settings: enabled features that are missing are reported', (t) => {
  const told = (realm: object) =>
    unimplementedObjects({ realm: 'shop', ...realm } as RealmRepresentation, [
      { spi: 'events-listener', id: 'email', enabledBy: 'realm-key' },
    ]).map(({ path, message }) => `${path.join('.')} ${message}`);
  const eventsListeners = ['email'];
  t.deepEqual(told({ eventsListeners }), [
    'eventsListeners.0 event listener "email" has no effect: the realm has no smtpServer',
  ]);
  t.deepEqual(told({ eventsListeners, smtpServer: { host: 'smtp.example.org' } }), []);
  t.deepEqual(told({ eventsListeners, providers: { emailSender: { acme: { enabled: true } } } }), []);
  const providers = { eventsStore: { jpa: { enabled: true }, archive: { enabled: true } } };
  t.deepEqual(told({ providers }), [
    'providers.eventsStore.archive.enabled has no effect: the realm saves neither user events nor admin events',
  ]);
  t.deepEqual(told({ providers, eventsEnabled: true }), []);
});

import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { administered, calledRealm } from '../helpers/admin.js';
import { inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

/** The member that Keycloak 26.7.3 shows for a realm that has only this attribute. */
const TABLE: readonly (readonly [attribute: string, text: string, member: string, shown: unknown])[] = [
  ['bruteForceProtected', 'true', 'bruteForceProtected', true],
  ['permanentLockout', 'TRUE', 'permanentLockout', true],
  ['failureFactor', '5', 'failureFactor', 5],
  ['bruteForceStrategy', 'LINEAR', 'bruteForceStrategy', 'LINEAR'],
  ['clientSessionIdleTimeout', '11', 'clientSessionIdleTimeout', 11],
  ['clientOfflineSessionMaxLifespan', '12', 'clientOfflineSessionMaxLifespan', 12],
  ['offlineSessionMaxLifespanEnabled', 'true', 'offlineSessionMaxLifespanEnabled', true],
  ['actionTokenGeneratedByUserLifespan', '307', 'actionTokenGeneratedByUserLifespan', 307],
  ['oauth2DeviceCodeLifespan', '607', 'oauth2DeviceCodeLifespan', 607],
  ['defaultSignatureAlgorithm', 'ES256', 'defaultSignatureAlgorithm', 'ES256'],
  ['displayNameHtml', '<b>x</b>', 'displayNameHtml', '<b>x</b>'],
  ['organizationsEnabled', 'true', 'organizationsEnabled', true],
  ['realmReusableOtpCode', 'true', 'otpPolicyCodeReusable', true],
  ['webAuthnPolicyRpEntityName', 'Acme', 'webAuthnPolicyRpEntityName', 'Acme'],
  ['webAuthnPolicySignatureAlgorithms', 'ES512,ES256', 'webAuthnPolicySignatureAlgorithms', ['ES512', 'ES256']],
  ['webAuthnPolicyExtraOrigins', 'https://x.test', 'webAuthnPolicyExtraOrigins', ['https://x.test']],
  ['webAuthnPolicyCreateTimeoutPasswordless', '9', 'webAuthnPolicyPasswordlessCreateTimeout', 9],
  [
    'webAuthnPolicyAuthenticatorAttachmentPasswordless',
    'platform',
    'webAuthnPolicyPasswordlessAuthenticatorAttachment',
    'platform',
  ],
  // Columns of Keycloak's database, and names of members that its attributes do not have.
  ['revokeRefreshToken', 'true', 'revokeRefreshToken', false],
  ['accessTokenLifespan', '307', 'accessTokenLifespan', 300],
  ['rememberMe', 'true', 'rememberMe', false],
  ['webAuthnPolicyPasswordlessRpEntityName', 'Other', 'webAuthnPolicyPasswordlessRpEntityName', 'keycloak'],
];

for (const way of ['a realm file', 'POST /admin/realms', 'PUT /admin/realms/{realm}']) {
  test(`settings in attributes: settings that only the attributes of ${way} have become members, as in Keycloak 26.7.3`, async (t) => {
    const rows = TABLE;
    const { call } = await calledRealm(shared());
    const attributes = Object.fromEntries(rows.map(([attribute, text]) => [attribute, text]));
    const isFile = way === 'a realm file';
    const { defaultRealm } = await inRealm(shared(), (realm) => ({
      realm,
      enabled: true,
      ...(isFile ? { attributes } : {}),
    }));
    const path = way.startsWith('POST') ? '/realms/posted-attributes' : `/realms/${defaultRealm}`;
    if (way.startsWith('PUT')) t.is((await call('PUT', path, { attributes })).status, 204);
    if (way.startsWith('POST')) {
      const posted = await call('POST', '/realms', { realm: 'posted-attributes', attributes });
      t.is(posted.status, 201, posted.text);
    }
    const { json } = await call('GET', path);
    const shown = json as Readonly<Record<string, unknown>>;
    for (const [attribute, , member, value] of rows) {
      t.deepEqual(shown[member], value, attribute);
    }
    const left = Object.keys(shown.attributes as object);
    t.deepEqual(
      left.filter((name) => ['bruteForceProtected', 'failureFactor', 'webAuthnPolicyRpEntityName'].includes(name)),
      [],
    );
  });
}

test('settings in attributes: a member overrides the attribute of the same setting', async (t) => {
  const { call, realm } = await calledRealm(shared(), { failureFactor: 9, attributes: { failureFactor: '6' } });
  const factor = async () => ((await call('GET', realm)).json as { failureFactor?: number }).failureFactor;
  t.is(await factor(), 9);
  t.is((await call('PUT', realm, { failureFactor: 8, attributes: { failureFactor: '6' } })).status, 204);
  t.is(await factor(), 8);
  t.is((await call('PUT', realm, { attributes: { failureFactor: null } })).status, 204);
  t.is(await factor(), 8);
  t.is((await call('PUT', realm, { failureFactor: 7 })).status, 204);
  const { attributes } = (await call('GET', realm)).json as { attributes?: object };
  t.is((await call('PUT', realm, { attributes })).status, 204);
  t.is(await factor(), 7);
});

test('settings in attributes: an invalid value is refused at its attribute', async (t) => {
  const { call, realm } = await calledRealm(shared());
  const rows: readonly (readonly [attributes: Record<string, string>, message: RegExp])[] = [
    [{ failureFactor: 'abc' }, /attributes\.failureFactor: must be /],
    [{ bruteForceProtected: 'yes' }, /attributes\.bruteForceProtected: must be /],
    [
      { webAuthnPolicyUserVerificationRequirementPasswordless: 'prefered' },
      /attributes\.webAuthnPolicyUserVerificationRequirementPasswordless: must be /,
    ],
  ];
  for (const [attributes, message] of rows) {
    for (const answer of [
      await call('PUT', realm, { attributes }),
      await call('POST', '/realms', { realm: 'refused-attributes', attributes }),
    ]) {
      t.is(answer.status, 400, answer.text);
      t.regex(answer.text, message);
    }
    const refused = await t.throwsAsync<BootError>(inRealm(shared(), (name) => ({ realm: name, attributes })));
    t.regex(refused?.problems?.map(({ path, message: text }) => `${path}: ${text}`).join('\n') ?? '', message);
  }
});

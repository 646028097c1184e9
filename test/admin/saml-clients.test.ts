import { createPrivateKey, X509Certificate } from 'node:crypto';
import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const SIGNED = 'saml.client.signature';
const CERTIFICATE = 'saml.signing.certificate';
const PRIVATE_KEY = 'saml.signing.private.key';
const USUAL = {
  'saml.allow.ecp.flow': 'false',
  'saml.authnstatement': 'true',
  'saml.client.signature': 'true',
  'saml.force.post.binding': 'true',
  'saml.server.signature': 'true',
  'saml.signature.algorithm': 'RSA_SHA256',
  saml_force_name_id_format: 'false',
  saml_name_id_format: 'username',
  saml_signature_canonicalization_method: 'http://www.w3.org/2001/10/xml-exc-c14n#',
};
const GIVEN = {
  'saml.authnstatement': 'false',
  'saml.force.post.binding': 'false',
  'saml.server.signature': 'false',
  'saml.signature.algorithm': 'RSA_SHA512',
  saml_force_name_id_format: 'true',
  saml_name_id_format: 'email',
  saml_signature_canonicalization_method: 'x',
};
/** Attributes of every new client with an explicit protocol. */
const OIDC_LOGOUT = {
  'backchannel.logout.session.required': 'true',
  'backchannel.logout.revoke.offline.tokens': 'false',
};
const { [SIGNED]: _, ...unsigned } = USUAL;

type Attributes = Record<string, string>;
interface Shown {
  readonly attributes: Attributes;
}

test('SAML clients: a new client has what Keycloak 26.7.3 gives it, and a key if its requests must be signed', async (t) => {
  const { call, realm, made } = await calledRealm(shared());
  const rows: readonly (readonly [sent: object, attributes: Attributes, isKeyed?: true])[] = [
    [{}, USUAL, true],
    [{ attributes: { [SIGNED]: 'false' } }, { ...USUAL, [SIGNED]: 'false' }],
    [{ attributes: { [SIGNED]: 'yes' } }, { ...USUAL, [SIGNED]: 'yes' }],
    [{ attributes: { [SIGNED]: '' } }, unsigned],
    [{ attributes: { [CERTIFICATE]: 'abc' } }, { ...USUAL, [CERTIFICATE]: 'abc' }],
    [{ attributes: { ...GIVEN, [PRIVATE_KEY]: 'abc', [CERTIFICATE]: '' } }, { ...USUAL, ...GIVEN }, true],
    [
      { protocol: 'openid-connect', attributes: { [SIGNED]: 'true' } },
      { [SIGNED]: 'true', ...OIDC_LOGOUT },
    ],
    [{ protocol: null, attributes: { [SIGNED]: 'true' } }, { [SIGNED]: 'true' }],
  ];
  for (const [index, [sent, attributes, isKeyed]] of rows.entries()) {
    const id = await made('/clients', { clientId: `saml-${index}`, protocol: 'saml', ...sent });
    const { attributes: has, ...client } = (await call('GET', `${realm}/clients/${id}`)).json as unknown as Shown;
    const { 'client.secret.creation.time': _, ...rest } = has;
    const { [CERTIFICATE]: certificate = '', [PRIVATE_KEY]: key = '', ...unkeyed } = rest;
    t.deepEqual(isKeyed ? unkeyed : rest, attributes, JSON.stringify(sent));
    t.like(client, { frontchannelLogout: !('protocol' in sent), standardFlowEnabled: true });
    if (!isKeyed) continue;
    const x509 = new X509Certificate(Buffer.from(certificate, 'base64'));
    const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs1' });
    t.true(x509.checkPrivateKey(privateKey));
    t.deepEqual([x509.subject, privateKey.asymmetricKeyDetails?.modulusLength], [`CN=saml-${index}`, 4096]);
  }
});

test('SAML clients: a client that is changed or imported gets nothing', async (t) => {
  const { call, realm, made } = await calledRealm(shared());
  const attributesOf = async (clientId: string) => {
    const [found] = (await call('GET', `${realm}/clients?clientId=${clientId}`)).json as unknown as Shown[];
    return found?.attributes ?? {};
  };
  const id = await made('/clients', { clientId: 'later', protocol: 'saml', attributes: { [SIGNED]: 'false' } });
  await call('PUT', `${realm}/clients/${id}`, { clientId: 'later', attributes: { [SIGNED]: 'true' } });
  t.like(await attributesOf('later'), { [SIGNED]: 'true', [PRIVATE_KEY]: undefined });
  const imported = { clientId: 'imported', protocol: 'saml', attributes: { [SIGNED]: 'true' } };
  await call('POST', `${realm}/partialImport`, { ifResourceExists: 'FAIL', clients: [imported] });
  t.like(await attributesOf('imported'), {
    [SIGNED]: 'true',
    [PRIVATE_KEY]: undefined,
    saml_name_id_format: undefined,
  });
  const again = await call('POST', `${realm}/clients`, { clientId: 'later', protocol: 'saml' });
  t.is(again.status, 409);
});

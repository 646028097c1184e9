import test from 'ava';
import { administered, calledRealm } from '../helpers/admin.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));
const CERTIFICATE =
  'MIIBcTCCARegAwIBAgIUM/eQBxk35wuCNiALA4g396CAX0swCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCc3AwIBcNMjYxMTI2MTIz' +
  'MzQ4WhgPMjEyNjExMDIxMjMzNDhaMA0xCzAJBgNVBAMMAnNwMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENN5IXnQEeIOl+PIX' +
  '6LBvI1JWdX1xo5dVzl1tV1SUi28sFGW2RbmXcG1quXZdImguy8vjDE7ZPPZaM8VqNNyz26NTMFEwHQYDVR0OBBYEFAnPwujPpBkC' +
  'Hm4DeFauBp2Hx3ASMB8GA1UdIwQYMBaAFAnPwujPpBkCHm4DeFauBp2Hx3ASMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID' +
  'SAAwRQIgMDeP2Wgeg/OVAVjZtVQZGfYQnRwHz9s+xx+fQnQIRSYCIQDq4I250Nzme+f62ROAjmzCKOO0CPuQD9eAe/4j34T/ig==';
const WRAPPED = CERTIFICATE.replace(/.{64}/g, '$&\n\t\t');
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:';
const NAMES = 'xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"';

const at = (endpoint: string, binding: string, location: string, more = '') =>
  `<md:${endpoint} Binding="${BINDING}${binding}" Location="${location}" ${more}/>`;
const acs = (binding: string, location: string, more = 'index="1"') =>
  at('AssertionConsumerService', binding, location, more);
const entity = (inner: string, id = 'urn:sp') =>
  `<md:EntityDescriptor ${NAMES} entityID="${id}">${inner}</md:EntityDescriptor>`;
const sp = (inner: string, more = '', id?: string) =>
  entity(`<md:SPSSODescriptor ${more} protocolSupportEnumeration="x">${inner}</md:SPSSODescriptor>`, id);
const idp = (inner: string, more = '', id = 'urn:idp') =>
  entity(`<md:IDPSSODescriptor ${more} protocolSupportEnumeration="x">${inner}</md:IDPSSODescriptor>`, id);
const key = (use: string) =>
  `<md:KeyDescriptor ${use && `use="${use}"`}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${WRAPPED}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
const format = (name: string) => `<md:NameIDFormat>urn:oasis:names:tc:SAML:${name}</md:NameIDFormat>`;
const list = (...entities: string[]) => `<md:EntitiesDescriptor ${NAMES}>${entities.join('')}</md:EntitiesDescriptor>`;

const MADE_KEY =
  '<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate></ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>';
const ALWAYS = {
  'saml.server.signature': 'true',
  'saml.server.signature.keyinfo.ext': 'false',
  'saml.signature.algorithm': 'RSA_SHA256',
  'saml.authnstatement': 'true',
};
const client = (
  clientId: string,
  redirectUris: readonly string[],
  attributes: object,
  protocolMappers: object[] = [],
) => ({
  clientId,
  redirectUris,
  protocol: 'saml',
  attributes: { ...ALWAYS, ...attributes },
  fullScopeAllowed: true,
  protocolMappers,
});
const POST = { saml_assertion_consumer_url_post: 'https://sp/acs' };
const plain = client('urn:sp', ['https://sp/acs'], POST);

test('SAML metadata: metadata of a service provider become the client that Keycloak 26.7.3 makes of them', async (t) => {
  const { call, realm, made } = await calledRealm(shared());
  const convert = (text: string, type: string) =>
    call('POST', `${realm}/client-description-converter`, text, { 'content-type': type });
  const full = sp(
    key('signing') +
      key('encryption') +
      at('SingleLogoutService', 'HTTP-POST', 'https://sp/slo') +
      at('SingleLogoutService', 'HTTP-Redirect', 'https://sp/slo-r') +
      at('SingleLogoutService', 'SOAP', 'https://sp/slo-s') +
      at('SingleLogoutService', 'HTTP-Artifact', 'https://sp/slo-a') +
      format('2.0:nameid-format:persistent') +
      acs('HTTP-POST', 'https://sp/acs') +
      acs('HTTP-POST', 'https://sp/second', 'index="5" isDefault="true"') +
      acs('HTTP-Redirect', 'https://sp/acs-r') +
      acs('PAOS', 'https://sp/acs-p') +
      acs('HTTP-Artifact', 'https://sp/acs-a'),
    'AuthnRequestsSigned="true" WantAssertionsSigned="true"',
  );
  const all = client('urn:sp', ['https://sp/acs', 'https://sp/acs-r', 'https://sp/acs-p', 'https://sp/acs-a'], {
    ...POST,
    'saml.assertion.signature': 'true',
    'saml.client.signature': 'true',
    'saml.signing.certificate': CERTIFICATE,
    'saml.encrypt': 'true',
    'saml.encryption.certificate': CERTIFICATE,
    saml_name_id_format: 'persistent',
    saml_assertion_consumer_url_redirect: 'https://sp/acs-r',
    saml_artifact_binding_url: 'https://sp/acs-a',
    saml_single_logout_service_url_post: 'https://sp/slo',
    saml_single_logout_service_url_redirect: 'https://sp/slo-r',
    saml_single_logout_service_url_soap: 'https://sp/slo-s',
  });
  const minimal = acs('HTTP-POST', 'https://sp/acs');
  const named = (saml_name_id_format: string) => client('urn:sp', ['https://sp/acs'], { ...POST, saml_name_id_format });
  const asks =
    '<md:AttributeConsumingService index="0"><md:ServiceName xml:lang="en">S</md:ServiceName>' +
    '<md:RequestedAttribute Name="urn:oid:1" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri" FriendlyName="mail"/>' +
    '<md:RequestedAttribute Name="uid"/></md:AttributeConsumingService>';
  const mapper = (name: string, config: object) => ({
    name,
    protocol: 'saml',
    protocolMapper: 'saml-user-attribute-mapper',
    consentRequired: false,
    config: { 'attribute.name': name, ...config },
  });
  const one = { error: 'Expected one entity descriptor' };
  const unsupported = { error: 'Unsupported format' };
  const bad = { error: 'HTTP 400 Bad Request' };
  const rows: readonly (readonly [text: string, status: number, answer: object])[] = [
    [sp(minimal), 200, plain],
    [`\n\t<?xml version="1.0"?><!-- <a> -->${sp(minimal)}\n`, 200, plain],
    [list(sp(minimal)), 200, plain],
    [full, 200, all],
    [sp(''), 200, client('urn:sp', [], {})],
    [sp(key('') + minimal), 200, plain],
    [sp(minimal, '', 'urn:a&amp;b&#65;'), 200, { ...plain, clientId: 'urn:a&bA' }],
    [sp(format('1.1:nameid-format:unspecified') + minimal), 200, named('username')],
    [sp(format('1.1:nameid-format:emailAddress') + minimal), 200, named('email')],
    [sp(format('2.0:nameid-format:transient') + minimal), 200, named('transient')],
    [sp(format('9.9:other') + minimal), 200, plain],
    [
      sp(minimal + asks),
      200,
      client('urn:sp', ['https://sp/acs'], POST, [
        mapper('urn:oid:1', { 'attribute.nameformat': 'URI Reference', 'friendly.name': 'mail' }),
        mapper('uid', {}),
      ]),
    ],
    [list(sp(minimal), sp(minimal, '', 'urn:two')), 400, one],
    [idp(''), 400, { error: 'No SPSSODescriptorType defined in the entity descriptor file' }],
    [sp(minimal, '', ''), 400, bad],
    [sp(key('signing') + minimal).replace(WRAPPED, 'AAAA'), 400, bad],
    // Keycloak answers "HTTP 400 Bad Request".
    [`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${sp(minimal, '', '&e;')}`, 400, unsupported],
    [sp(minimal, '', '&e;'), 400, unsupported],
    [sp(minimal).replace('md:SPSSO', 'other:SPSSO'), 400, unsupported],
    [`${sp(minimal)}<a/>`, 400, unsupported],
    ['<a>'.repeat(5000), 400, unsupported],
    ['<a/>', 400, unsupported],
    ['<md:EntityDescriptor', 400, unsupported],
    ['hello', 400, unsupported],
    ['', 400, unsupported],
    ['[]', 400, unsupported],
  ];
  for (const [text, status, answer] of rows) {
    const got = await convert(text, 'application/xml');
    t.is(got.status, status, `${text.slice(0, 300)}\n${got.text}`);
    t.deepEqual(got.json, answer, text.slice(0, 300));
  }
  for (const type of ['text/plain', 'application/json']) t.is((await convert(sp(minimal), type)).status, 200, type);
  for (const type of ['text/plain', 'application/xml'])
    t.is((await convert('{"clientId":"x"}', type)).status, 200, type);
  t.is((await convert(sp(minimal), 'text/xml')).status, 415);
  // The result can be sent as a new client.
  const id = await made('/clients', all);
  t.like((await call('GET', `${realm}/clients/${id}`)).json, { protocol: 'saml', attributes: all.attributes });
});

test('SAML metadata: a client has the metadata that Keycloak writes, with its markup escaped', async (t) => {
  const { call, realm, made } = await calledRealm(shared());
  const both = {
    'saml.client.signature': 'false',
    'saml.assertion.signature': 'true',
    saml_name_id_format: 'email',
    saml_single_logout_service_url_post: 'https://sp/slo',
    saml_assertion_consumer_url_post: 'https://sp/acs',
    saml_single_logout_service_url_redirect: 'https://sp/slo-r',
    saml_assertion_consumer_url_redirect: 'https://sp/acs-r?a=1&b=2',
  };
  const unset = 'ERROR:ENDPOINT_NOT_SET';
  const email = '1.1:nameid-format:emailAddress';
  const other = '1.1:nameid-format:unspecified';
  const rows: readonly (readonly [object, object, readonly string[]])[] = [
    [{}, both, ['a&#60;&amp;', 'false', 'true', 'HTTP-POST', 'https://sp/slo', email, 'https://sp/acs']],
    [
      {},
      { ...both, 'saml.force.post.binding': 'false' },
      ['a&#60;&amp;', 'false', 'true', 'HTTP-Redirect', 'https://sp/slo-r', email, 'https://sp/acs-r?a=1&amp;b=2'],
    ],
    [{ adminUrl: 'https://sp' }, {}, ['a&#60;&amp;', 'true', 'false', 'HTTP-POST', 'https://sp', other, 'https://sp']],
    [{}, {}, ['a&#60;&amp;', 'true', 'false', 'HTTP-POST', unset, other, unset]],
    [{ protocol: 'openid-connect' }, {}, ['a&#60;&amp;', 'false', 'false', 'HTTP-Redirect', unset, other, unset]],
  ];
  for (const [members, attributes, [name, signs, wants, binding, slo, kind, login]] of rows) {
    const id = await made('/clients', { clientId: 'a<&', protocol: 'saml', ...members, attributes });
    const got = await call('GET', `${realm}/clients/${id}/installation/providers/saml-sp-descriptor`);
    t.is(got.headers.get('content-type')?.split(';', 1)[0], 'text/plain');
    t.is(
      got.text.replace(/ID="ID_[0-9a-f-]{36}"/, 'ID=""').replace(/>MII[^<]{1500,}</, '><'),
      '<md:EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ' +
        `entityID="${name}" ID=""><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="${signs}" WantAssertionsSigned="${wants}">` +
        // Keycloak generates a key for a signing client without one.
        `${signs === 'true' ? MADE_KEY : ''}<md:SingleLogoutService Binding="${BINDING}${binding}" Location="${slo}"></md:SingleLogoutService>${format(kind ?? '')}` +
        `<md:AssertionConsumerService Binding="${BINDING}${binding}" Location="${login}" isDefault="true" index="1"></md:AssertionConsumerService></md:SPSSODescriptor></md:EntityDescriptor>`,
    );
    t.is((await call('DELETE', `${realm}/clients/${id}`)).status, 204);
  }
  const keys = { 'saml.signing.certificate': 'AAAA', 'saml.encrypt': 'true', 'saml.encryption.certificate': 'BBBB' };
  const id = await made('/clients', { clientId: 'keys', protocol: 'saml', attributes: keys });
  const { text } = await call('GET', `${realm}/clients/${id}/installation/providers/saml-sp-descriptor`);
  t.regex(text, /use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>AAAA<.*use="encryption">.*>BBBB</);
});

test('SAML metadata: import-config reads an identity provider as Keycloak does', async (t) => {
  const { host, call, realm } = await calledRealm(shared());
  const send = async (file: string) => {
    const form = new FormData();
    form.set('providerId', 'saml');
    form.set('file', new Blob([file], { type: 'text/xml' }), 'metadata.xml');
    const request = new Request(`${host.url}/`, { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    return call('POST', `${realm}/identity-provider/import-config`, await request.text(), { 'content-type': type });
  };
  const bare = {
    idpEntityId: 'urn:idp',
    validateSignature: 'false',
    wantAuthnRequestsSigned: 'false',
    loginHint: 'false',
    postBindingAuthnRequest: 'false',
    postBindingResponse: 'false',
    postBindingLogout: 'false',
    artifactBindingResponse: 'false',
    addExtensionsElementWithKeyInfo: 'false',
    enabledFromMetadata: 'true',
  };
  const byPost = {
    ...bare,
    postBindingAuthnRequest: 'true',
    postBindingResponse: 'true',
    singleSignOnServiceUrl: 'https://i/p',
  };
  const post = at('SingleSignOnService', 'HTTP-POST', 'https://i/p');
  const redirect = at('SingleSignOnService', 'HTTP-Redirect', 'https://i/r');
  // As written, without surrounding spaces.
  const written = WRAPPED.trim();
  const signed = { ...byPost, validateSignature: 'true', signingCertificate: written };
  const logout = (binding: string) => at('SingleLogoutService', binding, 'https://i/slo');
  const rows: readonly (readonly [text: string, answer: object])[] = [
    [idp(''), bare],
    [idp(redirect), { ...bare, singleSignOnServiceUrl: 'https://i/r' }],
    [idp(redirect + post, 'WantAuthnRequestsSigned="true"'), { ...byPost, wantAuthnRequestsSigned: 'true' }],
    [
      idp(logout('HTTP-POST') + post),
      { ...byPost, postBindingLogout: 'true', singleLogoutServiceUrl: 'https://i/slo' },
    ],
    [idp(logout('HTTP-Redirect') + post), { ...byPost, singleLogoutServiceUrl: 'https://i/slo' }],
    [idp(logout('SOAP') + post), byPost],
    [
      idp(at('ArtifactResolutionService', 'SOAP', 'https://i/a') + post),
      { ...byPost, artifactResolutionServiceUrl: 'https://i/a' },
    ],
    [idp(key('signing') + post), signed],
    [idp(key('signing') + key('signing') + post), { ...signed, signingCertificate: `${written},${written}` }],
    [idp(key('') + post), { ...signed, encryptionPublicKey: written }],
    [idp(key('encryption') + post), { ...byPost, encryptionPublicKey: written }],
    [
      idp(format('1.1:nameid-format:emailAddress') + format('2.0:nameid-format:persistent') + post),
      { ...byPost, nameIDPolicyFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
    ],
    [list(idp(post), idp(redirect, '', 'urn:two')), byPost],
    [
      idp(post).replace('entityID', 'validUntil="2020-01-01T00:00:00Z" entityID'),
      { ...byPost, enabledFromMetadata: 'false' },
    ],
    [sp(''), {}],
  ];
  for (const [text, answer] of rows) {
    const got = await send(text);
    t.is(got.status, 200, got.text);
    t.deepEqual(got.json, answer, text.slice(0, 300));
  }
  // Keycloak answers these with 500.
  for (const text of ['hello', '<a/>', `<!DOCTYPE x>${idp(post)}`]) {
    const got = await send(text);
    const told = { error: 'invalid_request', error_description: 'Cannot parse the SAML metadata' };
    t.deepEqual([got.status, got.json], [400, told]);
  }
});

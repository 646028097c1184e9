import test, { type ExecutionContext } from 'ava';
import { adminCaller, administered, clientUuid, ownRealm } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

type Settings = Record<string, unknown>;
type Case = readonly [client: Settings, answer: string];

const H = 'https://a.test';
const HTTP = 'http://a.test/x';
const attribute = (name: string, value: string) => ({ attributes: { [name]: value } });

async function started(t: ExecutionContext) {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const clients = `/realms/${host.defaultRealm}/clients`;
  let number = 0;
  const ask = async (executor: string, configuration: Settings) => {
    const { status, text } = await call('PUT', `/realms/${host.defaultRealm}`, onePolicy([[executor, configuration]]));
    t.is(status, 204, text);
  };
  return {
    host,
    call,
    clients,
    ask,
    /** Creates clients and compares the answers. */
    check: async (executor: string, configuration: Settings, cases: readonly Case[]) => {
      await ask(executor, configuration);
      for (const [client, answer] of cases) {
        number += 1;
        const { status, json } = await call('POST', clients, { clientId: `${executor}-${number}`, ...client });
        const { error, error_description: words } = json as Record<string, string>;
        const said = status === 201 ? 'created' : `${error}: ${words}`;
        t.is(said, answer, `${executor} ${JSON.stringify(configuration)} ${JSON.stringify(client)}`);
      }
    },
    /** Creates a client and returns it as stored. */
    made: async (clientId: string, client: Settings) => {
      const { status, text } = await call('POST', clients, { clientId, ...client });
      t.is(status, 201, text);
      return (await call('GET', `${clients}/${await clientUuid(host, clientId)}`)).json as unknown as Settings & {
        attributes: Record<string, string>;
      };
    },
  };
}

const refused = (words: string) => `invalid_client_metadata: ${words}`;

test('client policy executors: clients are kept from browser and password grants, or are corrected', async (t) => {
  const { check, ask, made, call, clients, host } = await started(t);
  // Recorded from Keycloak 26.7.3. If it fails for an absent member, the member counts as empty here.
  const implicit = refused('Invalid client metadata: implicit flow enabled');
  const password = refused('Invalid client metadata: resource owner password credentials grant enabled');
  const detached = refused('Invalid client metadata: ID Token as detached signature in disabled');
  const front = 'invalid_registration: Front-channel logout is not allowed for this client';
  await check('reject-implicit-grant', { 'auto-configure': false }, [
    [{}, 'created'],
    [{ implicitFlowEnabled: true }, implicit],
    [{ implicitFlowEnabled: false }, 'created'],
  ]);
  await check('reject-ropc-grant', { 'auto-configure': false }, [
    [{ directAccessGrantsEnabled: true }, password],
    [{ directAccessGrantsEnabled: false }, 'created'],
  ]);
  await check('secure-response-type', {}, [
    [{}, detached],
    [attribute('id.token.as.detached.signature', 'true'), 'created'],
    [attribute('id.token.as.detached.signature', 'false'), detached],
  ]);
  await check('secure-logout', {}, [
    [{}, 'created'],
    [{ frontchannelLogout: true }, front],
    [attribute('frontchannel.logout.url', `${H}/l`), front],
  ]);
  await check('secure-logout', { 'allow-front-channel-logout': true }, [
    [{ frontchannelLogout: true }, 'created'],
    [attribute('frontchannel.logout.url', `${H}/l`), 'created'],
  ]);
  for (const [executor, wrong, right] of [
    ['reject-implicit-grant', { implicitFlowEnabled: true }, { implicitFlowEnabled: false }],
    ['reject-ropc-grant', { directAccessGrantsEnabled: true }, { directAccessGrantsEnabled: false }],
    ['secure-response-type', {}, attribute('id.token.as.detached.signature', 'true')],
  ] as const) {
    await ask(executor, { 'auto-configure': 'true' });
    t.like(await made(`right-${executor}`, wrong), right, executor);
    const id = await clientUuid(host, `right-${executor}`);
    t.is((await call('PUT', `${clients}/${id}`, wrong)).status, 204);
    t.like((await call('GET', `${clients}/${id}`)).json, right, executor);
  }
});

test('client policy executors: SAML clients sign, get responses by POST and have addresses with TLS; other clients are unaffected', async (t) => {
  const { check } = await started(t);
  // Recorded from Keycloak 26.7.3. The clients have a certificate of their own, since each would get a new key
  // otherwise.
  const saml = ({ attributes, ...more }: Settings = {}) => ({
    protocol: 'saml',
    attributes: { 'saml.signing.certificate': 'MIIB', ...(attributes as object) },
    ...more,
  });
  const unsigned = refused(
    'Signatures not ensured for the client. Ensure Client signature required and Sign documents or Sign assertions are ON',
  );
  const signs = (client: string, server: string, assertion: string) =>
    saml({
      attributes: {
        'saml.client.signature': client,
        'saml.server.signature': server,
        'saml.assertion.signature': assertion,
      },
    });
  await check('saml-signature-enforcer', {}, [
    [saml(), 'created'],
    [signs('true', 'true', 'true'), 'created'],
    [signs('true', 'true', 'false'), 'created'],
    [signs('true', 'false', 'true'), 'created'],
    [signs('true', 'false', 'false'), unsigned],
    [signs('false', 'true', 'true'), unsigned],
    [signs('false', 'false', 'false'), unsigned],
    [{}, 'created'],
  ]);
  const unforced = refused('Force POST binding is not enabled');
  await check('saml-avoid-redirect', {}, [
    [saml(), 'created'],
    [saml(attribute('saml.force.post.binding', 'true')), 'created'],
    [saml(attribute('saml.force.post.binding', 'false')), unforced],
    [saml({ attributes: { 'saml.force.post.binding': 'false', 'saml.artifact.binding': 'true' } }), unforced],
    [saml(attribute('saml_assertion_consumer_url_redirect', H)), 'created'],
    [{}, 'created'],
  ]);
  const insecure = (name: string) => refused(`Non secure scheme for ${name}`);
  const redirects = 'Valid redirect URIs';
  const common: Case[] = [
    [saml(), 'created'],
    [saml({ rootUrl: 'http://a.test' }), insecure('Root URL')],
    [saml({ rootUrl: H }), 'created'],
    [saml({ adminUrl: 'http://a.test' }), insecure('Master SAML Processing URL')],
    [saml({ baseUrl: 'http://a.test' }), insecure('Home URL')],
    [saml({ rootUrl: H, baseUrl: '/x' }), insecure('Home URL')],
    [saml({ redirectUris: ['http://a.test/x'] }), insecure(redirects)],
    [saml({ redirectUris: [`${H}/x?a=*`] }), 'created'],
    [saml({ redirectUris: [`${H}/x*y`] }), 'created'],
    [saml({ redirectUris: ['/x'] }), insecure(redirects)],
    [saml({ rootUrl: H, redirectUris: ['/x'] }), 'created'],
    [saml({ redirectUris: ['HTTPS://a.test/x'] }), insecure(redirects)],
    [
      saml(attribute('saml_assertion_consumer_url_post', HTTP)),
      insecure('Assertion Consumer Service POST Binding URL'),
    ],
    [
      saml(attribute('saml_assertion_consumer_url_redirect', HTTP)),
      insecure('Assertion Consumer Service Redirect Binding URL'),
    ],
    [saml(attribute('saml_artifact_binding_url', HTTP)), insecure('Artifact Binding URL')],
    [saml(attribute('saml_single_logout_service_url_post', HTTP)), insecure('Logout Service POST Binding URL')],
    [saml(attribute('saml_single_logout_service_url_artifact', HTTP)), insecure('Logout Service ARTIFACT Binding URL')],
    [saml(attribute('saml_single_logout_service_url_redirect', HTTP)), insecure('Logout Service Redirect Binding URL')],
    [saml(attribute('saml_single_logout_service_url_soap', HTTP)), insecure('Logout Service SOAP Binding URL')],
    [saml(attribute('saml_artifact_resolution_service_url', HTTP)), insecure('Artifact Resolution Service')],
    [saml(attribute('logoUri', HTTP)), 'created'],
    [{ redirectUris: ['http://a.test/x'] }, 'created'],
  ];
  const starred = (address: string) => refused(`Unsecure wildcard redirect ${address} for ${redirects}`);
  await check('saml-secure-client-uris', {}, [
    ...common,
    [saml({ redirectUris: [`${H}/*`] }), starred(`${H}/*`)],
    [saml({ rootUrl: H, redirectUris: ['/x/*'] }), starred(`${H}/x/*`)],
  ]);
  await check('saml-secure-client-uris', { 'allow-wildcard-redirects': true }, [
    [saml({ redirectUris: [`${H}/*`] }), 'created'],
    [saml({ redirectUris: ['http://a.test/*'] }), insecure(redirects)],
  ]);
});

test('client policy executors: every URL of a client is complete, has TLS and no wildcard', async (t) => {
  const { check, ask, made } = await started(t);
  // Recorded from Keycloak 26.7.3.
  await check('secure-client-uris', {}, [
    [{}, 'created'],
    [{ rootUrl: H }, 'created'],
    [{ rootUrl: 'http://a.test' }, refused('Invalid rootUrl')],
    [{ rootUrl: `${H}/*` }, refused('Invalid rootUrl')],
    [{ adminUrl: 'http://a.test' }, refused('Invalid adminUrl')],
    [{ adminUrl: H }, 'created'],
    [{ baseUrl: '/x' }, refused('Invalid baseUrl')],
    [{ baseUrl: `${H}/x` }, 'created'],
    [{ baseUrl: '' }, 'created'],
    [{ rootUrl: H, baseUrl: '/x' }, refused('Invalid baseUrl')],
    [{ rootUrl: H, redirectUris: ['/cb'] }, refused('Invalid redirectUris')],
    [{ redirectUris: [`${H}/cb`] }, 'created'],
    [{ redirectUris: [`${H}/*`] }, refused('Invalid redirectUris')],
    [{ redirectUris: ['http://localhost/cb'] }, refused('Invalid redirectUris')],
    [{ redirectUris: ['com.app:/cb'] }, refused('Invalid redirectUris')],
    [{ redirectUris: [`${H}/cb`], webOrigins: ['+'] }, 'created'],
    [{ redirectUris: [`${H}/cb`], webOrigins: ['*'] }, refused('Invalid webOrigins')],
    [{ webOrigins: [H] }, 'created'],
    [{ webOrigins: ['http://a.test'] }, refused('Invalid webOrigins')],
    [attribute('backchannel.logout.url', HTTP), refused('Invalid logoutUrl')],
    [attribute('frontchannel.logout.url', HTTP), 'created'],
    [attribute('jwks.url', HTTP), refused('Invalid jwksUri')],
    [attribute('jwks.url', H), 'created'],
    [attribute('request.uris', `${H}##http://b.test`), refused('Invalid requestUris')],
    [attribute('request.uris', ''), 'created'],
    [
      attribute('ciba.backchannel.client.notification.endpoint', HTTP),
      refused('Invalid cibaClientNotificationEndpoint'),
    ],
    [attribute('post.logout.redirect.uris', HTTP), refused('Invalid postLogoutUris')],
    [attribute('post.logout.redirect.uris', '+'), 'created'],
    [attribute('post.logout.redirect.uris', '-'), refused('Invalid postLogoutUris')],
    [
      { redirectUris: [`${H}/cb`], ...attribute('post.logout.redirect.uris', `${H}/a##http://x.test/b`) },
      refused('Invalid postLogoutUris'),
    ],
    [attribute('logoUri', 'http://x'), refused('Invalid logoUri')],
    [attribute('tosUri', 'http://x'), refused('Invalid tosUri')],
    [attribute('policyUri', 'http://x'), refused('Invalid policyUri')],
  ]);
  await ask('secure-client-uris', {});
  t.deepEqual((await made('rooted', { rootUrl: H })).redirectUris, [H], 'the root is where users go back to');
});

test('client policy executors: URLs of clients match one of the patterns entirely, in the chosen fields', async (t) => {
  const { check, call, host } = await started(t);
  const none = (field: string) => refused(`Invalid ${field}: No valid allowed patterns configured`);
  // Recorded from Keycloak 26.7.3.
  await check('secure-client-uris-pattern', {}, [
    [{}, 'created'],
    [{ rootUrl: 'http://a.test' }, none('rootUrl')],
    [attribute('post.logout.redirect.uris', '+'), none('postLogoutRedirectUris')],
    [attribute('sectorIdentifierUri', 'http://x'), none('sectorIdentifierUri')],
  ]);
  await check('secure-client-uris-pattern', { 'allowed-patterns': ['^https://.*'] }, [
    [{ redirectUris: [`${H}/cb`] }, 'created'],
    [{ redirectUris: [HTTP] }, refused('Invalid redirectUris')],
    [{ baseUrl: '/x' }, refused('Invalid baseUrl')],
    [{ webOrigins: ['+'] }, refused('Invalid webOrigins')],
    [attribute('post.logout.redirect.uris', '+'), refused('Invalid postLogoutRedirectUris')],
    [attribute('logoUri', 'http://x'), refused('Invalid logoUri')],
    [attribute('backchannel.logout.url', HTTP), refused('Invalid backchannelLogoutUrl')],
    [attribute('request.uris', HTTP), refused('Invalid requestUris')],
    [attribute('jwks.url', HTTP), refused('Invalid jwksUri')],
  ]);
  await check('secure-client-uris-pattern', { 'allowed-patterns': ['a.test'] }, [
    [{ redirectUris: [`${H}/cb`] }, refused('Invalid redirectUris')],
  ]);
  // Recorded from Keycloak 26.7.3: an origin never matches a pattern with a path. The first client has no origin.
  await check('secure-client-uris-pattern', { 'allowed-patterns': ['https://[^/]+/.*'] }, [
    [{ redirectUris: [`${H}/cb`], webOrigins: null }, 'created'],
    [{ redirectUris: [`${H}/cb`], webOrigins: [H] }, refused('Invalid webOrigins')],
  ]);
  const some = { 'allowed-patterns': ['https://.*'], 'client-uri-fields': ['redirectUris'] };
  await check('secure-client-uris-pattern', some, [
    [{ rootUrl: 'http://a.test' }, 'created'],
    [{ redirectUris: [HTTP] }, refused('Invalid redirectUris')],
  ]);
  // Keycloak ignores these mistakes, so that an admin would not notice that nothing is checked.
  for (const [wrong, words] of [
    [{ 'allowed-patterns': ['['] }, /not a regular expression of RE2/],
    [{ 'client-uri-fields': ['nope'] }, /client-uri-fields/],
  ] as const) {
    const answer = await call(
      'PUT',
      `/realms/${host.defaultRealm}`,
      onePolicy([['secure-client-uris-pattern', wrong]]),
    );
    t.is(answer.status, 400);
    t.regex(answer.text, words);
  }
});

test('client policy executors: signature algorithms of clients are strong, or are changed to strong ones', async (t) => {
  const { check, ask, made } = await started(t);
  const weak = 'invalid_request: not allowed signature algorithm.';
  // Recorded from Keycloak 26.7.3.
  await check('secure-signature-algorithm', {}, [
    [{}, 'created'],
    [attribute('user.info.response.signature.alg', 'RS256'), weak],
    [attribute('request.object.signature.alg', 'any'), weak],
    [attribute('id.token.signed.response.alg', 'ES512'), 'created'],
    [attribute('access.token.signed.response.alg', 'EdDSA'), weak],
    [attribute('token.endpoint.auth.signing.alg', 'HS512'), weak],
  ]);
  const names = [
    'user.info.response.signature.alg',
    'id.token.signed.response.alg',
    'token.endpoint.auth.signing.alg',
    'access.token.signed.response.alg',
  ];
  for (const [configuration, given] of [
    [{}, 'PS256'],
    [{ 'default-algorithm': 'ES256' }, 'ES256'],
  ] as const) {
    await ask('secure-signature-algorithm', configuration);
    const { attributes } = await made(`given-${given}`, attribute('id.token.signed.response.alg', 'ES512'));
    t.deepEqual(
      names.map((name) => attributes[name]),
      [given, 'ES512', given, given],
    );
    t.is(attributes['request.object.signature.alg'], undefined, 'nothing would read it');
  }
});

test('client policy executors: if all requests are refused, no client is created or changed, and none gets a secret', async (t) => {
  const { check, call, clients, host } = await started(t);
  const id = await clientUuid(host, 'web');
  await check('reject-request', {}, [[{}, 'invalid_request: Request not allowed']]);
  const refusal = { status: 400, json: { error: 'invalid_request', error_description: 'Request not allowed' } };
  t.like(await call('PUT', `${clients}/${id}`, { description: 'x' }), refusal);
  t.like(await call('POST', `${clients}/${id}/client-secret`), refusal);
});

import type { Mistake } from './mistake.js';

/** Members of a realm: its clients. */
export const CLIENT_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'a misspelt key of a client',
    text: '"clients": [{ "clientId": "a", ▶"publicCliend": true }]',
    message: 'clients[0].publicCliend: unknown key (did you mean "publicClient"?)',
  },
  {
    mistake: 'a client without a name',
    text: '"clients": [▶{ "name": "a" }]',
    message: 'clients[0]: "clientId" is missing',
  },
  {
    mistake: 'an object instead of a list',
    text: '"clients": [{ "clientId": "a", ▶"redirectUris": { "0": "https://a.test/*" } }]',
    message: 'clients[0].redirectUris: must be an array',
  },
  {
    mistake: 'a client twice',
    text: '"clients": [{ "clientId": "a" }, { "clientId": "b" }, { ▶"clientId": "a" }]',
    message: 'clients[2].clientId: the client "a" is used twice',
    together: true,
  },
  {
    mistake: 'a client’s id twice',
    text: '"clients": [{ "clientId": "a", "id": "1" }, { "clientId": "b", ▶"id": "1" }]',
    message: 'clients[1].id: the client id "1" is used twice',
  },
  {
    mistake: 'a flow of a client that there is not',
    text: '"authenticationFlows": [{ "id": "7b0c", "alias": "strict" }],\n "clients": [{ "clientId": "a",\n "authenticationFlowBindingOverrides": { "browser": "7b0c", ▶"direct_grant": "strikt" } }]',
    message:
      'clients[0].authenticationFlowBindingOverrides.direct_grant: there is no authentication flow "strikt" (did you mean "strict"?)',
  },
  {
    mistake: 'a misspelt binding of a flow',
    text: '"clients": [{ "clientId": "a",\n "authenticationFlowBindingOverrides": { ▶"direct-grant": "browser" } }]',
    message: 'clients[0].authenticationFlowBindingOverrides.direct-grant: unknown key (did you mean "direct_grant"?)',
  },
  ...[
    ['a script as a redirect URI', 'javascript:alert(1)', 'must not have this scheme'],
    ['a blank in a redirect URI', 'https://a.test/ b', 'must not contain spaces, backslashes or control characters'],
    [
      'a backslash in a redirect URI',
      'https://a.test\\\\@b.test',
      'must not contain spaces, backslashes or control characters',
    ],
    ['a fragment in a redirect URI', 'https://a.test/#x', 'must not have a fragment'],
    ['a star in a host', 'https://*.a.test/cb', 'must have "*" only at the end of the path'],
    ['a star behind a host', 'https://a.test*', 'must have "*" only at the end of the path'],
    ['a star in the middle of a path', 'https://a.test/*/cb', 'must have "*" only at the end of the path'],
  ].map(([mistake = '', uri = '', message = '']) => ({
    mistake,
    text: `"clients": [{ "clientId": "a", "redirectUris": ["https://a.test/cb", ▶"${uri}"] }]`,
    message: `clients[0].redirectUris[1]: ${message}`,
  })),
  ...[
    ['a lifespan in words', 'access.token.lifespan', '5m', 'must be a number of seconds in double quotes'],
    ['an idle time with a point', 'client.session.idle.timeout', '1.5', 'must be a number of seconds in double quotes'],
    ['a switch that says yes', 'use.refresh.tokens', 'yes', 'must be "true" or "false"'],
    [
      'a lifespan of device codes in words',
      'oauth2.device.code.lifespan',
      '10m',
      'must be a number of seconds in double quotes',
    ],
    [
      'a misspelt switch of the device grant',
      'oauth2.device.authorization.grant.enabled',
      'ture',
      'must be "true" or "false" (did you mean "true"?)',
    ],
    [
      'a switch in capitals',
      'standard.token.exchange.enabled',
      'TRUE',
      'must be "true" or "false" (did you mean "true"?)',
    ],
    ...['jwks.url', 'backchannel.logout.url', 'frontchannel.logout.url'].map((name) => [
      `${name} that is no web address`,
      name,
      'file:///etc/passwd',
      'must be an http or https URL, or a path below rootUrl',
    ]),
    ...['no JSON', '[]', '{}', `{\\"keys\\": ${'['.repeat(201)}${']'.repeat(201)}}`].map((keys) => [
      `keys that are none: ${keys.slice(0, 20)}`,
      'jwks.string',
      keys,
      'must be a JSON Web Key Set such as {"keys": […]}',
    ]),
    [
      'a script to go to after a logout',
      'post.logout.redirect.uris',
      'https://a.test/##javascript:alert(1)',
      'must not have this scheme',
    ],
    [
      'a misspelt algorithm of a client',
      'id.token.signed.response.alg',
      'RS265',
      'must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, HS256, HS384, HS512 (did you mean "RS256"?)',
    ],
  ].map(([mistake = '', name = '', value = '', message = '']) => ({
    mistake,
    text: `"clients": [{ "clientId": "a", "attributes": { ▶"${name}": "${value}", "use.jwks.string": "true" } }]`,
    message: `clients[0].attributes["${name}"]: ${message}`,
  })),
  {
    mistake: 'a script as the address of an application',
    text: '"clients": [{ "clientId": "a", ▶"rootUrl": "javascript:alert(1)" }]',
    message: 'clients[0].rootUrl: must not have this scheme',
  },
  {
    mistake: 'a line break in a clientId',
    text: '"clients": [{ ▶"clientId": "a\\nb" }]',
    message: 'clients[0].clientId: must be a string without control characters',
  },
  {
    mistake: 'a list as an attribute',
    text: '"clients": [{ "clientId": "a", "attributes": { ▶"access.token.lifespan": ["60"] } }]',
    message: 'clients[0].attributes["access.token.lifespan"]: must be a string',
  },
  {
    mistake: 'impersonation by a public client',
    text: '"clients": [{ "clientId": "a", "publicClient": true, ▶"impersonation": { "enabled": true } }]',
    message: 'clients[0].impersonation: requires a confidential client',
  },
  {
    mistake: 'a misspelt key of impersonation',
    text: '"clients": [{ "clientId": "a", "impersonation": { ▶"audience": [] } }]',
    message: 'clients[0].impersonation.audience: unknown key (did you mean "audiences"?)',
  },
  {
    mistake: 'impersonation towards an unknown audience',
    text: '"clients": [{ "clientId": "orders" }, { "clientId": "a", "impersonation": { "enabled": true, "audiences": [▶"order"] } }]',
    message: 'clients[1].impersonation.audiences[0]: there is no client "order" (did you mean "orders"?)',
  },
  {
    mistake: 'impersonation for a scope that nobody has',
    text: '"clients": [{ "clientId": "a", "impersonation": { "enabled": true, "scopes": [▶"emial"] } }]',
    message: 'clients[0].impersonation.scopes[0]: no client scope matches "emial" (did you mean "email"?)',
  },
  {
    mistake: 'impersonation of subjects of another kind',
    text: '"clients": [{ "clientId": "a", "impersonation": { "enabled": true, ▶"subjects": "all" } }]',
    message: 'clients[0].impersonation.subjects: must be one of unprivileged, any',
  },
  {
    mistake: 'a misspelt protocol mapper',
    text: '"clients": [{ "clientId": "a", "protocolMappers": [{ "name": "m", ▶"protocolMapper": "oidc-audience-maper" }] }]',
    message:
      'clients[0].protocolMappers[0].protocolMapper: there is no protocol mapper "oidc-audience-maper" (did you mean "oidc-audience-mapper"?)',
  },
  {
    mistake: 'a misspelt protocol',
    text: '"clients": [{ "clientId": "a", ▶"protocol": "openid-conect" }]',
    message: 'clients[0].protocol: there is no protocol "openid-conect" (did you mean "openid-connect"?)',
  },
  {
    mistake: 'a misspelt client authenticator',
    text: '"clients": [{ "clientId": "a", ▶"clientAuthenticatorType": "client-secrt" }]',
    message:
      'clients[0].clientAuthenticatorType: there is no client authenticator "client-secrt" (did you mean "client-secret"?)',
  },
];

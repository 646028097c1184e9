/** Stands in front of what a message has to point at. */
export const HERE = '▶';

export interface Mistake {
  readonly mistake: string;
  /** Marked with HERE. */
  readonly text: string;
  /** What follows `file:line:column `. */
  readonly message: string;
  /** It can stand in one file with the others of these, each with another top-level key. */
  readonly together?: true;
}

/** Whole files. */
export const TEXT_MISTAKES: readonly Mistake[] = [
  { mistake: 'nothing in it', text: '▶', message: ': not JSON: the file is empty' },
  { mistake: 'blanks alone', text: '▶ \n\n', message: ': not JSON: the file is empty' },
  {
    mistake: 'its end cut off',
    text: '{\n  "realm": "x",\n  "clients": [▶',
    message: ': not JSON: the file ends too early',
  },
  { mistake: 'a text cut off', text: '{\n  "realm": ▶"x', message: ': not JSON: the closing double quote is missing' },
  {
    mistake: 'something after its end',
    text: '{ "realm": "x" }\n▶{}',
    message: ': not JSON: something follows the end',
  },
  { mistake: 'a comma too many', text: '{\n  "realm": "x",\n▶}', message: ': not JSON: there is a comma before "}"' },
  {
    mistake: 'a comma too few',
    text: '{\n  "realm": "x"\n  ▶"enabled": true\n}',
    message: ': not JSON: "," is expected',
  },
  { mistake: 'single quotes', text: "{ ▶'realm': 'x' }", message: ': not JSON: a key in double quotes is expected' },
  {
    mistake: 'a bare word as a value',
    text: '{ "realm": ▶x }',
    message: ': not JSON: a text in double quotes, a number, true, false or null is expected',
  },
  { mistake: 'a colon too few', text: '{ "realm" ▶"x", }', message: ': not JSON: ":" is expected' },
  { mistake: 'a comment', text: '{\n  ▶// the realm\n  "realm": "x"\n}', message: ': not JSON: it has no comments' },
  {
    mistake: 'a bad escape',
    text: '{ "realm": ▶"\\x" }',
    message: ': not JSON: this "\\" escapes nothing: write "\\\\"',
  },
  { mistake: 'a list instead of a realm', text: '▶[]', message: ': must be an object' },
  { mistake: 'null instead of a realm', text: '▶null', message: ': must be an object' },
  { mistake: 'no name', text: '▶{ "enabled": true }', message: ': "realm" is missing' },
  {
    mistake: 'a slash in its name',
    text: '{ ▶"realm": "a/b" }',
    message: 'realm: must be 1 to 64 of A-Z a-z 0-9 . _ -, and neither "." nor ".."',
  },
  {
    mistake: 'a key given twice',
    text: '{ "realm": "x",\n "clients": [{ "clientId": "a", ▶"clientId": "b" }] }',
    message: 'clients[0].clientId: the key "clientId" stands here twice',
  },
  {
    mistake: 'a key that reaches the prototype',
    text: '{ "realm": "x",\n "attributes": { ▶"__proto__": "y" } }',
    message: 'attributes.__proto__: the key "__proto__" is not allowed',
  },
];

const dots = (length: number) => 'x'.repeat(length);

/** Members of a realm. */
export const REALM_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'a misspelt key of the realm',
    text: '▶"acessTokenLifespan": 60',
    message: 'acessTokenLifespan: unknown key (did you mean "accessTokenLifespan"?)',
    together: true,
  },
  { mistake: 'a text for a switch', text: '▶"enabled": "yes"', message: 'enabled: must be a boolean', together: true },
  {
    mistake: 'a text for a number',
    text: '▶"ssoSessionIdleTimeout": "30m"',
    message: 'ssoSessionIdleTimeout: must be an integer',
    together: true,
  },
  {
    mistake: 'a lifespan of no time',
    text: '▶"accessTokenLifespan": 0',
    message: 'accessTokenLifespan: must be at least 1',
    together: true,
  },
  {
    mistake: 'a number beyond Keycloak’s',
    text: '▶"notBefore": 2147483648',
    message: 'notBefore: must be at most 2147483647',
    together: true,
  },
  {
    mistake: 'a word that is none of the allowed',
    text: '▶"sslRequired": "extern"',
    message: 'sslRequired: must be one of none, external, all (did you mean "external"?)',
    together: true,
  },
  {
    mistake: 'an algorithm that there is not',
    text: '▶"defaultSignatureAlgorithm": "RS265"',
    message:
      'defaultSignatureAlgorithm: must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA (did you mean "RS256"?)',
    together: true,
  },
  {
    mistake: 'a variable that is not set',
    text: '▶"displayName": "${env.KEYHOST_TEST_NEVER_SET}"',
    message: 'displayName: the environment variable KEYHOST_TEST_NEVER_SET is not set',
    together: true,
  },
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
    mistake: 'a text instead of a list',
    text: '"clients": [{ "clientId": "a", ▶"redirectUris": "https://a.test/*" }]',
    message: 'clients[0].redirectUris: must be an array',
  },
  {
    mistake: 'a client twice',
    text: '"clients": [{ "clientId": "a" }, { "clientId": "b" }, { ▶"clientId": "a" }]',
    message: 'clients[2].clientId: the client "a" stands here twice',
    together: true,
  },
  {
    mistake: 'a client’s id twice',
    text: '"clients": [{ "clientId": "a", "id": "1" }, { "clientId": "b", ▶"id": "1" }]',
    message: 'clients[1].id: the client id "1" stands here twice',
  },
  {
    mistake: 'a client scope that there is not',
    text: '"clients": [{ "clientId": "a",\n "optionalClientScopes": ["email", ▶"profil"] }]',
    message: 'clients[0].optionalClientScopes[1]: there is no client scope "profil" (did you mean "profile"?)',
  },
  ...[
    ['a script as a redirect URI', 'javascript:alert(1)', 'this scheme is not allowed in a redirect URI'],
    [
      'a blank in a redirect URI',
      'https://a.test/ b',
      'a redirect URI has no blanks, backslashes or control characters',
    ],
    [
      'a backslash in a redirect URI',
      'https://a.test\\\\@b.test',
      'a redirect URI has no blanks, backslashes or control characters',
    ],
    ['a fragment in a redirect URI', 'https://a.test/#x', 'a redirect URI has no fragment'],
    ['a star in a host', 'https://*.a.test/cb', '"*" may only end the path of a redirect URI'],
    ['a star behind a host', 'https://a.test*', '"*" may only end the path of a redirect URI'],
    ['a star in the middle of a path', 'https://a.test/*/cb', '"*" may only end the path of a redirect URI'],
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
      'a switch in capitals',
      'standard.token.exchange.enabled',
      'TRUE',
      'must be "true" or "false" (did you mean "true"?)',
    ],
    [
      'a misspelt algorithm of a client',
      'id.token.signed.response.alg',
      'RS265',
      'must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, HS256, HS384, HS512 (did you mean "RS256"?)',
    ],
  ].map(([mistake = '', name = '', value = '', message = '']) => ({
    mistake,
    text: `"clients": [{ "clientId": "a", "attributes": { ▶"${name}": "${value}" } }]`,
    message: `clients[0].attributes["${name}"]: ${message}`,
  })),
  {
    mistake: 'a number as an attribute',
    text: '"clients": [{ "clientId": "a", "attributes": { ▶"access.token.lifespan": 60 } }]',
    message: 'clients[0].attributes["access.token.lifespan"]: must be a string',
  },
  {
    mistake: 'impersonation by a public client',
    text: '"clients": [{ "clientId": "a", "publicClient": true, ▶"impersonation": { "enabled": true } }]',
    message: 'clients[0].impersonation: only a confidential client may impersonate',
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
    message: 'clients[0].impersonation.scopes[0]: no client scope is asked for by "emial" (did you mean "email"?)',
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
    mistake: 'a client scope with a blank',
    text: '"clientScopes": [{ ▶"name": "read all" }]',
    message: 'clientScopes[0].name: must be a word without blanks',
  },
  {
    mistake: 'a client scope twice',
    text: '"clientScopes": [{ "name": "read" }, { ▶"name": "read" }]',
    message: 'clientScopes[1].name: the client scope "read" stands here twice',
    together: true,
  },
  {
    mistake: 'a dynamic scope without a star',
    text: '"clientScopes": [{ "name": "read", "attributes": { "is.dynamic.scope": "true", ▶"dynamic.scope.regexp": "read" } }]',
    message: 'clientScopes[0].attributes["dynamic.scope.regexp"]: a dynamic scope needs a pattern such as "read:*"',
  },
  {
    mistake: 'a default scope that there is not',
    text: '"defaultDefaultClientScopes": [▶"emial"]',
    message: 'defaultDefaultClientScopes[0]: there is no client scope "emial" (did you mean "email"?)',
    together: true,
  },
  {
    mistake: 'a realm role twice',
    text: '"roles": { "realm": [{ "name": "reader" }, { ▶"name": "reader" }] }',
    message: 'roles.realm[1].name: the realm role "reader" stands here twice',
    together: true,
  },
  {
    mistake: 'a client role twice',
    text: '"clients": [{ "clientId": "a" }],\n  "roles": { "client": { "a": [{ "name": "r" }, { ▶"name": "r" }] } }',
    message: 'roles.client.a[1].name: the role of a "r" stands here twice',
  },
  {
    mistake: 'roles that are no list, but not what refers to them,',
    text: '"roles": { ▶"realm": "reader" },\n  "users": [{ "username": "ann", "realmRoles": ["reader"] }]',
    message: 'roles.realm: must be an array',
  },
  {
    mistake: 'roles of a client that there is not',
    text: '"roles": { "client": { ▶"acount": [] } }',
    message: 'roles.client.acount: there is no client "acount" (did you mean "account"?)',
  },
  {
    mistake: 'a composite of a role that there is not',
    text: '"roles": { "realm": [{ "name": "reader" }, { "name": "s", "composites": { "realm": [▶"reeder"] } }] }',
    message: 'roles.realm[1].composites.realm[0]: there is no realm role "reeder" (did you mean "reader"?)',
  },
  {
    mistake: 'a role’s id twice',
    text: '"roles": { "realm": [{ "name": "r", "id": "1" }], "client": { "account": [{ "name": "s", ▶"id": "1" }] } }',
    message: 'roles.client.account[0].id: the role id "1" stands here twice',
  },
  {
    mistake: 'a group’s id twice',
    text: '"groups": [{ "name": "a", "id": "1",\n "subGroups": [{ "name": "b", ▶"id": "1" }] }]',
    message: 'groups[0].subGroups[0].id: the group id "1" stands here twice',
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
  {
    mistake: 'a service account that does not say whose it is',
    text: '"clients": [{ "clientId": "w", "serviceAccountsEnabled": true }],\n  "users": [{ ▶"username": "service-account-w" }]',
    message: 'users[0].username: the name of a service account, and no "serviceAccountClientId" says whose',
  },
  {
    mistake: 'a group twice',
    text: '"groups": [{ "name": "team", "subGroups": [{ "name": "dev" }, { ▶"name": "dev" }] }]',
    message: 'groups[0].subGroups[1].name: the group "dev" stands here twice',
    together: true,
  },
  {
    mistake: 'a group’s role that there is not',
    text: '"groups": [{ "name": "team", "clientRoles": { "account": [▶"view-profil"] } }]',
    message:
      'groups[0].clientRoles.account[0]: there is no role of account "view-profil" (did you mean "view-profile"?)',
  },
  {
    mistake: 'a default group that there is not',
    text: '"groups": [{ "name": "team" }],\n  "defaultGroups": [▶"/teem"]',
    message: 'defaultGroups[0]: there is no group "/teem" (did you mean "/team"?)',
  },
  {
    mistake: 'a scope mapping of a client that there is not',
    text: '"scopeMappings": [{ ▶"client": "acount", "roles": [] }]',
    message: 'scopeMappings[0].client: there is no client "acount" (did you mean "account"?)',
    together: true,
  },
  {
    mistake: 'a user twice, in other letters',
    text: '"users": [{ "username": "ann" }, { ▶"username": "Ann" }]',
    message: 'users[1].username: the username "ann" stands here twice',
    together: true,
  },
  {
    mistake: 'a user’s id twice',
    text: '"users": [{ "username": "ann", "id": "1" }, { "username": "bob", ▶"id": "1" }]',
    message: 'users[1].id: the user id "1" stands here twice',
  },
  {
    mistake: 'an e-mail address twice',
    text: '"users": [{ "username": "a", "email": "a@b.test" }, { "username": "b", ▶"email": "A@b.test" }]',
    message: 'users[1].email: the e-mail address "a@b.test" stands here twice',
  },
  {
    mistake: 'a user’s group that there is not',
    text: '"groups": [{ "name": "team" }],\n  "users": [{ "username": "ann", "groups": [▶"/teams"] }]',
    message: 'users[0].groups[0]: there is no group "/teams" (did you mean "/team"?)',
  },
  {
    mistake: 'a user’s role that there is not',
    text: '"users": [{ "username": "ann", "realmRoles": [▶"ofline_access"] }]',
    message: 'users[0].realmRoles[0]: there is no realm role "ofline_access" (did you mean "offline_access"?)',
  },
  {
    mistake: 'a misspelt key of a user',
    text: '"users": [{ "username": "ann", ▶"emailVerfied": true }]',
    message: 'users[0].emailVerfied: unknown key (did you mean "emailVerified"?)',
  },
  {
    mistake: 'a service account of a client that there is not',
    text: '"users": [{ "username": "s", ▶"serviceAccountClientId": "worker" }]',
    message: 'users[0].serviceAccountClientId: there is no client "worker"',
  },
  {
    mistake: 'a second service account of a client',
    text: '"clients": [{ "clientId": "w" }],\n  "users": [{ "username": "s", "serviceAccountClientId": "w" }, { "username": "t", ▶"serviceAccountClientId": "w" }]',
    message: 'users[1].serviceAccountClientId: the service account of "w" stands here twice',
  },
  {
    mistake: 'an attribute of a user that is no list',
    text: '"users": [{ "username": "ann", "attributes": { ▶"1": "x" } }]',
    message: 'users[0].attributes["1"]: must be an array',
  },
  {
    mistake: 'a password without a value',
    text: '"users": [{ "username": "ann", "credentials": [▶{ "type": "password" }] }]',
    message: 'users[0].credentials[0]: a password needs "value", or "secretData" and "credentialData"',
  },
  {
    mistake: 'a password that is too long',
    text: `"users": [{ "username": "ann", "credentials": [▶{ "type": "password", "value": "${dots(4097)}" }] }]`,
    message: 'users[0].credentials[0]: a password has at most 4096 characters',
  },
  {
    mistake: 'a stored password whose data is no JSON',
    text: '"users": [{ "username": "ann", "credentials": [▶{ "type": "password", "secretData": "{value", "credentialData": "{}" }] }]',
    message: 'users[0].credentials[0]: this password cannot be read: its secretData does not hold JSON',
  },
  {
    mistake: 'a stored password of another algorithm',
    text: '"users": [{ "username": "ann", "credentials": [▶{ "type": "password", "secretData": "{\\"value\\":\\"AAAAAAAAAAAAAAAAAAAAAA==\\",\\"salt\\":\\"AAAA\\"}", "credentialData": "{\\"algorithm\\":\\"bcrypt\\"}" }] }]',
    message:
      'users[0].credentials[0]: this password cannot be read: its algorithm "bcrypt" is none of argon2, pbkdf2, pbkdf2-sha256, pbkdf2-sha512',
  },
  {
    mistake: 'a password policy that there is not',
    text: '▶"passwordPolicy": "lenght(8)"',
    message: 'passwordPolicy: the password policy "lenght" is not known (did you mean "length"?)',
    together: true,
  },
  {
    mistake: 'a password policy without a number',
    text: '▶"passwordPolicy": "digits(many)"',
    message: 'passwordPolicy: digits needs a whole number, not "many"',
  },
  {
    mistake: 'a misspelt event listener',
    text: '"eventsListeners": [▶"jboss-loging"]',
    message: 'eventsListeners[0]: there is no event listener "jboss-loging" (did you mean "jboss-logging"?)',
    together: true,
  },
  {
    mistake: 'a misspelt event type',
    text: '"enabledEventTypes": ["LOGIN", ▶"LOGIN_EROR"]',
    message: 'enabledEventTypes[1]: there is no event type "LOGIN_EROR" (did you mean "LOGIN_ERROR"?)',
    together: true,
  },
  {
    mistake: 'a realm attribute that is no number of seconds',
    text: '"attributes": { ▶"actionTokenGeneratedByUserLifespan.verify-email": "1h" }',
    message:
      'attributes["actionTokenGeneratedByUserLifespan.verify-email"]: must be a number of seconds in double quotes',
    together: true,
  },
  {
    mistake: 'a masked key',
    text: '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", "providerId": "rsa-generated", "config": { ▶"privateKey": ["**********"] } }] }',
    message:
      'components["org.keycloak.keys.KeyProvider"][0].config.privateKey: key component "k": the key is masked: export the realm with "kc.sh export", which writes its secrets',
    together: true,
  },
  {
    mistake: 'a key provider that there is not',
    text: '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", ▶"providerId": "rsa-generate", "config": {} }] }',
    message:
      'components["org.keycloak.keys.KeyProvider"][0].providerId: key component "k": the key provider "rsa-generate" is not known (did you mean "rsa-generated"?)',
  },
  {
    mistake: 'a misspelt type of components',
    text: '"components": { ▶"org.keycloak.keys.KeyProvder": [] }',
    message:
      'components["org.keycloak.keys.KeyProvder"]: unknown type of components (did you mean "org.keycloak.keys.KeyProvider"?)',
  },
  {
    mistake: 'a secret that is too short',
    text: '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", "providerId": "hmac-generated", "config": { "kid": ["1"], ▶"secret": ["c2hvcnQ"] } }] }',
    message:
      'components["org.keycloak.keys.KeyProvider"][0].config.secret: key component "k": the secret has 5 bytes; 32 are needed',
  },
  {
    mistake: 'a component’s value that is no list',
    text: '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", "providerId": "rsa-generated", "config": { ▶"priority": "100" } }] }',
    message: 'components["org.keycloak.keys.KeyProvider"][0].config.priority: must be an array',
  },
  {
    mistake: 'a key of the realm that cannot be read',
    text: '▶"privateKey": "AAAA"',
    message: 'privateKey: key of the realm: privateKey is not a PKCS#8 or PKCS#1 private key',
  },
  {
    mistake: 'a misspelt SPI',
    text: '"providers": { ▶"realm-restapi-extensio": {} }',
    message:
      'providers.realm-restapi-extensio: there is no provider of an SPI "realm-restapi-extensio" (did you mean "realm-restapi-extension"?)',
    together: true,
  },
  {
    mistake: 'a misspelt provider',
    text: '"providers": { "realm-restapi-extension": { ▶"newsleter": { "enabled": true } } }',
    message:
      'providers.realm-restapi-extension.newsleter: there is no realm-restapi-extension "newsleter" (did you mean "newsletter"?)',
  },
  {
    mistake: 'a provider’s configuration against its schema',
    text: '"providers": { "realm-restapi-extension": { "newsletter": { "enabled": true,\n "config": { ▶"authentication": "nome" } } } }',
    message:
      'providers.realm-restapi-extension.newsletter.config.authentication: must be one of client, none (did you mean "none"?)',
  },
  {
    mistake: 'a provider that is neither on nor off',
    text: '"providers": { "realm-restapi-extension": { "newsletter": { ▶"enable": true } } }',
    message: 'providers.realm-restapi-extension.newsletter.enable: unknown key (did you mean "enabled"?)',
  },
];

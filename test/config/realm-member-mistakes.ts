import type { Mistake } from './mistake.js';

/** Members of a realm but its clients and users. */
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
    mistake: 'a client scope with a blank',
    text: '"clientScopes": [{ ▶"name": "read all" }]',
    message: 'clientScopes[0].name: must be a word without spaces',
  },
  {
    mistake: 'a client scope twice',
    text: '"clientScopes": [{ "name": "read" }, { ▶"name": "read" }]',
    message: 'clientScopes[1].name: the client scope "read" is used twice',
    together: true,
  },
  {
    mistake: 'a dynamic scope without a star',
    text: '"clientScopes": [{ "name": "read", "attributes": { "is.dynamic.scope": "true", ▶"dynamic.scope.regexp": "read" } }]',
    message:
      'clientScopes[0].attributes["dynamic.scope.regexp"]: must be a pattern such as "read:*" for a dynamic scope',
  },
  {
    mistake: 'a realm role twice',
    text: '"roles": { "realm": [{ "name": "reader" }, { ▶"name": "reader" }] }',
    message: 'roles.realm[1].name: the realm role "reader" is used twice',
    together: true,
  },
  {
    mistake: 'a client role twice',
    text: '"clients": [{ "clientId": "a" }],\n  "roles": { "client": { "a": [{ "name": "r" }, { ▶"name": "r" }] } }',
    message: 'roles.client.a[1].name: the role of a "r" is used twice',
  },
  {
    mistake: 'roles that are no list, but not what refers to them,',
    text: '"roles": { ▶"realm": "reader" },\n  "users": [{ "username": "ann", "realmRoles": ["reader"] }]',
    message: 'roles.realm: must be an array',
  },
  {
    mistake: 'roles of a client that there is not',
    text: '"roles": { "client": { ▶"acount": [] } }',
    message: 'roles.client.acount: client "acount" not found (did you mean "account"?)',
  },
  {
    mistake: 'a composite of a role that there is not',
    text: '"roles": { "realm": [{ "name": "reader" }, { "name": "s", "composites": { "realm": [▶"reeder"] } }] }',
    message: 'roles.realm[1].composites.realm[0]: realm role "reeder" not found (did you mean "reader"?)',
  },
  {
    mistake: 'a role’s id twice',
    text: '"roles": { "realm": [{ "name": "r", "id": "1" }], "client": { "account": [{ "name": "s", ▶"id": "1" }] } }',
    message: 'roles.client.account[0].id: the role id "1" is used twice',
  },
  {
    mistake: 'a group’s id twice',
    text: '"groups": [{ "name": "a", "id": "1",\n "subGroups": [{ "name": "b", ▶"id": "1" }] }]',
    message: 'groups[0].subGroups[0].id: the group id "1" is used twice',
  },
  {
    mistake: 'a group twice',
    text: '"groups": [{ "name": "team", "subGroups": [{ "name": "dev" }, { ▶"name": "dev" }] }]',
    message: 'groups[0].subGroups[1].name: the group "dev" is used twice',
    together: true,
  },
  {
    mistake: 'groups below groups without end',
    text: `"groups": [${'{ "name": "g", "subGroups": ['.repeat(50)}▶{ "name": "g" }${'] }'.repeat(50)}]`,
    message: `groups[0]${'.subGroups[0]'.repeat(50)}: must be nested at most 50 levels deep`,
  },
  {
    mistake: 'a default group that there is not',
    text: '"groups": [{ "name": "team" }],\n  "defaultGroups": [▶"/teem"]',
    message: 'defaultGroups[0]: group "/teem" not found (did you mean "/team"?)',
  },
  {
    mistake: 'a scope mapping of a client that there is not',
    text: '"scopeMappings": [{ ▶"client": "acount", "roles": [] }]',
    message: 'scopeMappings[0].client: client "acount" not found (did you mean "account"?)',
    together: true,
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
    message: 'passwordPolicy: digits requires a whole number, not "many"',
  },
  {
    mistake: 'a misspelt event listener',
    text: '"eventsListeners": [▶"jboss-loging"]',
    message: 'eventsListeners[0]: event listener "jboss-loging" not found (did you mean "jboss-logging"?)',
    together: true,
  },
  {
    mistake: 'a misspelt event type',
    text: '"enabledEventTypes": ["LOGIN", ▶"LOGIN_EROR"]',
    message: 'enabledEventTypes[1]: event type "LOGIN_EROR" not found (did you mean "LOGIN_ERROR"?)',
    together: true,
  },
  {
    mistake: 'a realm attribute that is no number of seconds',
    text: '"attributes": { ▶"actionTokenGeneratedByUserLifespan.verify-email": "1h" }',
    message:
      'attributes["actionTokenGeneratedByUserLifespan.verify-email"]: must be a number of seconds in double quotes',
    together: true,
  },
  ...['0', '-1', '1m'].map((value) => ({
    // Keycloak stores the first two, and then answers each pushed request with 500.
    mistake: `a lifetime of pushed requests in which none can be used: ${value}`,
    text: `"attributes": { ▶"parRequestUriLifespan": "${value}" }`,
    message: 'attributes.parRequestUriLifespan: must be a number of seconds in double quotes, 1 or more',
  })),
  {
    mistake: 'a lifetime of device codes in which none can be used',
    text: '▶"oauth2DeviceCodeLifespan": 0',
    message: 'oauth2DeviceCodeLifespan: must be at least 1',
  },
  {
    mistake: 'an expiration of admin events in words',
    text: '"attributes": { ▶"adminEventsExpiration": "1h" }',
    message: 'attributes.adminEventsExpiration: must be a number of seconds in double quotes',
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
      'components["org.keycloak.keys.KeyProvider"][0].providerId: key component "k": unknown key provider "rsa-generate" (did you mean "rsa-generated"?)',
  },
  {
    mistake: 'a misspelt type of components',
    text: '"components": { ▶"org.keycloak.keys.KeyProvder": [] }',
    message:
      'components["org.keycloak.keys.KeyProvder"]: unknown type of components (did you mean "org.keycloak.keys.KeyProvider"?)',
  },
  {
    mistake: 'a secret that was damaged',
    text: '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", "providerId": "hmac-generated", "config": { "kid": ["1"], ▶"secret": ["c2h+cnQ"] } }] }',
    message:
      'components["org.keycloak.keys.KeyProvider"][0].config.secret: key component "k": the secret is not base64url',
  },
  {
    mistake: 'a component’s value that is no list',
    text: '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", "providerId": "rsa-generated", "config": { ▶"priority": {} } }] }',
    message: 'components["org.keycloak.keys.KeyProvider"][0].config.priority: must be an array',
  },
  {
    mistake: 'a key of the realm that cannot be read',
    text: '▶"privateKey": "AAAA"',
    message: 'privateKey: key of the realm: privateKey is not a PKCS#8 or PKCS#1 private key',
  },
  {
    mistake: 'a browser flow that there is not',
    text: '▶"browserFlow": "browsers"',
    message: 'browserFlow: authentication flow "browsers" not found (did you mean "browser"?)',
    together: true,
  },
  {
    mistake: 'a direct grant flow that there is not',
    text: '▶"directGrantFlow": "mine"',
    message: 'directGrantFlow: authentication flow "mine" not found',
    together: true,
  },
  {
    mistake: 'a flow twice',
    text: '"authenticationFlows": [{ "alias": "a" }, { ▶"alias": "a" }]',
    message: 'authenticationFlows[1].alias: the flow "a" is used twice',
    together: true,
  },
  {
    mistake: 'a flow without a name',
    text: '"authenticationFlows": [▶{ "id": "1" }]',
    message: 'authenticationFlows[0]: "alias" is missing',
  },
  {
    mistake: 'a misspelt key of a step',
    text: '"authenticationFlows": [{ "alias": "a", "authenticationExecutions": [{ ▶"authenticater": "x" }] }]',
    message:
      'authenticationFlows[0].authenticationExecutions[0].authenticater: unknown key (did you mean "authenticator"?)',
  },
  {
    mistake: 'a misspelt step',
    text: '"authenticationFlows": [{ "alias": "a", "authenticationExecutions": [{ ▶"authenticator": "auth-cooky" }] }]',
    message:
      'authenticationFlows[0].authenticationExecutions[0].authenticator: authenticator "auth-cooky" not found (did you mean "auth-cookie"?)',
  },
  {
    mistake: 'a misspelt SPI',
    text: '"providers": { ▶"realm-restapi-extensio": {} }',
    message:
      'providers.realm-restapi-extensio: SPI "realm-restapi-extensio" not found, or it has no providers (did you mean "realm-restapi-extension"?)',
    together: true,
  },
  {
    mistake: 'a misspelt provider',
    text: '"providers": { "realm-restapi-extension": { ▶"newsleter": { "enabled": true } } }',
    message:
      'providers.realm-restapi-extension.newsleter: realm-restapi-extension "newsleter" not found (did you mean "newsletter"?)',
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

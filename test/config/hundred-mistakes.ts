/**
 * A realm file with many mistakes, line by line. Each line has the messages at its marked positions, without the
 * `file:line:column ` in front.
 */
export const HUNDRED_MISTAKES: readonly (readonly [line: string, ...messages: string[]])[] = [
  ['{'],
  ['▶"realm": "a b",', 'realm: must be 1 to 64 of the characters A-Z a-z 0-9 . _ -, but not "." or ".."'],
  ['▶"enabled": "yes",', 'enabled: must be a boolean'],
  ['▶"acessTokenLifespan": 60,', 'acessTokenLifespan: unknown key (did you mean "accessTokenLifespan"?)'],
  ['▶"accessTokenLifespan": 0,', 'accessTokenLifespan: must be at least 1'],
  ['▶"ssoSessionIdleTimeout": "30m",', 'ssoSessionIdleTimeout: must be an integer'],
  ['▶"notBefore": 2147483648,', 'notBefore: must be at most 2147483647'],
  ['▶"sslRequired": "extern",', 'sslRequired: must be one of none, external, all (did you mean "external"?)'],
  [
    '▶"defaultSignatureAlgorithm": "RS265",',
    'defaultSignatureAlgorithm: must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA (did you mean "RS256"?)',
  ],
  [
    '▶"displayName": "${env.KEYHOST_TEST_NEVER_SET}",',
    'displayName: the environment variable KEYHOST_TEST_NEVER_SET is not set',
  ],
  ['▶"displayNameHtml": "${file.none.html}",', 'displayNameHtml: the file none.html does not exist'],
  [
    '▶"passwordPolicy": "lenght(8)",',
    'passwordPolicy: the password policy "lenght" is not known (did you mean "length"?)',
  ],
  ['▶"browserFlow": "browsers",', 'browserFlow: authentication flow "browsers" not found (did you mean "browser"?)'],
  ['▶"directGrantFlow": "mine",', 'directGrantFlow: authentication flow "mine" not found'],
  [
    '"eventsListeners": [▶"jboss-loging"],',
    'eventsListeners[0]: event listener "jboss-loging" not found (did you mean "jboss-logging"?)',
  ],
  ['"enabledEventTypes": ["LOGIN", "LOGIN_EROR"],'],
  ['▶"enabledEventTypes": ["LOGOUT"],', 'enabledEventTypes: the key "enabledEventTypes" is used twice'],
  ['"smtpServer": { "host": "mail", ▶"port": "many",', 'smtpServer.port: must be a port from 1 to 65535'],
  ['▶"from": "Us <us@example.test>",', 'smtpServer.from: must be one e-mail address without a name'],
  ['▶"repyTo": "us@example.test" },', 'smtpServer.repyTo: unknown key (did you mean "replyTo"?)'],
  [
    '"attributes": { ▶"actionTokenGeneratedByUserLifespan.verify-email": "1h",',
    'attributes["actionTokenGeneratedByUserLifespan.verify-email"]: must be a number of seconds in double quotes',
  ],
  ['▶"__proto__": "x",', 'attributes.__proto__: the key "__proto__" is not allowed'],
  ['▶"a": {} },', 'attributes.a: must be a string'],
  ['"clientScopes": [{ "name": "read" },'],
  ['{ ▶"name": "read" },', 'clientScopes[1].name: the client scope "read" is used twice'],
  ['{ ▶"name": "read all" },', 'clientScopes[2].name: must be a word without spaces'],
  [
    '{ "name": "files", "attributes": { "is.dynamic.scope": "true", ▶"dynamic.scope.regexp": "files" } },',
    'clientScopes[3].attributes["dynamic.scope.regexp"]: must be a pattern such as "read:*" for a dynamic scope',
  ],
  [
    '{ "name": "mapped", "protocolMappers": [{ "name": "m", ▶"protocolMapper": "oidc-audience-maper" },',
    'clientScopes[4].protocolMappers[0].protocolMapper: protocol mapper "oidc-audience-maper" not found (did you mean "oidc-audience-mapper"?)',
  ],
  ['▶{ "name": "n" }] }],', 'clientScopes[4].protocolMappers[1]: "protocolMapper" is missing'],
  ['"defaultDefaultClientScopes": [▶{}],', 'defaultDefaultClientScopes[0]: must be a string'],
  ['"roles": { "realm": [{ "name": "reader", "id": "1" },'],
  ['{ ▶"name": "reader" },', 'roles.realm[1].name: the realm role "reader" is used twice'],
  ['{ "name": "s", ▶"id": "1" },', 'roles.realm[2].id: the role id "1" is used twice'],
  [
    '{ "name": "t", "composites": { ▶"realms": [] } },',
    'roles.realm[3].composites.realms: unknown key (did you mean "realm"?)',
  ],
  ['{ "name": "u", ▶"composite": "yes" },', 'roles.realm[4].composite: must be a boolean'],
  ['{ "name": "v", ▶"compositse": {} },', 'roles.realm[5].compositse: unknown key (did you mean "composite"?)'],
  [
    '{ "name": "w", "composites": { "realm": ["reader", ▶"reeder"],',
    'roles.realm[6].composites.realm[1]: realm role "reeder" not found (did you mean "reader"?)',
  ],
  [
    '"client": { ▶"acount": ["view-profile"],',
    'roles.realm[6].composites.client.acount: client "acount" not found (did you mean "account"?)',
  ],
  [
    '"account": [▶"view-profil"] } } }],',
    'roles.realm[6].composites.client.account[0]: the client account has no role "view-profil" (did you mean "view-profile"?)',
  ],
  ['"client": { ▶"nowhere": [],', 'roles.client.nowhere: client "nowhere" not found'],
  [
    '"account": [{ "name": "mine" }, { ▶"name": "mine" },',
    'roles.client.account[1].name: the role of account "mine" is used twice',
  ],
  ['{ "name": "n", ▶"description": [] }] } },', 'roles.client.account[2].description: must be a string'],
  ['"groups": [{ "name": "team", "realmRoles": [▶{}],', 'groups[0].realmRoles[0]: must be a string'],
  [
    '"clientRoles": { ▶"acount": ["manage-account"] }, "id": "g1",',
    'groups[0].clientRoles.acount: client "acount" not found (did you mean "account"?)',
  ],
  [
    '"subGroups": [{ "name": "dev" }, { ▶"name": "dev" },',
    'groups[0].subGroups[1].name: the group "dev" is used twice',
  ],
  ['{ "name": "ops", ▶"id": "g1" },', 'groups[0].subGroups[2].id: the group id "g1" is used twice'],
  [
    '{ "name": "qa", ▶"atributes": {} }] }],',
    'groups[0].subGroups[3].atributes: unknown key (did you mean "attributes"?)',
  ],
  ['"defaultGroups": [▶"/teem"],', 'defaultGroups[0]: group "/teem" not found (did you mean "/team"?)'],
  [
    '"scopeMappings": [{ ▶"client": "acount", "roles": [▶{}] }],',
    'scopeMappings[0].client: client "acount" not found (did you mean "account"?)',
    'scopeMappings[0].roles[0]: must be a string',
  ],
  [
    '"clientScopeMappings": { ▶"acount": [], "account": [{ ▶"clientScope": "reed", "roles": ["view-profile"] }] },',
    'clientScopeMappings.acount: client "acount" not found (did you mean "account"?)',
    'clientScopeMappings.account[0].clientScope: client scope "reed" not found (did you mean "read"?)',
  ],
  [
    '"requiredActions": [{ "alias": "A", "name": "A", "providerId": "A", ▶"enabled": "on" },',
    'requiredActions[0].enabled: must be a boolean',
  ],
  [
    '{ "alias": "B", "name": "B", "providerId": "B", ▶"priorty": 1 }],',
    'requiredActions[1].priorty: unknown key (did you mean "priority"?)',
  ],
  [
    '"authenticationFlows": [{ "alias": "a" }, { ▶"alias": "a" },',
    'authenticationFlows[1].alias: the flow "a" is used twice',
  ],
  [
    '{ "alias": "b", "authenticationExecutions": [{ ▶"authenticater": "x" },',
    'authenticationFlows[2].authenticationExecutions[0].authenticater: unknown key (did you mean "authenticator"?)',
  ],
  [
    '{ ▶"authenticator": "auth-cooky" },',
    'authenticationFlows[2].authenticationExecutions[1].authenticator: authenticator "auth-cooky" not found (did you mean "auth-cookie"?)',
  ],
  [
    '{ "authenticator": "auth-cookie", ▶"priority": "ten" }] }],',
    'authenticationFlows[2].authenticationExecutions[2].priority: must be an integer',
  ],
  [
    '"components": { "org.keycloak.keys.KeyProvider": [{ "name": "k", "providerId": "rsa-generated", "config": { ▶"privateKey": ["**********"] } },',
    'components["org.keycloak.keys.KeyProvider"][0].config.privateKey: key component "k": the key is masked: export the realm with "kc.sh export", which writes its secrets',
  ],
  [
    '{ "name": "l", ▶"providerId": "rsa-generate", "config": {} },',
    'components["org.keycloak.keys.KeyProvider"][1].providerId: key component "l": unknown key provider "rsa-generate" (did you mean "rsa-generated"?)',
  ],
  [
    '{ "name": "m", "providerId": "hmac-generated", "config": { "kid": ["1"], ▶"secret": ["c2h+cnQ"] } },',
    'components["org.keycloak.keys.KeyProvider"][2].config.secret: key component "m": the secret is not base64url',
  ],
  [
    '{ "name": "n", "providerId": "rsa-generated", "config": { ▶"priority": {} } }],',
    'components["org.keycloak.keys.KeyProvider"][3].config.priority: must be an array',
  ],
  [
    '▶"org.keycloak.keys.KeyProvder": [],',
    'components["org.keycloak.keys.KeyProvder"]: unknown type of components (did you mean "org.keycloak.keys.KeyProvider"?)',
  ],
  [
    '"org.keycloak.userprofile.UserProfileProvider": [{ "providerId": "declarative-user-profile", "config": { ▶"kc.user.profile.config": ["{}"] } }] },',
    'components["org.keycloak.userprofile.UserProfileProvider"][0].config["kc.user.profile.config"]: kc.user.profile.config is no JSON text of a user profile with "attributes"',
  ],
  [
    '"providers": { ▶"realm-restapi-extensio": {},',
    'providers.realm-restapi-extensio: SPI "realm-restapi-extensio" not found, or it has no providers (did you mean "realm-restapi-extension"?)',
  ],
  [
    '"realm-restapi-extension": { ▶"newsleter": { "enabled": true },',
    'providers.realm-restapi-extension.newsleter: realm-restapi-extension "newsleter" not found (did you mean "newsletter"?)',
  ],
  [
    '"newsletter": { ▶"enable": true, "config": { ▶"authentication": "nome" } } },',
    'providers.realm-restapi-extension.newsletter.enable: unknown key (did you mean "enabled"?)',
    'providers.realm-restapi-extension.newsletter.config.authentication: must be one of client, none (did you mean "none"?)',
  ],
  [
    '"oauth2-grant-type": { "password": { "config": { ▶"limit": 1 } } } },',
    'providers.oauth2-grant-type.password.config.limit: unknown key: the provider has no configuration',
  ],
  [
    '"clients": [{ "clientId": "a", "id": "c1", ▶"publicCliend": true,',
    'clients[0].publicCliend: unknown key (did you mean "publicClient"?)',
  ],
  ['"redirectUris": [▶"javascript:alert(1)",', 'clients[0].redirectUris[0]: must not have this scheme'],
  ['▶"https://a.test/ b",', 'clients[0].redirectUris[1]: must not contain spaces, backslashes or control characters'],
  ['▶"https://a.test/#x",', 'clients[0].redirectUris[2]: must not have a fragment'],
  [
    '▶"https://a.test/\\\\x"],',
    'clients[0].redirectUris[3]: must not contain spaces, backslashes or control characters',
  ],
  ['"optionalClientScopes": ["email", ▶{}],', 'clients[0].optionalClientScopes[1]: must be a string'],
  [
    '"authenticationFlowBindingOverrides": { ▶"direct-grant": "browser", ▶"browser": "strikt" },',
    'clients[0].authenticationFlowBindingOverrides.direct-grant: unknown key (did you mean "direct_grant"?)',
    'clients[0].authenticationFlowBindingOverrides.browser: authentication flow "strikt" not found',
  ],
  [
    '"attributes": { ▶"access.token.lifespan": "5m",',
    'clients[0].attributes["access.token.lifespan"]: must be a number of seconds in double quotes',
  ],
  ['▶"use.refresh.tokens": "yes",', 'clients[0].attributes["use.refresh.tokens"]: must be "true" or "false"'],
  [
    '▶"jwks.url": "file:///etc/passwd",',
    'clients[0].attributes["jwks.url"]: must be an http or https URL, or a path below rootUrl',
  ],
  [
    '▶"post.logout.redirect.uris": "https://a.test/##javascript:alert(1)",',
    'clients[0].attributes["post.logout.redirect.uris"]: must not have this scheme',
  ],
  [
    '▶"id.token.signed.response.alg": "RS265" },',
    'clients[0].attributes["id.token.signed.response.alg"]: must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, HS256, HS384, HS512 (did you mean "RS256"?)',
  ],
  [
    '▶"rootUrl": "javascript:alert(1)", ▶"protocol": "openid-conect",',
    'clients[0].rootUrl: must not have this scheme',
    'clients[0].protocol: protocol "openid-conect" not found (did you mean "openid-connect"?)',
  ],
  [
    '▶"clientAuthenticatorType": "client-secrt" },',
    'clients[0].clientAuthenticatorType: client authenticator "client-secrt" not found (did you mean "client-secret"?)',
  ],
  ['{ ▶"clientId": "a" },', 'clients[1].clientId: the client "a" is used twice'],
  ['{ "clientId": "b", ▶"id": "c1" },', 'clients[2].id: the client id "c1" is used twice'],
  ['▶{ "name": "nameless" },', 'clients[3]: "clientId" is missing'],
  [
    '{ "clientId": "c", "publicClient": true, ▶"impersonation": { "enabled": true } },',
    'clients[4].impersonation: requires a confidential client',
  ],
  [
    '{ "clientId": "d", "impersonation": { ▶"audience": [], ▶"subjects": "all" } },',
    'clients[5].impersonation.audience: unknown key (did you mean "audiences"?)',
    'clients[5].impersonation.subjects: must be one of unprivileged, any',
  ],
  ['{ "clientId": "w", "serviceAccountsEnabled": true }],'],
  [
    '"users": [{ ▶"username": "service-account-w" },',
    'users[0].username: is the name of a service account: "serviceAccountClientId" is required',
  ],
  ['{ "username": "ann", "id": "u1", "email": "a@b.test" },'],
  ['{ ▶"username": "Ann" },', 'users[2].username: the username "ann" is used twice'],
  [
    '{ "username": "bob", ▶"id": "u1", ▶"email": "A@b.test",',
    'users[3].id: the user id "u1" is used twice',
    'users[3].email: the email address "a@b.test" is used twice',
  ],
  [
    '"groups": [▶"/teams"], "realmRoles": [▶{}],',
    'users[3].groups[0]: group "/teams" not found (did you mean "/team"?)',
    'users[3].realmRoles[0]: must be a string',
  ],
  [
    '▶"emailVerfied": true, "attributes": { ▶"shoes": {} },',
    'users[3].emailVerfied: unknown key (did you mean "emailVerified"?)',
    'users[3].attributes.shoes: must be an array',
  ],
  [
    '"credentials": [▶{ "type": "password" },',
    'users[3].credentials[0]: a password requires "value", or "secretData" and "credentialData"',
  ],
  [
    '▶{ "type": "password", "secretData": "{value", "credentialData": "{}" },',
    'users[3].credentials[1]: this password cannot be used: its secretData is not JSON',
  ],
  ['▶{ "value": "x" }] },', 'users[3].credentials[2]: "type" is missing'],
  ['{ "username": "s", ▶"serviceAccountClientId": {} },', 'users[4].serviceAccountClientId: must be a string'],
  ['▶{ "firstName": "Nobody" }]', 'users[5]: "username" is missing'],
  ['}'],
];

import type { ClientScopeRepresentation, ProtocolMapperRepresentation } from '../../model/representation.js';

type ClaimTarget = 'access' | 'id' | 'userinfo';

function createMapper(
  name: string,
  protocolMapper: string,
  config: Record<string, string>,
  flags: readonly ClaimTarget[] = ['access', 'id', 'userinfo'],
): ProtocolMapperRepresentation {
  const flagText = (flag: ClaimTarget) => String(flags.includes(flag));
  return {
    name,
    protocol: 'openid-connect',
    protocolMapper,
    config: {
      ...config,
      'introspection.token.claim': 'true',
      'access.token.claim': flagText('access'),
      'id.token.claim': flagText('id'),
      'userinfo.token.claim': flagText('userinfo'),
    },
  };
}

const property = (name: string, attribute: string, claim: string, type = 'String') =>
  createMapper(name, 'oidc-usermodel-property-mapper', {
    'user.attribute': attribute,
    'claim.name': claim,
    'jsonType.label': type,
  });
const attribute = (name: string, userAttribute: string, claim: string, type = 'String') =>
  createMapper(name, 'oidc-usermodel-attribute-mapper', {
    'user.attribute': userAttribute,
    'claim.name': claim,
    'jsonType.label': type,
  });

/** The scopes that the consent page asks for, with Keycloak's texts. */
const CONSENT_TEXTS: ReadonlyMap<string, string> = new Map([
  ['profile', '${profileScopeConsentText}'],
  ['email', '${emailScopeConsentText}'],
  ['address', '${addressScopeConsentText}'],
  ['phone', '${phoneScopeConsentText}'],
  ['roles', '${rolesScopeConsentText}'],
  ['offline_access', '${offlineAccessScopeConsentText}'],
]);

function createScope(
  name: string,
  description: string,
  isInTokenScope: boolean,
  protocolMappers: ProtocolMapperRepresentation[] = [],
): ClientScopeRepresentation {
  return {
    name,
    description,
    protocol: 'openid-connect',
    attributes: {
      'include.in.token.scope': String(isInTokenScope),
      'display.on.consent.screen': String(CONSENT_TEXTS.has(name)),
      ...(CONSENT_TEXTS.has(name) ? { 'consent.screen.text': CONSENT_TEXTS.get(name) ?? '' } : {}),
    },
    protocolMappers,
  };
}

const note = (name: string, sessionNote: string, claim: string, type = 'String') =>
  createMapper(
    name,
    'oidc-usersessionmodel-note-mapper',
    { 'user.session.note': sessionNote, 'claim.name': claim, 'jsonType.label': type },
    ['access', 'id'],
  );

/** Keycloak's built-in client scopes. A realm gets those that its file does not declare. */
export const BUILT_IN_CLIENT_SCOPES: readonly ClientScopeRepresentation[] = [
  // No user signs in by SAML, but tools and exports expect it.
  {
    name: 'role_list',
    description: 'SAML role list',
    protocol: 'saml',
    attributes: { 'consent.screen.text': '${samlRoleListScopeConsentText}', 'display.on.consent.screen': 'true' },
    protocolMappers: [
      {
        name: 'role list',
        protocol: 'saml',
        protocolMapper: 'saml-role-list-mapper',
        config: { single: 'false', 'attribute.nameformat': 'Basic', 'attribute.name': 'Role' },
      },
    ],
  },
  createScope('profile', 'OpenID Connect built-in scope: profile', true, [
    createMapper('full name', 'oidc-full-name-mapper', {}),
    property('username', 'username', 'preferred_username'),
    property('given name', 'firstName', 'given_name'),
    property('family name', 'lastName', 'family_name'),
    attribute('middle name', 'middleName', 'middle_name'),
    attribute('nickname', 'nickname', 'nickname'),
    attribute('profile', 'profile', 'profile'),
    attribute('picture', 'picture', 'picture'),
    attribute('website', 'website', 'website'),
    attribute('gender', 'gender', 'gender'),
    attribute('birthdate', 'birthdate', 'birthdate'),
    attribute('zoneinfo', 'zoneinfo', 'zoneinfo'),
    attribute('locale', 'locale', 'locale'),
    attribute('updated at', 'updatedAt', 'updated_at', 'long'),
  ]),
  createScope('email', 'OpenID Connect built-in scope: email', true, [
    property('email', 'email', 'email'),
    property('email verified', 'emailVerified', 'email_verified', 'boolean'),
  ]),
  createScope('address', 'OpenID Connect built-in scope: address', true, [
    createMapper('address', 'oidc-address-mapper', {
      'user.attribute.formatted': 'formatted',
      'user.attribute.street': 'street',
      'user.attribute.locality': 'locality',
      'user.attribute.region': 'region',
      'user.attribute.postal_code': 'postal_code',
      'user.attribute.country': 'country',
    }),
  ]),
  createScope('phone', 'OpenID Connect built-in scope: phone', true, [
    attribute('phone number', 'phoneNumber', 'phone_number'),
    attribute('phone number verified', 'phoneNumberVerified', 'phone_number_verified', 'boolean'),
  ]),
  createScope('roles', 'OpenID Connect scope for adding user roles to the access token', false, [
    createMapper(
      'realm roles',
      'oidc-usermodel-realm-role-mapper',
      { 'claim.name': 'realm_access.roles', 'jsonType.label': 'String', multivalued: 'true' },
      ['access'],
    ),
    createMapper(
      'client roles',
      'oidc-usermodel-client-role-mapper',
      { 'claim.name': 'resource_access.${client_id}.roles', 'jsonType.label': 'String', multivalued: 'true' },
      ['access'],
    ),
    createMapper('audience resolve', 'oidc-audience-resolve-mapper', {}, ['access']),
  ]),
  createScope('web-origins', 'OpenID Connect scope for adding allowed web origins to the access token', false, [
    createMapper('allowed web origins', 'oidc-allowed-origins-mapper', {}, ['access']),
  ]),
  createScope('acr', 'OpenID Connect scope for adding acr to the token', false, [
    createMapper('acr loa level', 'oidc-acr-mapper', {}, ['access', 'id']),
  ]),
  createScope('basic', 'OpenID Connect scope for adding all basic claims to the token', false, [
    createMapper('sub', 'oidc-sub-mapper', {}, ['access']),
    note('auth_time', 'AUTH_TIME', 'auth_time', 'long'),
  ]),
  createScope('offline_access', 'OpenID Connect built-in scope: offline_access', true),
  createScope('microprofile-jwt', 'Microprofile - JWT built-in scope', true, [
    property('upn', 'username', 'upn'),
    createMapper('groups', 'oidc-usermodel-realm-role-mapper', {
      'claim.name': 'groups',
      'jsonType.label': 'String',
      multivalued: 'true',
    }),
  ]),
  createScope('service_account', 'Specific scope for a client enabled for service accounts', false, [
    note('Client ID', 'client_id', 'client_id'),
    note('Client Host', 'clientHost', 'clientHost'),
    note('Client IP Address', 'clientAddress', 'clientAddress'),
  ]),
];

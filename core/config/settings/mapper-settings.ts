import { ignored, ignoredAsWhole, mergeSettings, type Settings, supported } from './setting-state.js';

/** Settings of protocol mappers, by Keycloak's name of their owner. */
export const MAPPERS: Readonly<Record<string, Settings>> = {
  ProtocolMapper: mergeSettings(
    supported('tokens/mapper-options', 'config id name protocol protocolMapper'),
    supported('admin/client-policies-of-clients', 'consentRequired'),
    ignored('only Keycloaks before 4 have it', 'consentText'),
  ),
  'ProtocolMapper oidc-acr-mapper': mergeSettings(
    supported('tokens/mapper-options', 'access.token.claim id.token.claim introspection.token.claim lightweight.claim'),
  ),
  'ProtocolMapper oidc-address-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim id.token.claim introspection.token.claim lightweight.claim user.attribute.country user.attribute.locality user.attribute.street userinfo.token.claim',
    ),
    supported('config/setting-flips', 'user.attribute.formatted user.attribute.postal_code user.attribute.region'),
  ),
  'ProtocolMapper oidc-allowed-origins-mapper': mergeSettings(
    supported('tokens/mapper-options', 'introspection.token.claim lightweight.claim'),
    supported('config/setting-flips', 'access.token.claim'),
  ),
  'ProtocolMapper oidc-amr-mapper': mergeSettings(
    supported('tokens/mapper-options', 'access.token.claim id.token.claim lightweight.claim'),
  ),
  'ProtocolMapper oidc-audience-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim id.token.claim included.client.audience included.custom.audience introspection.token.claim lightweight.claim',
    ),
  ),
  'ProtocolMapper oidc-audience-resolve-mapper': mergeSettings(
    supported('tokens/mapper-options', 'access.token.claim lightweight.claim'),
    supported('config/setting-flips', 'introspection.token.claim'),
  ),
  'ProtocolMapper oidc-claims-param-token-mapper': mergeSettings(
    ignored(
      'a claim that is asked for by name is given with this mapper or without it',
      'id.token.claim userinfo.token.claim',
      { exceptValues: ['true'] },
    ),
  ),
  'ProtocolMapper oidc-claims-param-value-idtoken-mapper': mergeSettings(
    supported('tokens/mapper-options', 'claim.name id.token.claim'),
  ),
  'ProtocolMapper oidc-full-name-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim id.token.claim introspection.token.claim lightweight.claim userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-group-membership-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim claim.name full.path id.token.claim introspection.token.claim lightweight.claim userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-hardcoded-claim-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim access.tokenResponse.claim claim.name claim.value id.token.claim introspection.token.claim jsonType.label lightweight.claim userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-hardcoded-role-mapper': mergeSettings(supported('tokens/mapper-options', 'role')),
  'ProtocolMapper oidc-organization-group-membership-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'access.token.claim addGroupRoleMappings id.token.claim introspection.token.claim lightweight.claim userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-organization-membership-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'access.token.claim addOrganizationAttributes addOrganizationDomain addOrganizationId claim.name id.token.claim introspection.token.claim jsonType.label lightweight.claim multivalued userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-role-name-mapper': mergeSettings(supported('tokens/mapper-options', 'new.role.name role')),
  'ProtocolMapper oidc-session-state-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim id.token.claim introspection.token.claim lightweight.claim userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-sha256-pairwise-sub-mapper': mergeSettings(
    supported('tokens/pairwise-subjects', 'pairwiseSubAlgorithmSalt sectorIdentifierUri'),
  ),
  'ProtocolMapper oidc-sub-mapper': mergeSettings(
    supported('tokens/mapper-options', 'access.token.claim introspection.token.claim lightweight.claim'),
  ),
  'ProtocolMapper oidc-usermodel-attribute-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim aggregate.attrs claim.name id.token.claim introspection.token.claim jsonType.label lightweight.claim multivalued user.attribute userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-usermodel-client-role-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim claim.name id.token.claim introspection.token.claim jsonType.label lightweight.claim multivalued userinfo.token.claim usermodel.clientRoleMapping.clientId usermodel.clientRoleMapping.rolePrefix',
    ),
  ),
  'ProtocolMapper oidc-usermodel-property-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim claim.name id.token.claim introspection.token.claim jsonType.label lightweight.claim user.attribute userinfo.token.claim',
    ),
  ),
  'ProtocolMapper oidc-usermodel-realm-role-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim claim.name id.token.claim introspection.token.claim jsonType.label lightweight.claim multivalued userinfo.token.claim usermodel.realmRoleMapping.rolePrefix',
    ),
  ),
  'ProtocolMapper oidc-usersessionmodel-note-mapper': mergeSettings(
    supported(
      'tokens/mapper-options',
      'access.token.claim access.tokenResponse.claim claim.name jsonType.label user.session.note',
    ),
    supported(
      'config/setting-flips',
      'id.token.claim introspection.token.claim lightweight.claim userinfo.token.claim',
    ),
  ),
  'ProtocolMapper saml-audience-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'included.client.audience included.custom.audience',
    ),
  ),
  'ProtocolMapper saml-group-membership-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'attribute.name attribute.nameformat friendly.name full.path single',
    ),
  ),
  'ProtocolMapper saml-hardcode-attribute-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'attribute.name attribute.nameformat attribute.value friendly.name',
    ),
  ),
  'ProtocolMapper saml-hardcode-role-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it adds no claims to tokens', 'role'),
  ),
  'ProtocolMapper saml-organization-group-membership-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it adds no claims to tokens', 'addGroupRoleMappings'),
  ),
  'ProtocolMapper saml-role-list-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'attribute.name attribute.nameformat friendly.name single',
    ),
  ),
  'ProtocolMapper saml-role-name-mapper': mergeSettings(
    ignoredAsWhole('Keyhost does not have this mapper: it adds no claims to tokens', 'new.role.name role'),
  ),
  'ProtocolMapper saml-user-attribute-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'aggregate.attrs attribute.name attribute.nameformat friendly.name user.attribute',
    ),
  ),
  'ProtocolMapper saml-user-attribute-nameid-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'mapper.nameid.format user.attribute',
    ),
  ),
  'ProtocolMapper saml-user-property-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'attribute.name attribute.nameformat friendly.name user.attribute',
    ),
  ),
  'ProtocolMapper saml-user-session-note-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this mapper: it adds no claims to tokens',
      'attribute.name attribute.nameformat friendly.name note',
    ),
  ),
};

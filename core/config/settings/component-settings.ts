import { ignored, ignoredAsWhole, mergeSettings, rejected, type Settings, supported } from './setting-state.js';

/** Settings of components (keys and user storage) and attributes of realms, by Keycloak's name of their owner. */
export const COMPONENTS: Readonly<Record<string, Settings>> = {
  ComponentExport: mergeSettings(
    supported('admin/key-components', 'config id name providerId'),
    supported('config/realm-files', 'subComponents'),
    supported('admin/credentials', 'subType'),
  ),
  'KeyProvider aes-generated': mergeSettings(supported('admin/key-components', 'active enabled priority secretSize')),
  'KeyProvider ecdh-generated': mergeSettings(
    supported('admin/key-components', 'active enabled priority'),
    supported('broker/encrypted-id-token', 'ecdhAlgorithm ecdhEllipticCurveKey'),
    ignored('EC keys have no certificate', 'ecGenerateCertificate'),
  ),
  'KeyProvider ecdsa-generated': mergeSettings(
    supported('admin/key-components', 'active ecdsaEllipticCurveKey enabled priority'),
    ignored('EC keys have no certificate', 'ecGenerateCertificate'),
  ),
  'KeyProvider eddsa-generated': mergeSettings(
    supported('admin/key-components', 'active enabled priority'),
    supported('admin/keys', 'eddsaEllipticCurveKey'),
  ),
  'KeyProvider hmac-generated': mergeSettings(
    supported('admin/key-components', 'active algorithm enabled priority secretSize'),
  ),
  'KeyProvider java-keystore': mergeSettings(
    rejected(
      'keys in Java keystores are not supported: use rsa with privateKey',
      'active algorithm enabled keyAlias keyPassword keyUse keystore keystorePassword keystoreType priority',
    ),
  ),
  'KeyProvider rsa': mergeSettings(
    supported('admin/key-components', 'active algorithm enabled priority privateKey'),
    supported('keys/client-assertion', 'certificate'),
  ),
  'KeyProvider rsa-enc': mergeSettings(
    supported('admin/key-components', 'active algorithm enabled priority privateKey'),
    supported('keys/client-assertion', 'certificate'),
  ),
  'KeyProvider rsa-enc-generated': mergeSettings(
    supported('admin/key-components', 'active algorithm enabled keySize priority'),
  ),
  'KeyProvider rsa-generated': mergeSettings(
    supported('admin/key-components', 'active algorithm enabled keySize priority'),
  ),
  'LDAPStorageMapper certificate-ldap-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'always.read.value.from.ldap attribute.default.value attribute.force.default binary.attribute.decoder is.binary.attribute is.der.formatted is.mandatory.in.ldap ldap.attribute read.only user.model.attribute',
    ),
  ),
  'LDAPStorageMapper full-name-ldap-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'ldap.full.name.attribute read.only write.only',
    ),
  ),
  'LDAPStorageMapper group-ldap-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'decode.group.uuid.attribute drop.non.existing.groups.during.sync group.name.ldap.attribute group.object.classes groups.dn groups.ldap.filter groups.path groups.relative.create.dn ignore.missing.groups mapped.group.attributes memberof.ldap.attribute membership.attribute.type membership.ldap.attribute membership.user.ldap.attribute mode preserve.group.inheritance user.roles.retrieve.strategy',
    ),
  ),
  'LDAPStorageMapper hardcoded-attribute-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'attribute.value user.model.attribute',
    ),
  ),
  'LDAPStorageMapper hardcoded-ldap-attribute-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'ldap.attribute.name ldap.attribute.value',
    ),
  ),
  'LDAPStorageMapper hardcoded-ldap-group-mapper': mergeSettings(
    ignoredAsWhole('Keyhost has no user storage: users of the directory cannot sign in', 'group'),
  ),
  'LDAPStorageMapper hardcoded-ldap-role-mapper': mergeSettings(
    ignoredAsWhole('Keyhost has no user storage: users of the directory cannot sign in', 'role'),
  ),
  'LDAPStorageMapper msad-lds-user-account-control-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'always.read.enabled.value.from.ldap',
    ),
  ),
  'LDAPStorageMapper msad-user-account-control-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'always.read.enabled.value.from.ldap ldap.password.policy.hints.enabled',
    ),
  ),
  'LDAPStorageMapper role-ldap-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'client.id memberof.ldap.attribute membership.attribute.type membership.ldap.attribute membership.user.ldap.attribute mode role.name.ldap.attribute role.object.classes roles.dn roles.ldap.filter roles.relative.create.dn use.realm.roles.mapping user.roles.retrieve.strategy',
    ),
  ),
  'LDAPStorageMapper user-attribute-ldap-mapper': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'always.read.value.from.ldap attribute.default.value attribute.force.default binary.attribute.decoder is.binary.attribute is.mandatory.in.ldap ldap.attribute read.only user.model.attribute',
    ),
  ),
  'UserStorageProvider kerberos': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'allowPasswordAuthentication debug editMode kerberosRealm keyTab serverPrincipal updateProfileFirstLogin',
    ),
  ),
  'UserStorageProvider ldap': mergeSettings(
    ignoredAsWhole(
      'Keyhost has no user storage: users of the directory cannot sign in',
      'allowKerberosAuthentication authType bindCredential bindDn connectionPooling connectionTimeout connectionTrace connectionUrl customUserSearchFilter debug editMode enableLdapPasswordPolicy importEnabled kerberosRealm keyTab krbPrincipalAttribute pagination rdnLDAPAttribute readTimeout referral relativeCreateDn searchScope serverPrincipal startTls syncRegistrations trustEmail useKerberosForPasswordAuthentication usePasswordModifyExtendedOp useTruststoreSpi userObjectClasses usernameLDAPAttribute usersDn uuidLDAPAttribute validatePasswordPolicy vendor',
    ),
  ),
  'realm attribute': mergeSettings(
    supported('security/client-authentication', 'oauth2.device.authorization.grant.enabled'),
    supported('config/setting-flips', 'parRequestUriLifespan'),
    supported('security/unsupported-protections', 'require.pushed.authorization.requests'),
    ignored(
      'Keyhost does not have CIBA',
      'ciba.backchannel.auth.request.signing.alg ciba.backchannel.client.notification.endpoint ciba.backchannel.token.delivery.mode cibaAuthRequestedUserHint cibaBackchannelTokenDeliveryMode cibaExpiresIn cibaInterval oidc.ciba.grant.enabled',
      { exceptValues: ['poll', '120', '5', 'login_hint'] },
    ),
  ),
};

import { mergeSettings, rejected, type Settings, supported } from './setting-state.js';

/** Settings of client policies and client registration policies, by Keycloak's name of their owner. */
export const POLICIES: Readonly<Record<string, Settings>> = {
  'ClientPolicyConditionProvider acr-condition': mergeSettings(supported('oidc/executors-of-requests', 'acr-property')),
  'ClientPolicyConditionProvider any-client': mergeSettings(
    supported('admin/client-policies-of-clients', 'is-negative-logic'),
  ),
  'ClientPolicyConditionProvider client-access-type': mergeSettings(
    supported('admin/client-policies-of-clients', 'is-negative-logic'),
    supported('admin/client-policies-of-clients', 'type'),
  ),
  'ClientPolicyConditionProvider client-attributes': mergeSettings(
    supported('admin/client-policies-of-clients', 'attributes'),
    supported('admin/client-policies-of-clients', 'is-negative-logic'),
  ),
  'ClientPolicyConditionProvider client-roles': mergeSettings(
    supported('admin/client-policies-of-clients', 'is-negative-logic'),
    supported('admin/client-policies-of-clients', 'roles'),
  ),
  'ClientPolicyConditionProvider client-scopes': mergeSettings(
    supported('oidc/client-policies', 'is-negative-logic scopes type'),
  ),
  'ClientPolicyConditionProvider client-type': mergeSettings(supported('admin/client-policies-of-clients', 'protocol')),
  'ClientPolicyConditionProvider client-updater-context': mergeSettings(
    supported('admin/client-policies-of-clients', 'is-negative-logic update-client-source'),
  ),
  'ClientPolicyConditionProvider client-updater-source-groups': mergeSettings(
    supported('admin/client-policies-of-clients', 'groups'),
    supported('admin/client-policies-of-clients', 'is-negative-logic'),
  ),
  'ClientPolicyConditionProvider client-updater-source-host': mergeSettings(
    supported('admin/client-policies-of-clients', 'is-negative-logic trusted-hosts'),
  ),
  'ClientPolicyConditionProvider client-updater-source-roles': mergeSettings(
    supported('admin/client-policies-of-clients', 'is-negative-logic'),
    supported('admin/client-policies-of-clients', 'roles'),
  ),
  'ClientPolicyConditionProvider grant-type': mergeSettings(
    supported('oidc/client-policies', 'grant_types is-negative-logic'),
  ),
  'ClientPolicyConditionProvider identity-provider-alias': mergeSettings(
    supported('broker/stored-tokens', 'identity_provider_aliases is-negative-logic'),
  ),
  'ClientPolicyExecutorProvider auth-flow-enforcer': mergeSettings(
    supported('login/enforced-flows', 'auth-flow-alias auth-flow-loa'),
  ),
  'ClientPolicyExecutorProvider consent-required': mergeSettings(
    supported('admin/client-policies-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider dpop-bind-enforcer': mergeSettings(
    rejected(
      'Keyhost does not have this executor',
      'allow-only-refresh-token-binding auto-configure enforce-authorization-code-binding-to-dpop',
    ),
  ),
  'ClientPolicyExecutorProvider full-scope-disabled': mergeSettings(
    supported('admin/client-policies-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider holder-of-key-enforcer': mergeSettings(
    rejected('Keyhost does not have this executor', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider intent-client-bind-checker': mergeSettings(
    rejected('Keyhost does not have this executor', 'intent-client-bind-check-endpoint'),
  ),
  'ClientPolicyExecutorProvider jwt-claim-enforcer': mergeSettings(
    supported('oidc/executors-of-tokens', 'allowed-value claim-name'),
  ),
  'ClientPolicyExecutorProvider pkce-enforcer': mergeSettings(
    supported('admin/client-policies-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider reject-implicit-grant': mergeSettings(
    supported('admin/executors-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider reject-ropc-grant': mergeSettings(
    supported('admin/executors-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider saml-secure-client-uris': mergeSettings(
    supported('admin/executors-of-clients', 'allow-wildcard-redirects'),
  ),
  'ClientPolicyExecutorProvider secret-rotation': mergeSettings(
    supported('admin/client-policies-of-clients', 'expiration-period'),
    supported('admin/client-policies-of-clients', 'remaining-rotation-period rotated-expiration-period'),
  ),
  'ClientPolicyExecutorProvider secure-ciba-req-sig-algorithm': mergeSettings(
    rejected('Keyhost does not have this executor', 'default-algorithm'),
  ),
  'ClientPolicyExecutorProvider secure-ciba-signed-authn-req': mergeSettings(
    rejected('Keyhost does not have this executor', 'available-period'),
  ),
  'ClientPolicyExecutorProvider secure-client-authenticator': mergeSettings(
    supported('admin/client-policies-of-clients', 'allowed-client-authenticators default-client-authenticator'),
  ),
  'ClientPolicyExecutorProvider secure-client-uris-pattern': mergeSettings(
    supported('admin/executors-of-clients', 'allowed-patterns client-uri-fields'),
  ),
  'ClientPolicyExecutorProvider secure-logout': mergeSettings(
    supported('admin/executors-of-clients', 'allow-front-channel-logout'),
  ),
  'ClientPolicyExecutorProvider secure-redirect-uris-enforcer': mergeSettings(
    supported(
      'admin/client-policies-of-clients',
      'allow-http-scheme allow-ipv4-loopback-address allow-ipv6-loopback-address allow-open-redirect allow-private-use-uri-scheme allow-wildcard-context-path oauth-2-1-compliant',
    ),
    supported('admin/client-policies-of-clients', 'allow-permitted-domains'),
    supported('admin/client-policies-of-clients', 'oauth-2-0-compliant'),
  ),
  'ClientPolicyExecutorProvider secure-request-object': mergeSettings(
    rejected(
      'Keyhost does not have this executor',
      'allowed-clock-skew available-period encryption-required verify-nbf',
    ),
  ),
  'ClientPolicyExecutorProvider secure-response-type': mergeSettings(
    supported('oidc/executors-of-requests', 'allow-token-response-type auto-configure'),
  ),
  'ClientPolicyExecutorProvider secure-signature-algorithm': mergeSettings(
    supported('admin/executors-of-clients', 'default-algorithm'),
  ),
  'ClientPolicyExecutorProvider secure-signature-algorithm-signed-jwt': mergeSettings(
    supported('oidc/executors-of-requests', 'require-client-assertion'),
  ),
  'ClientPolicyExecutorProvider tls-client-auth-ca-subject-dn': mergeSettings(
    rejected('Keyhost does not have this executor', 'ca-subject-dn enforced'),
  ),
  'ClientRegistrationPolicy allowed-client-templates': mergeSettings(
    supported('admin/registration-policies', 'allow-default-scopes allowed-client-scopes'),
  ),
  'ClientRegistrationPolicy allowed-protocol-mappers': mergeSettings(
    supported('admin/registration-policies', 'allowed-protocol-mapper-types'),
  ),
  'ClientRegistrationPolicy max-clients': mergeSettings(supported('admin/registration-policies', 'max-clients')),
  'ClientRegistrationPolicy registration-web-origins': mergeSettings(
    supported('admin/registration-policies', 'web-origins'),
  ),
  'ClientRegistrationPolicy trusted-hosts': mergeSettings(
    supported(
      'admin/registration-policies',
      'client-uris-must-match host-sending-registration-request-must-match trusted-hosts',
    ),
  ),
};

import { refused, type Settings, settings, works } from './setting-state.js';

/** Settings of client policies and client registration policies, by Keycloak's name of their owner. */
export const POLICIES: Readonly<Record<string, Settings>> = {
  'ClientPolicyConditionProvider acr-condition': settings(works('oidc/executors-of-requests', 'acr-property')),
  'ClientPolicyConditionProvider any-client': settings(works('admin/client-policies-of-clients', 'is-negative-logic')),
  'ClientPolicyConditionProvider client-access-type': settings(
    works('admin/client-policies-of-clients', 'is-negative-logic'),
    works('admin/client-policies-of-clients', 'type'),
  ),
  'ClientPolicyConditionProvider client-attributes': settings(
    works('admin/client-policies-of-clients', 'attributes'),
    works('admin/client-policies-of-clients', 'is-negative-logic'),
  ),
  'ClientPolicyConditionProvider client-roles': settings(
    works('admin/client-policies-of-clients', 'is-negative-logic'),
    works('admin/client-policies-of-clients', 'roles'),
  ),
  'ClientPolicyConditionProvider client-scopes': settings(
    works('oidc/client-policies', 'is-negative-logic scopes type'),
  ),
  'ClientPolicyConditionProvider client-type': settings(works('admin/client-policies-of-clients', 'protocol')),
  'ClientPolicyConditionProvider client-updater-context': settings(
    works('admin/client-policies-of-clients', 'is-negative-logic update-client-source'),
  ),
  'ClientPolicyConditionProvider client-updater-source-groups': settings(
    works('admin/client-policies-of-clients', 'groups'),
    works('admin/client-policies-of-clients', 'is-negative-logic'),
  ),
  'ClientPolicyConditionProvider client-updater-source-host': settings(
    works('admin/client-policies-of-clients', 'is-negative-logic trusted-hosts'),
  ),
  'ClientPolicyConditionProvider client-updater-source-roles': settings(
    works('admin/client-policies-of-clients', 'is-negative-logic'),
    works('admin/client-policies-of-clients', 'roles'),
  ),
  'ClientPolicyConditionProvider grant-type': settings(works('oidc/client-policies', 'grant_types is-negative-logic')),
  'ClientPolicyConditionProvider identity-provider-alias': settings(
    works('broker/stored-tokens', 'identity_provider_aliases is-negative-logic'),
  ),
  'ClientPolicyExecutorProvider auth-flow-enforcer': settings(
    works('login/enforced-flows', 'auth-flow-alias auth-flow-loa'),
  ),
  'ClientPolicyExecutorProvider consent-required': settings(
    works('admin/client-policies-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider dpop-bind-enforcer': settings(
    refused(
      'Keyhost does not have this executor',
      'allow-only-refresh-token-binding auto-configure enforce-authorization-code-binding-to-dpop',
    ),
  ),
  'ClientPolicyExecutorProvider full-scope-disabled': settings(
    works('admin/client-policies-of-clients', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider holder-of-key-enforcer': settings(
    refused('Keyhost does not have this executor', 'auto-configure'),
  ),
  'ClientPolicyExecutorProvider intent-client-bind-checker': settings(
    refused('Keyhost does not have this executor', 'intent-client-bind-check-endpoint'),
  ),
  'ClientPolicyExecutorProvider jwt-claim-enforcer': settings(
    works('oidc/executors-of-tokens', 'allowed-value claim-name'),
  ),
  'ClientPolicyExecutorProvider pkce-enforcer': settings(works('admin/client-policies-of-clients', 'auto-configure')),
  'ClientPolicyExecutorProvider reject-implicit-grant': settings(works('admin/executors-of-clients', 'auto-configure')),
  'ClientPolicyExecutorProvider reject-ropc-grant': settings(works('admin/executors-of-clients', 'auto-configure')),
  'ClientPolicyExecutorProvider saml-secure-client-uris': settings(
    works('admin/executors-of-clients', 'allow-wildcard-redirects'),
  ),
  'ClientPolicyExecutorProvider secret-rotation': settings(
    works('admin/client-policies-of-clients', 'expiration-period'),
    works('admin/client-policies-of-clients', 'remaining-rotation-period rotated-expiration-period'),
  ),
  'ClientPolicyExecutorProvider secure-ciba-req-sig-algorithm': settings(
    refused('Keyhost does not have this executor', 'default-algorithm'),
  ),
  'ClientPolicyExecutorProvider secure-ciba-signed-authn-req': settings(
    refused('Keyhost does not have this executor', 'available-period'),
  ),
  'ClientPolicyExecutorProvider secure-client-authenticator': settings(
    works('admin/client-policies-of-clients', 'allowed-client-authenticators default-client-authenticator'),
  ),
  'ClientPolicyExecutorProvider secure-client-uris-pattern': settings(
    works('admin/executors-of-clients', 'allowed-patterns client-uri-fields'),
  ),
  'ClientPolicyExecutorProvider secure-logout': settings(
    works('admin/executors-of-clients', 'allow-front-channel-logout'),
  ),
  'ClientPolicyExecutorProvider secure-redirect-uris-enforcer': settings(
    works(
      'admin/client-policies-of-clients',
      'allow-http-scheme allow-ipv4-loopback-address allow-ipv6-loopback-address allow-open-redirect allow-private-use-uri-scheme allow-wildcard-context-path oauth-2-1-compliant',
    ),
    works('admin/client-policies-of-clients', 'allow-permitted-domains'),
    works('admin/client-policies-of-clients', 'oauth-2-0-compliant'),
  ),
  'ClientPolicyExecutorProvider secure-request-object': settings(
    refused(
      'Keyhost does not have this executor',
      'allowed-clock-skew available-period encryption-required verify-nbf',
    ),
  ),
  'ClientPolicyExecutorProvider secure-response-type': settings(
    works('oidc/executors-of-requests', 'allow-token-response-type auto-configure'),
  ),
  'ClientPolicyExecutorProvider secure-signature-algorithm': settings(
    works('admin/executors-of-clients', 'default-algorithm'),
  ),
  'ClientPolicyExecutorProvider secure-signature-algorithm-signed-jwt': settings(
    works('oidc/executors-of-requests', 'require-client-assertion'),
  ),
  'ClientPolicyExecutorProvider tls-client-auth-ca-subject-dn': settings(
    refused('Keyhost does not have this executor', 'ca-subject-dn enforced'),
  ),
  'ClientRegistrationPolicy allowed-client-templates': settings(
    works('admin/registration-policies', 'allow-default-scopes allowed-client-scopes'),
  ),
  'ClientRegistrationPolicy allowed-protocol-mappers': settings(
    works('admin/registration-policies', 'allowed-protocol-mapper-types'),
  ),
  'ClientRegistrationPolicy max-clients': settings(works('admin/registration-policies', 'max-clients')),
  'ClientRegistrationPolicy registration-web-origins': settings(works('admin/registration-policies', 'web-origins')),
  'ClientRegistrationPolicy trusted-hosts': settings(
    works(
      'admin/registration-policies',
      'client-uris-must-match host-sending-registration-request-must-match trusted-hosts',
    ),
  ),
};

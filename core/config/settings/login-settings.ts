import { ignored, ignoredAsWhole, mergeSettings, type Settings, supported } from './setting-state.js';

/** Settings of flows and their steps, required actions and the registration form, by Keycloak's name of their owner. */
export const LOGINS: Readonly<Record<string, Settings>> = {
  AuthenticationExecutionExport: mergeSettings(
    supported('admin/authentication', 'flowAlias'),
    ignored('Keycloak does not act on it either', 'userSetupAllowed'),
  ),
  AuthenticationFlow: mergeSettings(
    supported('admin/authentication', 'alias authenticationExecutions builtIn description id providerId topLevel'),
  ),
  'Authenticator auth-conditional-otp-form': mergeSettings(
    supported(
      'login/conditional-otp',
      'defaultOtpOutcome forceOtpForHeaderPattern forceOtpRole noOtpRequiredForHeaderPattern otpControlAttribute skipOtpRole',
    ),
  ),
  'Authenticator auth-x509-client-username-form': mergeSettings(
    ignoredAsWhole(
      'client certificates do not sign users in',
      'x509-cert-auth-crl-abort-if-non-updated x509-cert-auth.canonical-dn-enabled x509-cert-auth.certificate-policy x509-cert-auth.certificate-policy-mode x509-cert-auth.confirmation-page-disallowed x509-cert-auth.crl-checking-enabled x509-cert-auth.crl-relative-path x509-cert-auth.crldp-checking-enabled x509-cert-auth.extendedkeyusage x509-cert-auth.keyusage x509-cert-auth.mapper-selection x509-cert-auth.mapper-selection.user-attribute-name x509-cert-auth.mapping-source-selection x509-cert-auth.ocsp-checking-enabled x509-cert-auth.ocsp-fail-open x509-cert-auth.ocsp-responder-certificate x509-cert-auth.ocsp-responder-uri x509-cert-auth.regular-expression x509-cert-auth.revalidate-certificate-enabled x509-cert-auth.serialnumber-hex-enabled x509-cert-auth.timestamp-validation-enabled',
    ),
  ),
  'Authenticator conditional-client-scope': mergeSettings(supported('login/step-up', 'client_scope negate')),
  'Authenticator conditional-credential': mergeSettings(supported('config/setting-flips', 'credentials included')),
  'Authenticator conditional-level-of-authentication': mergeSettings(
    supported('login/step-up', 'loa-condition-level'),
    supported('login/step-up', 'loa-max-age'),
  ),
  'Authenticator conditional-sub-flow-executed': mergeSettings(
    supported('login/sub-flow-executed', 'check_result flow_to_check'),
  ),
  'Authenticator conditional-user-attribute': mergeSettings(
    supported('login/step-up', 'attribute_expected_value attribute_name not regex'),
    supported('config/setting-flips', 'include_group_attributes'),
  ),
  'Authenticator conditional-user-role': mergeSettings(supported('login/step-up', 'condUserRole negate')),
  'Authenticator deny-access-authenticator': mergeSettings(supported('config/setting-flips', 'denyErrorMessage')),
  'Authenticator direct-grant-auth-x509-username': mergeSettings(
    ignoredAsWhole(
      'client certificates do not sign users in',
      'x509-cert-auth-crl-abort-if-non-updated x509-cert-auth.canonical-dn-enabled x509-cert-auth.certificate-policy x509-cert-auth.certificate-policy-mode x509-cert-auth.confirmation-page-disallowed x509-cert-auth.crl-checking-enabled x509-cert-auth.crl-relative-path x509-cert-auth.crldp-checking-enabled x509-cert-auth.extendedkeyusage x509-cert-auth.keyusage x509-cert-auth.mapper-selection x509-cert-auth.mapper-selection.user-attribute-name x509-cert-auth.mapping-source-selection x509-cert-auth.ocsp-checking-enabled x509-cert-auth.ocsp-fail-open x509-cert-auth.ocsp-responder-certificate x509-cert-auth.ocsp-responder-uri x509-cert-auth.regular-expression x509-cert-auth.revalidate-certificate-enabled x509-cert-auth.serialnumber-hex-enabled x509-cert-auth.timestamp-validation-enabled',
    ),
  ),
  'Authenticator identity-provider-redirector': mergeSettings(supported('broker/login-by-provider', 'defaultProvider')),
  'Authenticator idp-create-user-if-unique': mergeSettings(
    supported('broker/first-login', 'require.password.update.after.registration'),
  ),
  'Authenticator idp-review-profile': mergeSettings(supported('broker/first-login', 'update.profile.on.first.login')),
  'Authenticator organization': mergeSettings(ignoredAsWhole('Keyhost has no organizations', 'requiresUserMembership')),
  'Authenticator reset-credential-email': mergeSettings(supported('login/reset-credentials', 'force-login')),
  'Authenticator reset-otp': mergeSettings(supported('login/reset-credentials', 'action_on_otp_reset_flag')),
  'Authenticator user-session-limits': mergeSettings(
    supported('login/session-limits', 'behavior errorMessage userClientLimit userRealmLimit'),
  ),
  AuthenticatorConfig: mergeSettings(supported('admin/authentication', 'alias config id')),
  'FormAction registration-password-action': mergeSettings(
    ignored('the password is asked for on the page of the registration', 'always_set_password_on_register_form'),
  ),
  'FormAction registration-recaptcha-action': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this check: it asks for no proof that a person registers',
      'action recaptcha.v3 secret.key site.key useRecaptchaNet',
    ),
  ),
  'FormAction registration-recaptcha-enterprise': mergeSettings(
    ignoredAsWhole(
      'Keyhost does not have this check: it asks for no proof that a person registers',
      'action api.key project.id recaptcha.v3 score.threshold site.key useRecaptchaNet',
    ),
  ),
  RequiredActionProvider: mergeSettings(
    supported('admin/users', 'alias enabled name providerId'),
    supported('login/required-actions', 'config priority'),
    supported('admin/authentication', 'defaultAction'),
  ),
};

import { type Settings, settings, told, whole, works } from './setting-state.js';

/** Settings of flows and their steps, required actions and the registration form, by Keycloak's name of their owner. */
export const LOGINS: Readonly<Record<string, Settings>> = {
  AuthenticationExecutionExport: settings(
    works('admin/authentication', 'flowAlias'),
    told('Keycloak does not act on it either', 'userSetupAllowed'),
  ),
  AuthenticationFlow: settings(
    works('admin/authentication', 'alias authenticationExecutions builtIn description id providerId topLevel'),
  ),
  'Authenticator auth-conditional-otp-form': settings(
    works(
      'login/conditional-otp',
      'defaultOtpOutcome forceOtpForHeaderPattern forceOtpRole noOtpRequiredForHeaderPattern otpControlAttribute skipOtpRole',
    ),
  ),
  'Authenticator auth-x509-client-username-form': settings(
    whole(
      'client certificates do not sign users in',
      'x509-cert-auth-crl-abort-if-non-updated x509-cert-auth.canonical-dn-enabled x509-cert-auth.certificate-policy x509-cert-auth.certificate-policy-mode x509-cert-auth.confirmation-page-disallowed x509-cert-auth.crl-checking-enabled x509-cert-auth.crl-relative-path x509-cert-auth.crldp-checking-enabled x509-cert-auth.extendedkeyusage x509-cert-auth.keyusage x509-cert-auth.mapper-selection x509-cert-auth.mapper-selection.user-attribute-name x509-cert-auth.mapping-source-selection x509-cert-auth.ocsp-checking-enabled x509-cert-auth.ocsp-fail-open x509-cert-auth.ocsp-responder-certificate x509-cert-auth.ocsp-responder-uri x509-cert-auth.regular-expression x509-cert-auth.revalidate-certificate-enabled x509-cert-auth.serialnumber-hex-enabled x509-cert-auth.timestamp-validation-enabled',
    ),
  ),
  'Authenticator conditional-client-scope': settings(works('login/step-up', 'client_scope negate')),
  'Authenticator conditional-credential': settings(works('config/setting-flips', 'credentials included')),
  'Authenticator conditional-level-of-authentication': settings(
    works('login/step-up', 'loa-condition-level'),
    works('login/step-up', 'loa-max-age'),
  ),
  'Authenticator conditional-sub-flow-executed': settings(
    works('login/sub-flow-executed', 'check_result flow_to_check'),
  ),
  'Authenticator conditional-user-attribute': settings(
    works('login/step-up', 'attribute_expected_value attribute_name not regex'),
    works('config/setting-flips', 'include_group_attributes'),
  ),
  'Authenticator conditional-user-role': settings(works('login/step-up', 'condUserRole negate')),
  'Authenticator deny-access-authenticator': settings(works('config/setting-flips', 'denyErrorMessage')),
  'Authenticator direct-grant-auth-x509-username': settings(
    whole(
      'client certificates do not sign users in',
      'x509-cert-auth-crl-abort-if-non-updated x509-cert-auth.canonical-dn-enabled x509-cert-auth.certificate-policy x509-cert-auth.certificate-policy-mode x509-cert-auth.confirmation-page-disallowed x509-cert-auth.crl-checking-enabled x509-cert-auth.crl-relative-path x509-cert-auth.crldp-checking-enabled x509-cert-auth.extendedkeyusage x509-cert-auth.keyusage x509-cert-auth.mapper-selection x509-cert-auth.mapper-selection.user-attribute-name x509-cert-auth.mapping-source-selection x509-cert-auth.ocsp-checking-enabled x509-cert-auth.ocsp-fail-open x509-cert-auth.ocsp-responder-certificate x509-cert-auth.ocsp-responder-uri x509-cert-auth.regular-expression x509-cert-auth.revalidate-certificate-enabled x509-cert-auth.serialnumber-hex-enabled x509-cert-auth.timestamp-validation-enabled',
    ),
  ),
  'Authenticator identity-provider-redirector': settings(works('broker/ways', 'defaultProvider')),
  'Authenticator idp-create-user-if-unique': settings(
    works('broker/first-login', 'require.password.update.after.registration'),
  ),
  'Authenticator idp-review-profile': settings(works('broker/first-login', 'update.profile.on.first.login')),
  'Authenticator organization': settings(whole('Keyhost has no organizations', 'requiresUserMembership')),
  'Authenticator reset-credential-email': settings(works('login/reset-credentials', 'force-login')),
  'Authenticator reset-otp': settings(works('login/reset-credentials', 'action_on_otp_reset_flag')),
  'Authenticator user-session-limits': settings(
    works('login/session-limits', 'behavior errorMessage userClientLimit userRealmLimit'),
  ),
  AuthenticatorConfig: settings(works('admin/authentication', 'alias config id')),
  'FormAction registration-password-action': settings(
    told('the password is asked for on the page of the registration', 'always_set_password_on_register_form'),
  ),
  'FormAction registration-recaptcha-action': settings(
    whole(
      'Keyhost does not have this check: it asks for no proof that a person registers',
      'action recaptcha.v3 secret.key site.key useRecaptchaNet',
    ),
  ),
  'FormAction registration-recaptcha-enterprise': settings(
    whole(
      'Keyhost does not have this check: it asks for no proof that a person registers',
      'action api.key project.id recaptcha.v3 score.threshold site.key useRecaptchaNet',
    ),
  ),
  RequiredActionProvider: settings(
    works('admin/users', 'alias enabled name providerId'),
    works('login/required-actions', 'config priority'),
    works('admin/authentication', 'defaultAction'),
  ),
};

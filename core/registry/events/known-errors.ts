/**
 * The errors that statistics list by name: Keycloak's (`org.keycloak.events.Errors`), those of OAuth, and Keyhost's
 * own. An error of a plugin may be any text, so all others are counted as `other`.
 */
export const KNOWN_ERRORS: ReadonlySet<string> = new Set(
  `access_denied already_logged_in authorization_pending client_credentials_setup_required client_disabled client_not_found
  code_verifier_missing consent_denied cookie_not_found credential_not_found delete_credential_failed
  different_user_authenticated different_user_authenticating display_unsupported email_already_verified email_in_use
  email_send_failed expired_code expired_oauth2_device_code expired_token federated_identity_account_exists generic
  generic_authentication_error identity_provider_error identity_provider_login_failure illegal_origin insufficient_scope
  interaction_required invalid_authentication_session invalid_authn_request invalid_authorization_details
  invalid_binding_message invalid_client invalid_client_credentials invalid_client_metadata invalid_code
  invalid_code_challenge_method invalid_code_verifier invalid_config invalid_dpop_proof invalid_email invalid_form
  invalid_grant invalid_input invalid_issuer invalid_logout_request invalid_oauth2_device_code invalid_oauth2_user_code
  invalid_redirect_uri invalid_registration invalid_request invalid_request_object invalid_request_uri invalid_scope
  invalid_signature invalid_target invalid_token invalid_token_type invalid_user invalid_user_credentials login_required
  logout_failed missing_credential_id not_allowed not_logged_in password_confirm_error password_missing password_rejected
  pkce_verification_failed realm_disabled registration_disabled rejected_by_user request_not_supported
  request_uri_not_supported reset_credential_disabled resolve_required_actions server_error session_expired slow_down
  ssl_required temporarily_unavailable token_introspection_failed unauthorized_client unknown_error
  unknown_identity_provider unsupported_grant_type unsupported_response_type unsupported_token_type user_delete_error
  user_disabled user_not_found user_session_not_found user_temporarily_disabled username_in_use username_missing`.split(
    /\s+/,
  ),
);

/** Returns the error if it is known, else `other`, because requests could cause any number of different errors. */
export function knownError(error: string): string {
  return KNOWN_ERRORS.has(error) ? error : OTHER;
}

/** The label of unknown errors. */
export const OTHER = 'other';

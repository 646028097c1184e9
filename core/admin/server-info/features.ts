/** Keycloak's features that its console asks for, with those that this host has. */
const FEATURES: Readonly<Record<string, boolean>> = {
  ACCOUNT_API: false,
  ADMIN_API: true,
  ADMIN_FINE_GRAINED_AUTHZ: false,
  ADMIN_FINE_GRAINED_AUTHZ_V2: false,
  AUTHORIZATION: false,
  CIBA: false,
  CLIENT_POLICIES: true,
  CLIENT_SECRET_ROTATION: true,
  CLIENT_TYPES: false,
  DECLARATIVE_UI: false,
  DEVICE_FLOW: true,
  DPOP: false,
  DYNAMIC_SCOPES: true,
  IMPERSONATION: true,
  KERBEROS: false,
  OID4VC_VCI: false,
  ORGANIZATION: false,
  PAR: true,
  PASSKEYS: true,
  RECOVERY_CODES: true,
  SCIM_API: false,
  SSF: false,
  STEP_UP_AUTHENTICATION: false,
  TOKEN_EXCHANGE_STANDARD_V2: true,
  TRANSIENT_USERS: false,
  UPDATE_EMAIL: false,
  WEB_AUTHN: true,
  WORKFLOWS: false,
};

/** Keycloak's FeatureRepresentation of each. */
export const FEATURE_LIST = Object.entries(FEATURES).map(([name, enabled]) => ({
  ...{ name, label: name, type: enabled ? 'DEFAULT' : 'DISABLED_BY_DEFAULT', enabled },
  ...{ deprecated: false, dependencies: [] },
}));

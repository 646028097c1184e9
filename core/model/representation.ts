/** The members of Keycloak's representations that Keyhost does not use. They are stored and exported unchanged. */
type UnknownMembers = { [key: string]: unknown };

export interface ProtocolMapperRepresentation extends UnknownMembers {
  id?: string;
  name: string;
  protocol?: string;
  protocolMapper: string;
  config?: Record<string, string>;
}

export interface ClientScopeRepresentation extends UnknownMembers {
  id?: string;
  name: string;
  description?: string;
  protocol?: string;
  attributes?: Record<string, string>;
  protocolMappers?: ProtocolMapperRepresentation[];
}

/**
 * Keyhost's extension of a client: tokens for a user without a token of the user (direct naked impersonation). It is
 * disabled by default.
 */
export interface ImpersonationRepresentation {
  enabled?: boolean;
  /** Scopes that the client may request. A trailing `*` matches `[A-Za-z0-9._-]{1,64}`. */
  scopes?: string[];
  /** Client IDs that the client may request as the audience. */
  audiences?: string[];
  /** `unprivileged` (default) excludes users with admin roles. */
  subjects?: 'unprivileged' | 'any';
}

export interface ClientRepresentation extends UnknownMembers {
  id?: string;
  clientId: string;
  name?: string;
  description?: string;
  enabled?: boolean;
  protocol?: string;
  publicClient?: boolean;
  bearerOnly?: boolean;
  consentRequired?: boolean;
  standardFlowEnabled?: boolean;
  implicitFlowEnabled?: boolean;
  directAccessGrantsEnabled?: boolean;
  serviceAccountsEnabled?: boolean;
  clientAuthenticatorType?: string;
  secret?: string;
  rootUrl?: string;
  baseUrl?: string;
  adminUrl?: string;
  redirectUris?: string[];
  webOrigins?: string[];
  fullScopeAllowed?: boolean;
  notBefore?: number;
  defaultClientScopes?: string[];
  optionalClientScopes?: string[];
  protocolMappers?: ProtocolMapperRepresentation[];
  attributes?: Record<string, string>;
  /**
   * The ID or alias of the flow for logins to this client, by `browser` and `direct_grant`. An empty text or a missing
   * member means the realm's flow.
   */
  authenticationFlowBindingOverrides?: Record<string, string>;
  /** The time of the registration of each node, in seconds since the epoch. */
  registeredNodes?: Record<string, number>;
  impersonation?: ImpersonationRepresentation;
  /** Keyhost's extension: `jti` of the only valid registration access token of this client. */
  registrationTokenId?: string;
}

/** An initial access token for client registration (Keycloak's ClientInitialAccessPresentation). */
export interface InitialAccessRepresentation {
  /** The token's `jti`. */
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  /** Lifespan in seconds; 0 means that it does not expire. */
  expiration: number;
  count: number;
  remainingCount: number;
}

export interface RoleRepresentation extends UnknownMembers {
  id?: string;
  name: string;
  description?: string;
  composite?: boolean;
  composites?: { realm?: string[]; client?: Record<string, string[]> };
  clientRole?: boolean;
  containerId?: string;
  attributes?: Record<string, string[]>;
}

export interface GroupRepresentation extends UnknownMembers {
  id?: string;
  name: string;
  path?: string;
  subGroups?: GroupRepresentation[];
  attributes?: Record<string, string[]>;
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
}

export interface CredentialRepresentation extends UnknownMembers {
  id?: string;
  type: string;
  /** The plain text password, only in an import. It is hashed when the user is created. */
  value?: string;
  temporary?: boolean;
  userLabel?: string;
  createdDate?: number;
  /** A string that holds JSON, as in Keycloak. */
  secretData?: string;
  /** A string that holds JSON, as in Keycloak. */
  credentialData?: string;
}

/**
 * Scopes that a user granted to a client (Keycloak's UserConsentRepresentation). Times are in milliseconds since the
 * epoch.
 */
export interface ConsentRepresentation extends UnknownMembers {
  clientId: string;
  grantedClientScopes?: string[];
  createdDate?: number;
  lastUpdatedDate?: number;
}

/** A user's account at an identity provider. */
export interface FederatedIdentityRepresentation extends UnknownMembers {
  /**
   * Keyhost's extension: the last response of the provider's token endpoint, encrypted with the realm's AES key
   * (`storeToken`).
   */
  token?: string;
  /** The provider's alias. */
  identityProvider: string;
  /** The account's ID at the identity provider. */
  userId: string;
  userName?: string;
}

export interface UserRepresentation extends UnknownMembers {
  id?: string;
  username: string;
  email?: string;
  emailVerified?: boolean;
  firstName?: string;
  lastName?: string;
  enabled?: boolean;
  /** Milliseconds since the epoch. */
  createdTimestamp?: number;
  attributes?: Record<string, string[]>;
  requiredActions?: string[];
  credentials?: CredentialRepresentation[];
  realmRoles?: string[];
  clientRoles?: Record<string, string[]>;
  groups?: string[];
  serviceAccountClientId?: string;
  clientConsents?: ConsentRepresentation[];
  federatedIdentities?: FederatedIdentityRepresentation[];
  /** Seconds since the epoch. */
  notBefore?: number;
  /** Keyhost's extension: action tokens issued up to this time are rejected. Milliseconds since the epoch. */
  linksNotBefore?: number;
}

export interface ComponentRepresentation extends UnknownMembers {
  id?: string;
  name?: string;
  providerId: string;
  /** Keyhost's extension: the `parentId` in the request, if it is neither the realm nor a component. */
  parentId?: string;
  subType?: string;
  config?: Record<string, string[]>;
}

/**
 * Keyhost's extension of a realm: `actionTokenPolicy.<type>`. If an action token type has a rule, its unused tokens are
 * stored, and admins may list and revoke them.
 */
export interface ActionTokenRule {
  /** If true, admins may also issue tokens of this type. */
  mint?: boolean;
  /**
   * Maximum lifespan in seconds that an admin may choose for a token. Default: `actionTokenGeneratedByAdminLifespan`.
   */
  maxLifespan?: number;
}

/** An entry of a flow: a step (`authenticator`), or the subflow with an alias (`flowAlias`). */
export interface ExecutionRepresentation extends UnknownMembers {
  id?: string;
  authenticator?: string;
  /** True if the entry is a subflow. */
  authenticatorFlow?: boolean;
  flowAlias?: string;
  requirement?: string;
  priority?: number;
  /** The alias of an entry in the realm's `authenticatorConfig`. */
  authenticatorConfig?: string;
}

export interface FlowRepresentation extends UnknownMembers {
  id?: string;
  alias: string;
  description?: string;
  providerId?: string;
  topLevel?: boolean;
  builtIn?: boolean;
  authenticationExecutions?: ExecutionRepresentation[];
}

export interface AuthenticatorConfigRepresentation extends UnknownMembers {
  id?: string;
  alias: string;
  config?: Record<string, string>;
}

/** A required action of the realm. Without `enabled` it is disabled, as in Keycloak. */
export interface RequiredActionRepresentation extends UnknownMembers {
  alias: string;
  name?: string;
  /** Default: `alias`. */
  providerId?: string;
  enabled?: boolean;
  /** If true, every new user gets the action. */
  defaultAction?: boolean;
  priority?: number;
  config?: Record<string, string>;
}

export interface IdentityProviderRepresentation extends UnknownMembers {
  alias: string;
  internalId?: string;
  providerId?: string;
  displayName?: string;
  enabled?: boolean;
  trustEmail?: boolean;
  linkOnly?: boolean;
  hideOnLogin?: boolean;
  /** If true, the provider's token response at each login is stored in `token` of the user's federated identity. */
  storeToken?: boolean;
  addReadTokenRoleOnCreate?: boolean;
  firstBrokerLoginFlowAlias?: string;
  postBrokerLoginFlowAlias?: string;
  config?: Record<string, string>;
}

export interface IdentityProviderMapperRepresentation extends UnknownMembers {
  id?: string;
  name: string;
  identityProviderAlias: string;
  identityProviderMapper: string;
  config?: Record<string, string>;
}

/** Keyhost's extension of a realm: `providers.<spi>.<id>`. */
export interface ProviderSetting {
  enabled?: boolean;
  config?: Record<string, unknown>;
}

/** A named list of executors, which check or change clients and requests. Client policies refer to profiles by name. */
export interface ClientProfileRepresentation extends UnknownMembers {
  name?: string;
  description?: string;
  executors?: { executor?: string; configuration?: Record<string, unknown> }[];
}

/** A policy that applies client profiles to the clients and requests that meet its conditions. */
export interface ClientPolicyRepresentation extends UnknownMembers {
  name?: string;
  description?: string;
  enabled?: boolean;
  conditions?: { condition?: string; configuration?: Record<string, unknown> }[];
  profiles?: string[];
}

export interface RealmRepresentation extends UnknownMembers {
  id?: string;
  realm: string;
  enabled?: boolean;
  displayName?: string;
  notBefore?: number;
  defaultSignatureAlgorithm?: string;
  revokeRefreshToken?: boolean;
  refreshTokenMaxReuse?: number;
  accessTokenLifespan?: number;
  ssoSessionIdleTimeout?: number;
  ssoSessionMaxLifespan?: number;
  clientSessionIdleTimeout?: number;
  clientSessionMaxLifespan?: number;
  offlineSessionIdleTimeout?: number;
  accessCodeLifespanUserAction?: number;
  actionTokenGeneratedByAdminLifespan?: number;
  actionTokenGeneratedByUserLifespan?: number;
  sslRequired?: string;
  loginWithEmailAllowed?: boolean;
  duplicateEmailsAllowed?: boolean;
  bruteForceProtected?: boolean;
  eventsEnabled?: boolean;
  eventsExpiration?: number;
  eventsListeners?: string[];
  enabledEventTypes?: string[];
  adminEventsEnabled?: boolean;
  passwordPolicy?: string;
  internationalizationEnabled?: boolean;
  supportedLocales?: string[];
  defaultLocale?: string;
  /** Texts by language and message key. They take precedence over a theme's. */
  localizationTexts?: Record<string, Record<string, string>>;
  loginTheme?: string;
  accountTheme?: string;
  emailTheme?: string;
  /**
   * Keycloak's keys: host, port, from, fromDisplayName, replyTo, replyToDisplayName, envelopeFrom, ssl, starttls, auth,
   * user, password.
   */
  smtpServer?: object;
  attributes?: Record<string, string>;
  roles?: { realm?: RoleRepresentation[]; client?: Record<string, RoleRepresentation[]> };
  defaultRole?: RoleRepresentation;
  groups?: GroupRepresentation[];
  defaultGroups?: string[];
  clientScopes?: ClientScopeRepresentation[];
  defaultDefaultClientScopes?: string[];
  defaultOptionalClientScopes?: string[];
  scopeMappings?: { client?: string; clientScope?: string; roles: string[] }[];
  clientScopeMappings?: Record<string, { client?: string; clientScope?: string; roles: string[] }[]>;
  clients?: ClientRepresentation[];
  users?: UserRepresentation[];
  components?: Record<string, ComponentRepresentation[]>;
  authenticationFlows?: FlowRepresentation[];
  authenticatorConfig?: AuthenticatorConfigRepresentation[];
  requiredActions?: RequiredActionRepresentation[];
  browserFlow?: string;
  registrationFlow?: string;
  directGrantFlow?: string;
  firstBrokerLoginFlow?: string;
  identityProviders?: IdentityProviderRepresentation[];
  identityProviderMappers?: IdentityProviderMapperRepresentation[];
  clientProfiles?: { profiles?: ClientProfileRepresentation[] };
  clientPolicies?: { policies?: ClientPolicyRepresentation[] };
  privateKey?: string;
  publicKey?: string;
  certificate?: string;
  /** Keyhost's extension: the initial access tokens for client registration. */
  clientsInitialAccess?: InitialAccessRepresentation[];
  /** Keyhost's extension: settings of providers, by SPI and provider ID. */
  providers?: Record<string, Record<string, ProviderSetting>>;
  /** Keyhost's extension: what admins may do with action tokens, by token type. */
  actionTokenPolicy?: Record<string, ActionTokenRule>;
}

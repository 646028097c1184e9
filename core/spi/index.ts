export type {
  AdminAnswer,
  AdministeredRealm,
  Administration,
  ClientAdministration,
  ClientRepresentation,
  CredentialAdministration,
  CredentialVerdict,
  GroupAdministration,
  IdentityLink,
  IdentityProviderAdministration,
  IdleUser,
  ManagedCredential,
  ManagedGroup,
  ManagedIdentityProvider,
  ManagedSession,
  ManagedUser,
  NewUser,
  RoleAdministration,
  RoleList,
  SessionAdministration,
  TypedCredential,
  UserAdministration,
  UserChange,
  UserFilter,
  UserPage,
} from './administration.js';
export { GrpcError, type GrpcStatus, HostError, OAuthError } from './errors.js';
export type { FromSchema, Json, JsonObject, JsonSchema } from './json-schema.js';
export type { LoginLink, LoginLinkRequest, LoginLinks } from './login-links.js';
export type { MailRecipient, MailTemplate, PluginMail, PluginMails, QueuedMail } from './mail.js';
export type { MetricDeclaration, MetricDeclarations, MetricLabels, PluginMetrics } from './metrics.js';
export type { OwnCredential, OwnCredentials, OwnCredentialVerdict } from './own-credentials.js';
export {
  type Carried,
  type DeclarationOf,
  type HostContext,
  type Plugin,
  type PluginMessages,
  type ProviderDefinition,
  type ProviderFactory,
  type ProviderMethods,
  type ProviderOf,
  provide,
  type SharedConfig,
  SPI_API,
  type Spi,
  type SpiDefinition,
  spi,
} from './plugin.js';
export type { MigrationContext, PluginState } from './plugin-state.js';
export type { BackgroundRun, BackgroundWork, Closeable } from './provider-life.js';
export { wrongHeaders } from './response-headers.js';
export { PLUGIN_RIGHTS, type PluginNeeds, type PluginRight } from './rights.js';
export type { Schedule, ScheduledOutcome, ScheduledRun, ScheduledWork } from './schedule.js';
export type {
  FoundProvider,
  IssuedActionToken,
  Logger,
  OutboundAnswer,
  OutboundRequest,
  PluginStore,
  Session,
  StoredEntry,
  TokenEndpointResponse,
} from './session.js';
export type { Answers, Crossing, OperationAccess, RealmMention, RealmSwitch } from './spi-options.js';
export type { Described, Description } from './spis/description.js';
export { settingText } from './spis/setting-texts.js';
export * from './spis/spis.js';
export type { AdminEvent, BrokeredIdentity, ClientView, Event, Principal, RealmView, UserView } from './views.js';

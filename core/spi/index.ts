export { GrpcError, type GrpcStatus, HostError, OAuthError } from './errors.js';
export type { FromSchema, Json, JsonObject, JsonSchema } from './json-schema.js';
export {
  type ActionToken,
  type ActionTokenConfirmation,
  type ActionTokenContext,
  ActionTokenHandler,
  type ActionTokenHandlerDeclaration,
  type ActionTokenInfo,
  type ActionTokenProvider,
  type AuthenticationSession,
  type LinkedActions,
  type Refusal,
} from './kinds/action-token-handler.js';
export {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type AuthenticatorDeclaration,
  type AuthenticatorDescription,
  type AuthenticatorProvider,
  type ConditionContext,
  type ConditionProvider,
  type FlowEntry,
  type StepPage,
} from './kinds/authenticator.js';
export type { Described, Description } from './kinds/description.js';
export { EventListener, type EventListenerProvider } from './kinds/event-listener.js';
export {
  type Grant,
  type GrantRequest,
  type GrantResult,
  GrantType,
  type GrantTypeDeclaration,
} from './kinds/grant-type.js';
export {
  type GrpcCall,
  type GrpcHandler,
  type GrpcMethod,
  GrpcService,
  type GrpcServiceDeclaration,
  type GrpcServiceOf,
  type GrpcServiceProvider,
} from './kinds/grpc-service.js';
export {
  type MappedClaims,
  type MapperInput,
  ProtocolMapper,
  type ProtocolMapperDeclaration,
  type ProtocolMapperProvider,
} from './kinds/protocol-mapper.js';
export {
  type BodyOf,
  type HttpMethod,
  type ParamsOf,
  type RealmResource,
  type RealmResourceDeclaration,
  RealmResourceProvider,
  type ResourceOf,
  type ResourceRequest,
  type ResourceResponse,
  type Route,
} from './kinds/realm-resource-provider.js';
export {
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionDeclaration,
  type RequiredActionProvider,
  type RequiredActionStep,
} from './kinds/required-action.js';
export {
  type ConsentedScope,
  type MailPage,
  type Message,
  type Notice,
  type OtherWay,
  type Page,
  type PageField,
  type PageFrame,
  Theme,
  type ThemeProvider,
  type WebAuthnCall,
} from './kinds/theme.js';
export {
  type Closeable,
  type DeclarationOf,
  type HostContext,
  type Plugin,
  type ProviderDefinition,
  type ProviderFactory,
  type ProviderMethods,
  type ProviderOf,
  provide,
  SPI_API,
  type Spi,
  spi,
} from './plugin.js';
export type { IssuedActionToken, Logger, PluginStore, Session, StoredEntry, TokenEndpointResponse } from './session.js';
export type { AdminEvent, BrokeredIdentity, ClientView, Event, Principal, RealmView, UserView } from './views.js';

import type { Spi } from '../plugin.js';
import { AccountPage } from './account-page.js';
import { ActionTokenHandler } from './action-token-handler.js';
import { AdminPage } from './admin-page.js';
import { Authenticator } from './authenticator.js';
import { ClientAuthenticator } from './client-authenticator.js';
import { ClientPolicyCondition } from './client-policy-condition.js';
import { ClientPolicyExecutor } from './client-policy-executor.js';
import { ClientRegistrationPolicy } from './client-registration-policy.js';
import { CredentialProvider } from './credential-provider.js';
import { EmailSender } from './email-sender.js';
import { EmailTemplate } from './email-template.js';
import { EventListener } from './event-listener.js';
import { EventStore } from './event-store.js';
import { FormAction } from './form-action.js';
import { GrantType } from './grant-type.js';
import { GrpcService } from './grpc-service.js';
import { KeyProvider } from './key-provider.js';
import { PasswordHash } from './password-hash.js';
import { PasswordPolicy } from './password-policy.js';
import { ProtocolMapper } from './protocol-mapper.js';
import { RealmResourceProvider } from './realm-resource-provider.js';
import { RequiredAction } from './required-action.js';
import { Theme } from './theme.js';
import { Validator } from './validator.js';
import { Vault } from './vault.js';

export * from './account-page.js';
export * from './action-token-handler.js';
export * from './admin-page.js';
export * from './authenticator.js';
export * from './client-authenticator.js';
export {
  CLIENT_POLICY_EVENTS,
  type ClientPolicyDeclaration,
  type ClientPolicyEvent,
  type ClientPolicyInput,
  type PolicyClient,
} from './client-policy.js';
export * from './client-policy-condition.js';
export * from './client-policy-executor.js';
export * from './client-registration-policy.js';
export * from './credential-provider.js';
export * from './email-sender.js';
export * from './email-template.js';
export * from './event-listener.js';
export * from './event-store.js';
export * from './form-action.js';
export * from './grant-type.js';
export * from './grpc-service.js';
export * from './key-provider.js';
export * from './password-hash.js';
export * from './password-policy.js';
export * from './protocol-mapper.js';
export * from './realm-resource-provider.js';
export * from './required-action.js';
export * from './theme.js';
export * from './validator.js';
export * from './vault.js';

/** The SPIs of the host. The file of each one documents it. */
export const SPIS = [
  RealmResourceProvider,
  ActionTokenHandler,
  GrantType,
  GrpcService,
  EventListener,
  ProtocolMapper,
  Theme,
  Authenticator,
  FormAction,
  RequiredAction,
  AdminPage,
  PasswordPolicy,
  PasswordHash,
  ClientAuthenticator,
  Vault,
  EmailSender,
  EmailTemplate,
  ClientRegistrationPolicy,
  KeyProvider,
  CredentialProvider,
  EventStore,
  ClientPolicyCondition,
  ClientPolicyExecutor,
  Validator,
  AccountPage,
] as readonly Spi[];

/** @deprecated Use `SPIS`. */
export const KINDS: readonly Spi[] = SPIS;

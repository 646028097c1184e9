import type {
  AdminAnswer,
  Administration,
  CredentialVerdict,
  IssuedActionToken,
  Json,
  LoginLink,
  LoginLinkRequest,
  OutboundAnswer,
  OutboundRequest,
  OwnCredential,
  OwnCredentialVerdict,
  PluginMail,
  PluginRight,
  QueuedMail,
  TokenEndpointResponse,
  TypedCredential,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { WorkKey } from '../background/work-scheduler.js';
import type { ActionTokenRequest, Caller, HostSession } from './host-session.js';
import type { AuthenticatedCaller } from './token-audience.js';

/** A plugin's call of the Admin REST API. */
export interface PluginRequest {
  /** The plugin's name, set by the host. */
  readonly plugin: string;
  /** The plugin's rights in the session's realm. */
  readonly rights: ReadonlySet<PluginRight>;
  readonly asked: Parameters<Administration['request']>;
}

/** A credential that a plugin wants the host to check. */
export interface CredentialToCheck extends Pick<PluginRequest, 'plugin' | 'rights'> {
  readonly userId: string;
  readonly credential: TypedCredential;
}

/** A mail that a plugin sends. */
export interface MailRequest extends Pick<PluginRequest, 'plugin' | 'rights'> {
  readonly mail: PluginMail;
}

/** A plugin's request for a link that signs a user in. */
export interface LoginLinkToIssue extends Pick<PluginRequest, 'plugin' | 'rights'> {
  readonly request: LoginLinkRequest;
}

/** The credentials for a plugin's call: of one of its own types, and of the session's user. */
export interface CredentialQuery extends Pick<PluginRequest, 'plugin'> {
  readonly session: HostSession;
  readonly type: string;
}

/** Credentials of plugins' own types. @throws HostError as `session.ownCredentials` */
export interface OwnCredentialCalls {
  list(asked: CredentialQuery): Promise<readonly OwnCredential[]>;
  verify(asked: CredentialQuery, input: Json, options?: { id?: string }): Promise<OwnCredentialVerdict>;
  create(asked: CredentialQuery, input: Json, options?: { label?: string }): Promise<OwnCredential>;
  remove(asked: CredentialQuery, id: string): Promise<boolean>;
}

/** Services of sessions that higher modules provide when the host is composed. */
export interface SessionServices {
  authenticate(realm: Realm, caller: Caller): Promise<AuthenticatedCaller>;
  tokenRequest(realm: Realm, form: Readonly<Record<string, string>>, caller: Caller): Promise<TokenEndpointResponse>;
  issueActionToken(realm: Realm, request: ActionTokenRequest, session: HostSession): Promise<IssuedActionToken>;
  /** @param signal aborts it */
  outboundRequest(request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer>;
  /** Carries out a plugin's request of the Admin REST API. @throws HostError as `session.admin.request` */
  adminRequest(request: PluginRequest, session: HostSession): Promise<AdminAnswer>;
  /** Checks a credential for a plugin. @throws HostError as `session.credentials.verify` */
  verifyCredential(request: CredentialToCheck, session: HostSession): Promise<CredentialVerdict>;
  readonly ownCredentials: OwnCredentialCalls;
  /** Queues a plugin's mail. @throws HostError as `session.mail.send` */
  sendMail(request: MailRequest, session: HostSession): Promise<QueuedMail>;
  /** Issues a link that signs a user in, for a plugin. @throws HostError as `session.loginLinks.issue` */
  issueLoginLink(request: LoginLinkToIssue, session: HostSession): Promise<LoginLink>;
  /** @throws HostError `background_unknown` if the plugin has no such work, `invalid_argument` */
  wake(work: WorkKey, plugin: string): void;
}

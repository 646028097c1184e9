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
  Session,
  TokenEndpointResponse,
  TypedCredential,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { WorkKey } from '../background/work-scheduler.js';
import type { Caller } from './caller.js';
import type { HostSession } from './host-session.js';
import type { AuthenticatedCaller } from './token-audience.js';

/** A plugin's request to the Admin REST API. */
export interface PluginRequest {
  /** The plugin's name, set by the host. */
  readonly plugin: string;
  /** The plugin's rights in the session's realm. */
  readonly rights: ReadonlySet<PluginRight>;
  readonly requestArguments: Parameters<Administration['request']>;
}

/** A credential that the host verifies for a plugin. */
export interface CredentialToCheck extends Pick<PluginRequest, 'plugin' | 'rights'> {
  readonly userId: string;
  readonly credential: TypedCredential;
}

/** A plugin's request to send a mail. */
export interface MailRequest extends Pick<PluginRequest, 'plugin' | 'rights'> {
  readonly mail: PluginMail;
}

/** A plugin's request for a login link, which signs a user in. */
export interface LoginLinkToIssue extends Pick<PluginRequest, 'plugin' | 'rights'> {
  readonly request: LoginLinkRequest;
}

/** Identifies the credentials of a plugin's own type that belong to the user of the session. */
export interface CredentialQuery extends Pick<PluginRequest, 'plugin'> {
  readonly session: HostSession;
  readonly type: string;
}

/**
 * Manages credentials of plugins' own types.
 * @throws HostError as `session.ownCredentials`
 */
export interface OwnCredentialCalls {
  list(query: CredentialQuery): Promise<readonly OwnCredential[]>;
  verify(query: CredentialQuery, input: Json, options?: { id?: string }): Promise<OwnCredentialVerdict>;
  create(query: CredentialQuery, input: Json, options?: { label?: string }): Promise<OwnCredential>;
  remove(query: CredentialQuery, id: string): Promise<boolean>;
}

/** Services for sessions that higher modules provide when the host is composed. */
export interface SessionServices {
  authenticate(realm: Realm, caller: Caller): Promise<AuthenticatedCaller>;
  tokenRequest(realm: Realm, form: Readonly<Record<string, string>>, caller: Caller): Promise<TokenEndpointResponse>;
  issueActionToken(realm: Realm, request: ActionTokenRequest, session: HostSession): Promise<IssuedActionToken>;
  /** @param signal aborts the request */
  outboundRequest(request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer>;
  /**
   * Sends a plugin's request to the Admin REST API.
   * @throws HostError as `session.admin.request`
   */
  adminRequest(request: PluginRequest, session: HostSession): Promise<AdminAnswer>;
  /**
   * Verifies a credential for a plugin.
   * @throws HostError as `session.credentials.verify`
   */
  verifyCredential(request: CredentialToCheck, session: HostSession): Promise<CredentialVerdict>;
  readonly ownCredentials: OwnCredentialCalls;
  /**
   * Queues a plugin's mail.
   * @throws HostError as `session.mail.send`
   */
  sendMail(request: MailRequest, session: HostSession): Promise<QueuedMail>;
  /**
   * Issues a login link for a plugin.
   * @throws HostError as `session.loginLinks.issue`
   */
  issueLoginLink(request: LoginLinkToIssue, session: HostSession): Promise<LoginLink>;
  /**
   * Runs a plugin's background work as soon as possible.
   * @throws HostError `background_unknown` if the plugin has no such work, `invalid_argument` for an invalid part
   */
  wake(work: WorkKey, plugin: string): void;
}

/** A request to issue an action token. */
export type ActionTokenRequest = Parameters<Session['actionTokens']['issue']>[0] & {
  /** Called when the token is signed, before it is stored. */
  readonly onSigned?: (token: Pick<IssuedActionToken, 'id' | 'expiresIn'>) => void;
  /** The requesting plugin; undefined for the host. */
  readonly requestedBy?: Pick<PluginRequest, 'plugin' | 'rights'>;
};

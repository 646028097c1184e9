import { hash } from 'node:crypto';
import type { BrokeredIdentity, Message } from '@keyhost/spi';
import type { SingleUseKey } from '../action-tokens/link-logins.js';
import { COOKIE, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import { randomToken } from '../model/random-token.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import type { AuthenticationSessionStore, BrowserKey } from './authentications/authentication-session-store.js';
import type { FlowState } from './flows/flow-state.js';
import type { PendingRedirect } from './pending-redirects.js';

export type LoginStage =
  | 'authenticate'
  | 'registration'
  | 'reset-credentials'
  | BrokerFlowStage
  | 'required-action'
  | 'consent';

/**
 * The flows of a login at an identity provider: for an account that no user is linked to yet, and after every such
 * login.
 */
export type BrokerFlowStage = 'first-broker-login' | 'post-broker-login';

/** A redirect of the browser to an identity provider, from which it has not returned yet. */
export interface ProviderRedirect extends PendingRedirect {
  readonly alias: string;
  readonly nonce: string | undefined;
  readonly verifier: string | undefined;
}

/** A redirect of the browser to an external site that a step of the flow requested. */
export interface StepRedirect extends PendingRedirect {
  readonly alias?: undefined;
  readonly execution: string;
}

/** The account at the identity provider that the user signs in with. */
export interface BrokeredLogin {
  identity: BrokeredIdentity;
  /** The broker flow that the login is in. `done`: both are complete, and the realm's browser flow does not run. */
  stage: BrokerFlowStage | 'done';
}

/**
 * A login in progress: an authorization request in one tab of one browser. Handlers of action links see a part of it,
 * the SPI's `AuthenticationSession`.
 */
export interface HostAuthenticationSession extends FlowState {
  readonly rootId: string;
  readonly tabId: string;
  /** Secret in each form; proves that the form belongs to a page of this authentication session. */
  readonly code: string;
  readonly clientId: string;
  request: AuthorizationRequest;
  flow: 'browser' | 'registration' | 'reset-credentials';
  /** The execution or required action whose answer is pending, or `consent`. */
  waitsFor?: string;
  /** The path below `login-actions` that the pending page posts to. */
  at: LoginStage;
  /** The ID of the user session whose level this login raises; undefined if it raises none. */
  stepsUp?: string;
  /**
   * The username as typed. Pages show it in place of the user's own, so that they do not reveal which usernames exist.
   */
  typedUsername?: string;
  rememberMe: boolean;
  /** The language that the user has chosen on a page of this authentication session. */
  chosenLocale?: string;
  /** True if single sign-on was the last step that succeeded: the browser's user session was sufficient. */
  bySession: boolean;
  notes: Record<string, string>;
  /** Aliases of the required actions of this authentication session alone. */
  readonly actions: Set<string>;
  /** Aliases of the required actions that the user has completed in this login. */
  readonly passed: Set<string>;
  /** Result of the action that the application requested: Keycloak's `kc_action_status`. */
  actionStatus?: 'success' | 'cancelled' | 'error';
  /** The action link that the user has followed, and whether it was used up. */
  link?: { readonly type: string; readonly id: string; readonly spends: SingleUseKey | undefined; spent: boolean };
  /** Message of the next page, shown once. */
  notice?: Message & { readonly severity: 'error' | 'warning' | 'success' };
  /** When the pending page last polled, in milliseconds since the epoch. */
  polledAt?: number;
  away?: ProviderRedirect | StepRedirect;
  brokered?: BrokeredLogin;
  /** The account at an identity provider that a required action will link. */
  linking?: BrokeredIdentity;
  /** This authentication session, encrypted, for the URLs of its first page; undefined if the host stores it. */
  encryptedSession?: string;
}

/**
 * The logins in progress. A lost one starts again from the restart cookie, which has its request. Nothing was granted
 * to the client yet, so nothing is lost.
 */
export class AuthenticationSessions {
  readonly #store: AuthenticationSessionStore;

  constructor(store: AuthenticationSessionStore) {
    this.#store = store;
  }

  /**
   * Returns a new authentication session, not yet stored. All sessions of a browser have the same `rootId`, from its
   * cookie.
   */
  create(exchange: Exchange, request: AuthorizationRequest): HostAuthenticationSession {
    return {
      ...newIds(),
      rootId: readRootId(exchange) ?? newIds().rootId,
      clientId: request.clientId,
      request,
      flow: 'browser',
      at: 'authenticate',
      done: new Map(),
      passedFlows: new Set(),
      chosen: [],
      credentialTypes: new Set(),
      levels: {},
      references: {},
      actions: new Set(),
      passed: new Set(),
      rememberMe: false,
      bySession: false,
      notes: {},
    };
  }

  /**
   * Stores the session for the realm's `accessCodeLifespanLogin` (default: 30 minutes) and sets the browser's cookie.
   */
  save(exchange: Exchange, session: HostAuthenticationSession): void {
    this.#store.save(exchange, session, lifespanOf(exchange));
    this.#setCookie(exchange, session);
  }

  /**
   * Like `save`, for a session whose page is about to be shown. The URLs of its first page may contain it, encrypted;
   * then it is not stored.
   */
  async saveForPage(exchange: Exchange, session: HostAuthenticationSession): Promise<void> {
    const encryptedSession = await this.#store.encryptForUrl?.(exchange, session, lifespanOf(exchange));
    if (encryptedSession === undefined) {
      this.save(exchange, session);
      return;
    }
    session.encryptedSession = encryptedSession;
    this.#setCookie(exchange, session);
  }

  #setCookie(exchange: Exchange, session: HostAuthenticationSession): void {
    if (readRootId(exchange) !== session.rootId) setCookie(exchange, COOKIE.authenticationSession, session.rootId);
  }

  /**
   * The session of this browser in this tab; undefined if the browser has none there.
   * @param encryptedSession the encrypted session from the URL, if it has one
   * @throws HostError `authentication_busy` (503)
   */
  async find(
    exchange: Exchange,
    tabId: string,
    encryptedSession?: string,
  ): Promise<HostAuthenticationSession | undefined> {
    const browserKey = browserKeyOf(exchange);
    return browserKey && TAB_ID.test(tabId)
      ? this.#store.find(exchange, { ...browserKey, tabId }, encryptedSession)
      : undefined;
  }

  /**
   * Returns the browser's authentication session that a pushed authorization request began.
   * @param pushed the name of the request
   * @throws HostError as `find` does
   */
  async findPushed(exchange: Exchange, pushed: string): Promise<HostAuthenticationSession | undefined> {
    const browserKey = browserKeyOf(exchange);
    const tabId = browserKey && (await this.#store.tabOfPushed(browserKey, pushed));
    return tabId === undefined ? undefined : this.find(exchange, tabId);
  }

  /** Gives the session new IDs once something is proven in it, against session fixation. */
  renew(exchange: Exchange, session: HostAuthenticationSession): HostAuthenticationSession {
    this.remove(exchange, session);
    return { ...session, ...newIds() };
  }

  /**
   * True if the session with this name (see `nameOfAuthentication`) is known to be over: it ended, or the host that
   * held it in memory restarted. False if it is active or its state is unknown.
   */
  isLost(realm: string, name: string): boolean {
    return this.#store.isLost?.(realm, name.split('.')[1] ?? '') === true;
  }

  remove(exchange: Exchange, session: HostAuthenticationSession): void {
    this.#store.remove(exchange, session);
  }

  /** True if the browser has other authentication sessions. */
  hasOthers({ realm }: Exchange, { rootId, tabId }: HostAuthenticationSession): Promise<boolean> {
    return this.#store.hasOthers({ realm: realm.name, rootId, tabId });
  }
}

/**
 * The name of an authentication session in an action token (Keycloak's compound ID). It contains a hash of the
 * browser's cookie instead of its value.
 */
export function nameOfAuthentication({ rootId, tabId }: HostAuthenticationSession, client: Client): string {
  return `${hash('sha256', rootId, 'base64url')}.${tabId}.${client.id}`;
}

function lifespanOf({ realm }: Exchange): number {
  return realm.settings.accessCodeLifespanLogin * 1000;
}

function newIds(): Pick<HostAuthenticationSession, 'rootId' | 'tabId' | 'code'> {
  return {
    rootId: randomToken(18),
    tabId: randomToken(8),
    code: randomToken(24),
  };
}

/** Format of `randomToken(8)`. */
const TAB_ID = /^[A-Za-z0-9_-]{11}$/;

function readRootId(exchange: Exchange): string | undefined {
  const value = readCookie(exchange, COOKIE.authenticationSession);
  return value !== undefined && /^[A-Za-z0-9_-]{24}$/.test(value) ? value : undefined;
}

function browserKeyOf(exchange: Exchange): BrowserKey | undefined {
  const rootId = readRootId(exchange);
  return rootId === undefined ? undefined : { realm: exchange.realm.name, rootId };
}

import { hash } from 'node:crypto';
import type { BrokeredIdentity, Message } from '@keyhost/spi';
import type { SpentMark } from '../action-tokens/link-logins.js';
import { COOKIE, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import { randomToken } from '../model/random-token.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import type { AuthenticationShelf, BrowserPlace } from './authentications/shelf.js';
import type { FlowState } from './flows/flow-state.js';
import type { Trip } from './trips.js';

export type LoginStage =
  | 'authenticate'
  | 'registration'
  | 'reset-credentials'
  | BrokeredStage
  | 'required-action'
  | 'consent';

/** Flows that a login at an identity provider leads through. */
export type BrokeredStage = 'first-broker-login' | 'post-broker-login';

/** The browser is at an identity provider. */
export interface ProviderTrip extends Trip {
  readonly alias: string;
  readonly nonce: string | undefined;
  readonly verifier: string | undefined;
}

/** The browser is where a step of the flow has sent it. */
export interface StepTrip extends Trip {
  readonly alias?: undefined;
  readonly execution: string;
}

/** The account at an identity provider that a login goes by. */
export interface BrokeredLogin {
  identity: BrokeredIdentity;
  /** `done`: it stands for the realm's own flow. */
  stage: BrokeredStage | 'done';
}

/**
 * A login under way: an authorization request in one tab of one browser. Handlers of links see the little of it that is the
 * SPI's `AuthenticationSession`.
 */
export interface HostAuthenticationSession extends FlowState {
  readonly rootId: string;
  readonly tabId: string;
  /** Proves that a form came from a page of this authentication session. */
  readonly code: string;
  readonly clientId: string;
  request: AuthorizationRequest;
  /** The flow that the user goes through. */
  flow: 'browser' | 'registration' | 'reset-credentials';
  /** The execution or required action that waits for an answer, or `consent`. */
  waitsFor?: string;
  /** The path below `login-actions` that the answer is posted to. */
  at: LoginStage;
  /** The id of the browser's session, when that was good for its level and more is asked for. */
  stepsUp?: string;
  /** What the user typed for a name, which pages show in place of the user's own: they must not tell which names exist. */
  typedUsername?: string;
  rememberMe: boolean;
  /** The language that the user has chosen on a page of it. */
  chosenLocale?: string;
  /** True when the browser's own session was good enough. */
  bySession: boolean;
  notes: Record<string, string>;
  /** Required actions of this authentication session alone, by their aliases. */
  readonly actions: Set<string>;
  /** Actions that the user was led through already, by their aliases. */
  readonly passed: Set<string>;
  /** What became of the action that the application asked for: Keycloak's `kc_action_status`. */
  actionStatus?: 'success' | 'cancelled' | 'error';
  /** The mailed link that the user has followed, and whether something was done with it. */
  link?: { readonly type: string; readonly id: string; readonly spends: SpentMark | undefined; spent: boolean };
  /** What the next page tells, once. */
  notice?: Message & { readonly severity: 'error' | 'warning' | 'success' };
  /** The page that waits asks whether it can go on: when it last did, in milliseconds since the epoch. */
  polledAt?: number;
  away?: ProviderTrip | StepTrip;
  brokered?: BrokeredLogin;
  /** The account at a provider that a required action asked for, to be linked. */
  linking?: BrokeredIdentity;
  /** All of it, sealed, as the addresses of its first page carry it; undefined: the host keeps it. */
  carried?: string;
}

/** Logins under way. One that is lost begins again from its cookie: nothing was granted yet. */
export class AuthenticationSessions {
  readonly #shelf: AuthenticationShelf;

  constructor(shelf: AuthenticationShelf) {
    this.#shelf = shelf;
  }

  /** A new one, not yet kept. It belongs to the browser's root session where there is one. */
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

  /** Keeps it for `accessCodeLifespanLogin` (30 minutes), and names it to the browser. */
  keep(exchange: Exchange, session: HostAuthenticationSession): void {
    this.#shelf.keep(exchange, session, lifespanOf(exchange));
    this.#name(exchange, session);
  }

  /** As `keep`, of one whose page is about to be shown: its first page may carry it. */
  async keepAtPage(exchange: Exchange, session: HostAuthenticationSession): Promise<void> {
    const carried = await this.#shelf.carried?.(exchange, session, lifespanOf(exchange));
    if (carried === undefined) {
      this.keep(exchange, session);
      return;
    }
    session.carried = carried;
    this.#name(exchange, session);
  }

  #name(exchange: Exchange, session: HostAuthenticationSession): void {
    if (readRootId(exchange) !== session.rootId) setCookie(exchange, COOKIE.authenticationSession, session.rootId);
  }

  /**
   * The one that the request's cookie and its `tab_id` name. Until the request is answered no other gets it.
   * @param carried what the address of the request carries
   * @throws HostError `authentication_busy` (503) when another request has it for too long
   */
  async find(exchange: Exchange, tabId: string, carried?: string): Promise<HostAuthenticationSession | undefined> {
    const place = placeOf(exchange);
    return place && TAB_ID.test(tabId) ? this.#shelf.find(exchange, { ...place, tabId }, carried) : undefined;
  }

  /**
   * The one that the request's cookie names, and the pushed request of that name began.
   * @throws HostError as `find` does
   */
  async findPushed(exchange: Exchange, pushed: string): Promise<HostAuthenticationSession | undefined> {
    const place = placeOf(exchange);
    const tabId = place && (await this.#shelf.tabOfPushed(place, pushed));
    return tabId === undefined ? undefined : this.find(exchange, tabId);
  }

  /**
   * The authentication session under names that only this browser will know, once something is proven in it: whoever
   * planted the old cookie here, and began it elsewhere, is left behind.
   */
  renew(exchange: Exchange, session: HostAuthenticationSession): HostAuthenticationSession {
    this.remove(exchange, session);
    return { ...session, ...newIds() };
  }

  /**
   * True when the one that has this name, by `nameOfAuthentication`, is no longer under way: it ended, or was lost with the
   * memory of the host. False also where nobody knows.
   */
  isLost(realm: string, name: string): boolean {
    return this.#shelf.isLost?.(realm, name.split('.')[1] ?? '') === true;
  }

  remove(exchange: Exchange, session: HostAuthenticationSession): void {
    this.#shelf.remove(exchange, session);
  }

  /** True when the browser has other authentication sessions. */
  hasOthers({ realm }: Exchange, { rootId, tabId }: HostAuthenticationSession): Promise<boolean> {
    return this.#shelf.hasOthers({ realm: realm.name, rootId, tabId });
  }
}

/**
 * The name of an authentication session in an action token (Keycloak's compound id): whoever reads it does not learn the
 * browser's cookie.
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

/** As `randomToken(8)` makes them. */
const TAB_ID = /^[A-Za-z0-9_-]{11}$/;

function readRootId(exchange: Exchange): string | undefined {
  const value = readCookie(exchange, COOKIE.authenticationSession);
  return value !== undefined && /^[A-Za-z0-9_-]{24}$/.test(value) ? value : undefined;
}

function placeOf(exchange: Exchange): BrowserPlace | undefined {
  const rootId = readRootId(exchange);
  return rootId === undefined ? undefined : { realm: exchange.realm.name, rootId };
}

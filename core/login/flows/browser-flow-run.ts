import type { AuthenticationContext, AuthenticationStep, FollowedLink } from '@keyhost/spi';
import { isForeignCredential } from '../../http/client-headers.js';
import type { Exchange } from '../../http/exchange.js';
import { ACCOUNT_CONSOLE } from '../../model/built-in-names.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import type { AuthorizationRequest } from '../../oidc/authorization/authorization-request.js';
import { localeOf } from '../../pages/page-frame.js';
import { type AuthenticationLevel, levelsOf } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { Users } from '../../users/users.js';
import { type HostAuthenticationSession, nameOfAuthentication } from '../authentication-sessions.js';
import { LOGIN_LINK, type LoginLinks } from '../links/login-links.js';
import type { LoginRequestContext } from '../login-request-context.js';
import { newRedirectState } from '../pending-redirects.js';
import { returnUrl } from '../step-return.js';
import { AUTHENTICATED_BY_SESSION } from '../steps/cookie.js';
import { readUsernameCookie } from '../username-cookie.js';
import type { BruteForceCounter } from './brute-force-counter.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';
import { flowOfLogin } from './flow-of-login.js';
import type { FlowRun } from './flow-run.js';
import { addStepLink, followStepLink } from './flow-state.js';
import { levelForCredentialChange, NO_LEVEL } from './levels.js';
import type { StepCookies } from './step-cookies.js';
import { checkUserSession, type SessionCheck } from './user-session-check.js';

/**
 * True if the request accepts only this user, whom its `id_token_hint` or claims name by the client's subject. False
 * for a request that names no user.
 */
export function isHintedUser(
  { hintedSubject }: AuthorizationRequest,
  client: Client,
  userId: string | undefined,
): boolean {
  return userId !== undefined && hintedSubject === client.subjectOf(userId);
}

export interface FlowRunParts {
  readonly users: Users;
  readonly clock: Clock;
  readonly cookies: StepCookies;
  readonly links: LoginLinks;
  readonly types: CredentialTypes;
  readonly bruteForce: BruteForceCounter;
}

/** The part of a running flow that depends on the browser: contexts, state and level. */
export class BrowserFlowRun implements FlowRun {
  readonly session: HostSession;
  readonly state: HostAuthenticationSession;
  readonly scopes: readonly string[];
  readonly bruteForce: BruteForceCounter;
  typedPassword?: string | undefined;
  readonly #users: Users;
  readonly #clock: Clock;
  readonly #cookies: StepCookies;
  readonly #links: LoginLinks;
  readonly #types: CredentialTypes;
  readonly #loginContext: LoginRequestContext;
  /** The levels that the flow can reach, lowest first. */
  readonly #levels: readonly AuthenticationLevel[];
  readonly #sessionCheck: SessionCheck;

  constructor({ users, clock, cookies, links, types, bruteForce }: FlowRunParts, loginContext: LoginRequestContext) {
    const { exchange, authentication, client, session, browser } = loginContext;
    const { request } = authentication;
    this.session = session;
    this.state = authentication;
    this.scopes = client.selectScope(request.scope).scopes.map(({ name }) => name);
    this.bruteForce = bruteForce;
    this.#users = users;
    this.#clock = clock;
    this.#cookies = cookies;
    this.#links = links;
    this.#types = types;
    this.#loginContext = loginContext;
    this.#levels = levelsOf(flowOfLogin(exchange.realm, client, authentication));
    this.#sessionCheck = checkUserSession({
      request,
      session: browser?.session,
      subject: browser && client.subjectOf(browser.user.id),
      levels: this.#levels,
      targetLevel: this.#targetLevel(browser?.user),
      nowSeconds: this.nowSeconds(),
    });
    if (authentication.level !== undefined) return;
    // A reset proves no level, even if the browser has a user session.
    if (authentication.flow === 'reset-credentials') authentication.level = NO_LEVEL;
    else this.#startLevel();
  }

  async context(
    execution: Execution,
    enabled?: EnabledAuthenticator,
  ): Promise<Omit<AuthenticationContext, 'state' | 'typedPassword'>> {
    const { exchange, authentication, client, browser } = this.#loginContext;
    const followedLink = await this.#followedLink(execution, enabled);
    const { request, brokered, notes } = authentication;
    const isReset = authentication.flow === 'reset-credentials';
    const { isFresh, matchesHint, satisfiesAcr } = this.#sessionCheck;
    const hasSession = isFresh && matchesHint && satisfiesAcr && !isReset;
    // A signed-in user who must sign in again is preset, so that no other user can complete the login.
    const acceptsAnyUser = (isFresh && (satisfiesAcr || !matchesHint)) || brokered !== undefined || isReset;
    const user = (await this.#flowUser()) ?? (acceptsAnyUser ? undefined : browser?.user);
    const provenBefore = user !== undefined && user.id === authentication.proven;
    const login = nameOfAuthentication(authentication, client);
    this.session.setSubject(user?.id, provenBefore, {
      plugin: enabled?.registered.plugin.name,
      step: { login, onLinkIssued: (link) => addStepLink(authentication, { ...link, execution: execution.id }) },
    });
    return {
      user: user?.view,
      provenBefore,
      followedLink,
      client: client.view,
      loginHint: request.loginHint ?? readUsernameCookie(exchange),
      typedUsername: authentication.typedUsername,
      identityProviderHint: request.identityProviderHint,
      brokered: brokered?.identity,
      // Never link an identity provider's account to the user who happens to be signed in here.
      browserUserId: hasSession && brokered === undefined ? browser?.user.id : undefined,
      config: execution.config,
      notes,
      credentialTypes: [...authentication.credentialTypes],
      form: undefined,
      locale: localeOf(exchange, request.uiLocales),
      login,
      returnTo: { url: returnUrl(exchange.realm), state: newRedirectState(authentication) },
      userAgent: exchange.ctx.get('user-agent') || undefined,
      headers: headersOf(exchange, enabled),
      cookies: enabled === undefined ? {} : await this.#cookies.read(exchange, enabled.registered),
    };
  }

  get browser(): NonNullable<FlowRun['browser']> {
    return {
      check: ({ registered }, step) => this.#cookies.check(registered, step),
      set: ({ registered }, step) => this.#cookies.write(this.#loginContext.exchange, registered, step),
    };
  }

  async wantedLevel(): Promise<number> {
    return this.#targetLevel(await this.#flowUser());
  }

  nowSeconds(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  recordSuccess(step: Extract<AuthenticationStep, { outcome: 'success' }>): void {
    const { authentication } = this.#loginContext;
    const { [AUTHENTICATED_BY_SESSION]: bySession, ...notes } = step.notes ?? {};
    if (step.userId !== undefined) authentication.userId = step.userId;
    if (step.typedUsername !== undefined) authentication.typedUsername = step.typedUsername;
    if (step.rememberMe !== undefined) authentication.rememberMe = step.rememberMe;
    authentication.bySession = bySession === 'true';
    if (authentication.bySession)
      authentication.level = Math.max(authentication.level ?? NO_LEVEL, this.#sessionCheck.level);
    Object.assign(authentication.notes, notes);
    for (const alias of step.requiredActions ?? []) authentication.actions.add(alias);
    if (step.profile !== undefined) applyProfileChanges(authentication, step.profile);
  }

  /**
   * The level that this user must reach in the flow. A level above those of the flow is not tried: whether a required
   * level can be reached was checked when the authentication session started.
   */
  #targetLevel(user: User | undefined): number {
    const { authentication, client } = this.#loginContext;
    const { request } = authentication;
    const requestedLevel = request.acr?.wanted ?? NO_LEVEL;
    const isSensitive =
      request.initiatedAction !== undefined || (client.clientId === ACCOUNT_CONSOLE && request.maxAge === 0);
    const levelContext = { types: this.#types, realm: this.session.compiledRealm, levels: this.#levels };
    const target = isSensitive
      ? Math.max(requestedLevel, levelForCredentialChange(levelContext, user))
      : requestedLevel;
    return Math.min(target, this.#levels.at(-1)?.level ?? target);
  }

  /** Sets the initial level: none, or that of the user session that the login steps up. */
  #startLevel(): void {
    const { authentication, browser } = this.#loginContext;
    authentication.level = NO_LEVEL;
    const { level, satisfiesAcr } = this.#sessionCheck;
    if (browser === undefined || level === NO_LEVEL || satisfiesAcr) return;
    authentication.level = level;
    authentication.userId = browser.user.id;
    authentication.proven = browser.user.id;
    authentication.stepsUp = browser.session.id;
  }

  /** The link of this execution that the user has followed, in this or in another browser. */
  async #followedLink(
    execution: Execution,
    enabled: EnabledAuthenticator | undefined,
  ): Promise<FollowedLink | undefined> {
    const { exchange, authentication, client } = this.#loginContext;
    const links = authentication.stepLinks?.filter(
      (candidate) => candidate.execution === execution.id && candidate.plugin === enabled?.registered.plugin.name,
    );
    if (links === undefined || links.length === 0) return undefined;
    let followed = links.findLast((link) => link.followed !== undefined)?.followed;
    if (followed === undefined) {
      const approved = await this.#links.findApproval(exchange.realm, nameOfAuthentication(authentication, client));
      if (approved === undefined || !links.some(({ id }) => id === approved.id)) return undefined;
      const { id, ...approval } = approved;
      followed = approval;
      followStepLink(authentication, id, approval);
      authentication.link = { type: LOGIN_LINK, id, spends: undefined, spent: true };
    }
    authentication.userId ??= followed.userId;
    return followed.userId === authentication.userId ? followed : undefined;
  }

  async #flowUser(): Promise<User | undefined> {
    const { exchange, authentication } = this.#loginContext;
    return authentication.userId === undefined ? undefined : this.#users.byId(exchange.realm, authentication.userId);
  }
}

/** The request headers that the authenticator declares, without those that are credentials for another plugin. */
function headersOf({ ctx }: Exchange, enabled: EnabledAuthenticator | undefined): Readonly<Record<string, string>> {
  const { headers = [] } = enabled?.registered.declaration ?? {};
  const plugin = enabled?.registered.plugin.name ?? '';
  const readable = headers.filter((name) => !isForeignCredential(ctx.providers, name, plugin));
  return Object.fromEntries(readable.map((name) => [name, ctx.get(name)]).filter(([, value]) => value !== ''));
}

/** Applies the user's changes of the profile to the account of a first broker login. */
function applyProfileChanges(
  { brokered }: HostAuthenticationSession,
  profile: NonNullable<Extract<AuthenticationStep, { outcome: 'success' }>['profile']>,
): void {
  if (brokered === undefined) return;
  const { identity } = brokered;
  const { email = identity.email } = profile;
  // The provider has not verified an email that the user has changed.
  const isSameEmail = email?.toLowerCase() === identity.email?.toLowerCase();
  brokered.identity = { ...identity, ...profile, emailVerified: identity.emailVerified && isSameEmail, review: false };
}

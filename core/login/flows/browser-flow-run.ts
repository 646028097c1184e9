import type { AuthenticationContext, AuthenticationStep, FollowedLink } from '@keyhost/spi';
import { isCredentialOfOthers } from '../../http/client-headers.js';
import type { Exchange } from '../../http/exchange.js';
import { ACCOUNT_CONSOLE } from '../../model/built-in-names.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import type { AuthorizationRequest } from '../../oidc/authorization/authorization-request.js';
import { localeOf } from '../../pages/page-frame.js';
import { type AuthenticationLevel, levelsOf } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { UserSessionRecord } from '../../store/store.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { Users } from '../../users/users.js';
import { type HostAuthenticationSession, nameOfAuthentication } from '../authentication-sessions.js';
import { wasImpersonated } from '../impersonation.js';
import { LOGIN_LINK, type LoginLinks } from '../links/login-links.js';
import type { LoginVisit } from '../login-visit.js';
import { rememberedUsername } from '../remembered-username.js';
import { returnUrl } from '../step-return.js';
import { BY_SESSION } from '../steps/cookie.js';
import { newTripState } from '../trips.js';
import type { CountedAnswers } from './counted-answers.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';
import { flowOfLogin } from './flow-of-login.js';
import { addStepLink, followStepLink } from './flow-state.js';
import { levelOfSession, levelToChange, NO_LEVEL } from './levels.js';
import type { FlowRun } from './run-flow.js';
import type { StepCookies } from './step-cookies.js';

/** Maximum age of a login, in seconds, for an application to start an action for its user (Keycloak's maxAuthAge). */
const INITIATED_MAX_AGE = 300;

/** True if this is the only user that the request accepts, by the subject that its client knows. */
export function isHinted({ hintedSubject }: AuthorizationRequest, client: Client, userId: string | undefined): boolean {
  return userId !== undefined && hintedSubject === client.subjectOf(userId);
}

export interface FlowRunParts {
  readonly users: Users;
  readonly clock: Clock;
  readonly cookies: StepCookies;
  readonly links: LoginLinks;
  readonly types: CredentialTypes;
  readonly counted: CountedAnswers;
}

/** The browser's side of a running flow: its context, state and level. */
export class BrowserFlowRun implements FlowRun {
  readonly session: HostSession;
  readonly state: HostAuthenticationSession;
  readonly scopes: readonly string[];
  readonly counted: CountedAnswers;
  typedPassword?: string | undefined;
  readonly #users: Users;
  readonly #clock: Clock;
  readonly #cookies: StepCookies;
  readonly #links: LoginLinks;
  readonly #types: CredentialTypes;
  readonly #visit: LoginVisit;
  /** The levels that the flow can reach, lowest first. */
  readonly #levels: readonly AuthenticationLevel[];
  /** True if the browser's user signed in recently enough for the request. */
  readonly #isFresh: boolean;
  /** True if the request accepts the browser's user, or names none. */
  readonly #isHinted: boolean;
  /** The level of the browser's user session in this flow. */
  readonly #before: number;
  /** True if the request asks for no more than that level. */
  readonly #isEnough: boolean;

  constructor({ users, clock, cookies, links, types, counted }: FlowRunParts, visit: LoginVisit) {
    const { exchange, authentication, client, session, browser } = visit;
    const { request } = authentication;
    this.session = session;
    this.state = authentication;
    this.scopes = client.selectScope(request.scope).scopes.map(({ name }) => name);
    this.counted = counted;
    this.#users = users;
    this.#clock = clock;
    this.#cookies = cookies;
    this.#links = links;
    this.#types = types;
    this.#visit = visit;
    this.#levels = levelsOf(flowOfLogin(exchange.realm, client, authentication));
    this.#isFresh = isFresh(request, browser?.session, this.now());
    this.#isHinted = request.hintedSubject === undefined || isHinted(request, client, browser?.user.id);
    const counts = browser !== undefined && this.#isFresh && this.#isHinted;
    this.#before = counts ? levelOfSession(this.#levels, browser.session, this.now()) : NO_LEVEL;
    // In a flow without levels, a session satisfies every requested level (`wanted`), and no required one (`least`).
    const least = request.acr?.least ?? NO_LEVEL;
    // The session's level says nothing about a flow that a client policy chose, so a request with an acr always runs
    // that flow.
    const isAsked = request.flow?.level !== undefined && request.acr !== undefined;
    this.#isEnough = isAsked
      ? false
      : this.#levels.length === 0
        ? least <= 0
        : this.#triedLevel(browser?.user) <= this.#before;
    if (authentication.level !== undefined) return;
    // A reset proves no level, even if the browser has a user session.
    if (authentication.flow === 'reset-credentials') authentication.level = NO_LEVEL;
    else this.#begin();
  }

  async context(
    execution: Execution,
    enabled?: EnabledAuthenticator,
  ): Promise<Omit<AuthenticationContext, 'state' | 'typedPassword'>> {
    const { exchange, authentication, client, browser } = this.#visit;
    const followedLink = await this.#followedLink(execution, enabled);
    const { request, brokered, notes } = authentication;
    const resets = authentication.flow === 'reset-credentials';
    const hasSession = this.#isFresh && this.#isHinted && this.#isEnough && !resets;
    // A signed-in user who must sign in again is preset, so that no other user can take their place.
    const isAnybody = (this.#isFresh && (this.#isEnough || !this.#isHinted)) || brokered !== undefined || resets;
    const user = (await this.#known()) ?? (isAnybody ? undefined : browser?.user);
    const provenBefore = user !== undefined && user.id === authentication.proven;
    const login = nameOfAuthentication(authentication, client);
    this.session.isAbout(user?.id, provenBefore, {
      plugin: enabled?.registered.plugin.name,
      step: { login, issued: (link) => addStepLink(authentication, { ...link, execution: execution.id }) },
    });
    return {
      user: user?.view,
      provenBefore,
      followedLink,
      client: client.view,
      loginHint: request.loginHint ?? rememberedUsername(exchange),
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
      returnTo: { url: returnUrl(exchange.realm), state: newTripState(authentication) },
      userAgent: exchange.ctx.get('user-agent') || undefined,
      headers: headersOf(exchange, enabled),
      cookies: enabled === undefined ? {} : await this.#cookies.read(exchange, enabled.registered),
    };
  }

  get browser(): NonNullable<FlowRun['browser']> {
    return {
      check: ({ registered }, step) => this.#cookies.check(registered, step),
      set: ({ registered }, step) => this.#cookies.write(this.#visit.exchange, registered, step),
    };
  }

  async wantedLevel(): Promise<number> {
    return this.#triedLevel(await this.#known());
  }

  now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  succeeded(step: Extract<AuthenticationStep, { outcome: 'success' }>): void {
    const { authentication } = this.#visit;
    const { [BY_SESSION]: bySession, ...notes } = step.notes ?? {};
    if (step.userId !== undefined) authentication.userId = step.userId;
    if (step.typedUsername !== undefined) authentication.typedUsername = step.typedUsername;
    if (step.rememberMe !== undefined) authentication.rememberMe = step.rememberMe;
    authentication.bySession = bySession === 'true';
    if (authentication.bySession) authentication.level = Math.max(authentication.level ?? NO_LEVEL, this.#before);
    Object.assign(authentication.notes, notes);
    for (const alias of step.requiredActions ?? []) authentication.actions.add(alias);
    if (step.profile !== undefined) reviseIdentity(authentication, step.profile);
  }

  /**
   * The level that this user must reach by the flow. A level above those of the flow is not tried: whether a required
   * level can be reached was checked when the authentication session began.
   */
  #triedLevel(user: User | undefined): number {
    const { authentication, client } = this.#visit;
    const { request } = authentication;
    const wanted = request.acr?.wanted ?? NO_LEVEL;
    const isSensitive =
      request.initiatedAction !== undefined || (client.clientId === ACCOUNT_CONSOLE && request.maxAge === 0);
    const known = { types: this.#types, realm: this.session.compiledRealm, levels: this.#levels };
    const most = isSensitive ? Math.max(wanted, levelToChange(known, user)) : wanted;
    return Math.min(most, this.#levels.at(-1)?.level ?? most);
  }

  /** A new authentication session starts without a level, or with that of the user session that it steps up. */
  #begin(): void {
    const { authentication, browser } = this.#visit;
    authentication.level = NO_LEVEL;
    if (browser === undefined || this.#before === NO_LEVEL || this.#isEnough) return;
    authentication.level = this.#before;
    authentication.userId = browser.user.id;
    authentication.proven = browser.user.id;
    authentication.stepsUp = browser.session.id;
  }

  /** The link of this step that the user has followed, in this or another browser. */
  async #followedLink(
    execution: Execution,
    enabled: EnabledAuthenticator | undefined,
  ): Promise<FollowedLink | undefined> {
    const { exchange, authentication, client } = this.#visit;
    const links = authentication.stepLinks?.filter(
      (one) => one.execution === execution.id && one.plugin === enabled?.registered.plugin.name,
    );
    if (links === undefined || links.length === 0) return undefined;
    let followed = links.findLast((one) => one.followed !== undefined)?.followed;
    if (followed === undefined) {
      const approved = await this.#links.approved(exchange.realm, nameOfAuthentication(authentication, client));
      if (approved === undefined || !links.some(({ id }) => id === approved.id)) return undefined;
      const { id, ...approval } = approved;
      followed = approval;
      followStepLink(authentication, id, approval);
      authentication.link = { type: LOGIN_LINK, id, spends: undefined, spent: true };
    }
    authentication.userId ??= followed.userId;
    return followed.userId === authentication.userId ? followed : undefined;
  }

  async #known(): Promise<User | undefined> {
    const { exchange, authentication } = this.#visit;
    return authentication.userId === undefined ? undefined : this.#users.byId(exchange.realm, authentication.userId);
  }
}

/** The request headers that the step declares. */
function headersOf({ ctx }: Exchange, enabled: EnabledAuthenticator | undefined): Readonly<Record<string, string>> {
  const { headers = [] } = enabled?.registered.declaration ?? {};
  const own = enabled?.registered.plugin.name ?? '';
  const readable = headers.filter((name) => !isCredentialOfOthers(ctx.providers, name, own));
  return Object.fromEntries(readable.map((name) => [name, ctx.get(name)]).filter(([, value]) => value !== ''));
}

/** True if the user signed in recently enough for the request; also if there is no user session. */
function isFresh(
  { prompts, maxAge, initiatedAction }: AuthorizationRequest,
  session: UserSessionRecord | undefined,
  nowSeconds: number,
): boolean {
  const age = session === undefined ? 0 : nowSeconds - (session.authTime ?? 0);
  const hasProved = session === undefined || !wasImpersonated(session);
  return (
    !prompts.includes('login') &&
    (maxAge === undefined || (hasProved && maxAge > 0 && age <= maxAge)) &&
    (initiatedAction === undefined || (hasProved && age <= INITIATED_MAX_AGE))
  );
}

/** Applies the user's changes of the profile in a first broker login. */
function reviseIdentity(
  { brokered }: HostAuthenticationSession,
  profile: NonNullable<Extract<AuthenticationStep, { outcome: 'success' }>['profile']>,
): void {
  if (brokered === undefined) return;
  const { identity } = brokered;
  const { email = identity.email } = profile;
  // The provider has not verified an email that the user has changed.
  const isSame = email?.toLowerCase() === identity.email?.toLowerCase();
  brokered.identity = { ...identity, ...profile, emailVerified: identity.emailVerified && isSame, review: false };
}

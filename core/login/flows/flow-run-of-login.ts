import type { AuthenticationContext } from '@keyhost/spi';
import type { Exchange } from '../../http/exchange.js';
import { ACCOUNT_CONSOLE } from '../../model/built-in-names.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import { localeOf } from '../../pages/page-frame.js';
import { levelsOf } from '../../realms/flows/flow-levels.js';
import { type Execution, flowOf } from '../../realms/flows/flow-model.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { BrowserSession } from '../../sessions/browser-sessions.js';
import type { Users } from '../../users/users.js';
import { type HostAuthenticationSession, nameOfAuthentication } from '../authentication-sessions.js';
import { wasImpersonated } from '../impersonation.js';
import { rememberedUsername } from '../remembered-username.js';
import { BY_SESSION } from '../steps/built-in-authenticators.js';
import { levelOfSession, levelToChange, NO_LEVEL } from './levels.js';
import type { FlowRun } from './run-flow.js';

/** Seconds since the login within which an application may have a user change something (Keycloak's maxAuthAge). */
const INITIATED_MAX_AGE = 300;

/** True for the user whom alone the request wants, named by the subject that its client knows. */
export function isHinted(
  { hintedSubject }: HostAuthenticationSession['request'],
  client: Client,
  userId: string | undefined,
): boolean {
  return userId !== undefined && hintedSubject === client.subjectOf(userId);
}

/** What a flow works on when it is run for a login in a browser. */
export function flowRunOf(
  { users, clock }: { readonly users: Users; readonly clock: Clock },
  run: {
    readonly exchange: Exchange;
    readonly authentication: HostAuthenticationSession;
    readonly client: Client;
    /** The login that the browser has already. */
    readonly browser: BrowserSession | undefined;
    readonly session: HostSession;
  },
): FlowRun {
  const { exchange, authentication, client, browser, session } = run;
  const { request, brokered } = authentication;
  const { realm } = exchange;
  const age = browser === undefined ? 0 : Math.floor(clock.now() / 1000) - (browser.session.authTime ?? 0);
  const hasProved = browser === undefined || !wasImpersonated(browser.session);
  const isFresh =
    !request.prompts.includes('login') &&
    (request.maxAge === undefined || (hasProved && request.maxAge > 0 && age <= request.maxAge)) &&
    (request.initiatedAction === undefined || (hasProved && age <= INITIATED_MAX_AGE));
  const hinted = request.hintedSubject === undefined || isHinted(request, client, browser?.user.id);
  const { wanted = NO_LEVEL, least = NO_LEVEL } = request.acr ?? {};
  const levels = levelsOf(flowOf(realm, client, authentication.flow));
  const now = Math.floor(clock.now() / 1000);
  const before = browser === undefined || !isFresh || !hinted ? NO_LEVEL : levelOfSession(levels, browser.session, now);
  // In a flow without levels every login answers a wanted level, but single sign-on alone answers no level that must be
  // reached. A level above those of the flow is not tried: whether a level that must be reached can be was judged when the
  // login began.
  const isSensitive =
    request.initiatedAction !== undefined || (client.clientId === ACCOUNT_CONSOLE && request.maxAge === 0);
  const tried = (user: User | undefined) => {
    const most = isSensitive ? Math.max(wanted, levelToChange(levels, user)) : wanted;
    return Math.min(most, levels.at(-1)?.level ?? most);
  };
  const isEnough = levels.length === 0 ? least <= 0 : tried(browser?.user) <= before;
  if (authentication.level === undefined) {
    // The level of the browser's session counts for a login that takes this session over: by the cookie, or by stepping it
    // up.
    authentication.level = NO_LEVEL;
    if (before !== NO_LEVEL && !isEnough && browser !== undefined) {
      authentication.level = before;
      authentication.userId = browser.user.id;
      authentication.stepsUp = browser.session.id;
    }
  }
  const known = async () =>
    authentication.userId === undefined ? undefined : users.byId(realm, authentication.userId);
  return {
    session,
    state: authentication,
    context: async (execution: Execution): Promise<Omit<AuthenticationContext, 'state'>> => {
      // A user who is logged in and must prove it again is shown as the user of the login: nobody else may take their
      // place.
      const isAnybody = (isFresh && (isEnough || !hinted)) || brokered !== undefined;
      const user = (await known()) ?? (isAnybody ? undefined : browser?.user);
      return {
        user: user?.view,
        client: client.view,
        loginHint: request.loginHint ?? rememberedUsername(exchange),
        identityProviderHint: request.identityProviderHint,
        brokered: brokered?.identity,
        // An account from elsewhere is not linked to whoever happens to be logged in here.
        browserUserId:
          browser !== undefined && brokered === undefined && isFresh && hinted && isEnough
            ? browser.user.id
            : undefined,
        config: execution.config,
        notes: authentication.notes,
        form: undefined,
        locale: localeOf(exchange, request.uiLocales),
        login: nameOfAuthentication(authentication, client),
      };
    },
    wantedLevel: async () => tried(await known()),
    scopes: client.selectScope(request.scope).scopes.map(({ name }) => name),
    now: () => Math.floor(clock.now() / 1000),
    succeeded: (step) => {
      const { [BY_SESSION]: bySession, ...notes } = step.notes ?? {};
      if (step.userId !== undefined) authentication.userId = step.userId;
      if (step.rememberMe !== undefined) authentication.rememberMe = step.rememberMe;
      authentication.bySession = bySession === 'true';
      if (authentication.bySession) authentication.level = Math.max(authentication.level ?? NO_LEVEL, before);
      Object.assign(authentication.notes, notes);
      for (const alias of step.requiredActions ?? []) authentication.actions.add(alias);
      if (step.profile !== undefined && brokered !== undefined) {
        const { identity } = brokered;
        const { email = identity.email } = step.profile;
        // The provider has said nothing of an address that the user has changed.
        const isSame = email?.toLowerCase() === identity.email?.toLowerCase();
        const emailVerified = identity.emailVerified && isSame;
        brokered.identity = { ...identity, ...step.profile, emailVerified, review: false };
      }
    },
  };
}

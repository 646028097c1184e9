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
import { type HostAuthenticationSession, nameOfLogin } from '../authentication-sessions.js';
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
    readonly login: HostAuthenticationSession;
    readonly client: Client;
    /** The login that the browser has already. */
    readonly browser: BrowserSession | undefined;
    readonly session: HostSession;
  },
): FlowRun {
  const { exchange, login, client, browser, session } = run;
  const { request, brokered } = login;
  const { realm } = exchange;
  const age = browser === undefined ? 0 : Math.floor(clock.now() / 1000) - (browser.session.authTime ?? 0);
  const hasProved = browser === undefined || !wasImpersonated(browser.session);
  const isFresh =
    !request.prompts.includes('login') &&
    (request.maxAge === undefined || (hasProved && request.maxAge > 0 && age <= request.maxAge)) &&
    (request.initiatedAction === undefined || (hasProved && age <= INITIATED_MAX_AGE));
  const hinted = request.hintedSubject === undefined || isHinted(request, client, browser?.user.id);
  const { wanted = NO_LEVEL, least = NO_LEVEL } = request.acr ?? {};
  const levels = levelsOf(flowOf(realm, client, login.flow));
  const now = Math.floor(clock.now() / 1000);
  const before = browser === undefined || !isFresh || !hinted ? NO_LEVEL : levelOfSession(levels, browser.session, now);
  // In a flow without levels every login answers a wanted level, but single sign-on alone answers no level that must be reached.
  // A level above those of the flow is not tried: whether a level that must be reached can be was judged when the login began.
  const isSensitive =
    request.initiatedAction !== undefined || (client.clientId === ACCOUNT_CONSOLE && request.maxAge === 0);
  const tried = (user: User | undefined) => {
    const most = isSensitive ? Math.max(wanted, levelToChange(levels, user)) : wanted;
    return Math.min(most, levels.at(-1)?.level ?? most);
  };
  const isEnough = levels.length === 0 ? least <= 0 : tried(browser?.user) <= before;
  if (login.level === undefined) {
    // The level of the browser's session counts for a login that takes this session over: by the cookie, or by stepping it up.
    login.level = NO_LEVEL;
    if (before !== NO_LEVEL && !isEnough && browser !== undefined) {
      login.level = before;
      login.userId = browser.user.id;
      login.stepsUp = browser.session.id;
    }
  }
  const known = async () => (login.userId === undefined ? undefined : users.byId(realm, login.userId));
  return {
    session,
    login,
    context: async (execution: Execution): Promise<Omit<AuthenticationContext, 'state'>> => {
      // A user who is logged in and must prove it again is shown as the user of the login: nobody else may take their place.
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
        notes: login.notes,
        form: undefined,
        locale: localeOf(exchange, request.uiLocales),
        login: nameOfLogin(login, client),
      };
    },
    wantedLevel: async () => tried(await known()),
    scopes: client.selectScope(request.scope).scopes.map(({ name }) => name),
    now: () => Math.floor(clock.now() / 1000),
    succeeded: (step) => {
      const { [BY_SESSION]: bySession, ...notes } = step.notes ?? {};
      if (step.userId !== undefined) login.userId = step.userId;
      if (step.rememberMe !== undefined) login.rememberMe = step.rememberMe;
      login.bySession = bySession === 'true';
      if (login.bySession) login.level = Math.max(login.level ?? NO_LEVEL, before);
      Object.assign(login.notes, notes);
      for (const alias of step.requiredActions ?? []) login.actions.add(alias);
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

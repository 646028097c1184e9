import type { RequiredActionStep } from '@keyhost/spi';
import type { RequestEvents } from '../../http/request-events.js';
import type { User } from '../../model/user.js';
import { PageRefusal, RedirectedError } from '../../oidc/authorization/authorization-request.js';
import { TEXTS_FOR_PROGRAMS } from '../../pages/messages/texts-for-programs.js';
import { enabledRequiredAction, enabledRequiredActions } from '../../realms/enabled-required-actions.js';
import { createProvider } from '../../registry/generations/realm-providers.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { consumeState, storeState } from '../flows/flow-state.js';
import type { SingleUseLinks } from '../links/single-use-links.js';
import { type LoginRequestContext, userOfLogin } from '../login-request-context.js';
import type { SessionEnder } from '../logout/session-ender.js';
import { type Action, callAction, contextOf, expiredCodeRefusal, initiatedAlias } from './action.js';
import { CUSTOM_ACTION, emitActionError, withActionEvent } from './action-events.js';
import { actionProviderOf, triggeredActions } from './action-providers.js';

/** The page of a pending action, or a redirect to an identity provider. `action` is the action's alias. */
export type PendingActionPage = Extract<RequiredActionStep, { outcome: 'challenge' | 'identity-provider' }> & {
  readonly action: string;
};

/** Maximum number of sessions that are ended for a user; no user has this many. */
const MAX_SESSIONS = 10_000;

/** Runs the required actions between the login and the application's response. */
export class RequiredActions {
  readonly #parts: {
    users: Users;
    store: Store;
    events: RequestEvents;
    sessionEnder: SessionEnder;
    singleUseLinks: SingleUseLinks;
  };

  constructor(parts: {
    users: Users;
    store: Store;
    events: RequestEvents;
    sessionEnder: SessionEnder;
    singleUseLinks: SingleUseLinks;
  }) {
    this.#parts = parts;
  }

  /**
   * The next page for the user; undefined if no action is pending.
   * @throws PageRefusal if the realm does not list a pending action, or this host has no provider of it
   * @throws RedirectedError `access_denied` if an action ends the login
   */
  async next(loginContext: LoginRequestContext): Promise<PendingActionPage | undefined> {
    const { session } = loginContext;
    for (;;) {
      const user = await this.#addTriggeredActions(loginContext);
      const action = this.#firstPending(loginContext, user);
      if (action === undefined) return undefined;
      const provider = createProvider(action.enabled, session);
      const pendingPage = await this.#applyStep(
        loginContext,
        user,
        action,
        await withActionEvent(this.#parts.events, loginContext, user, action, () =>
          callAction(loginContext, action, () => provider.challenge(contextOf(loginContext, user, action))),
        ),
      );
      if (pendingPage !== undefined) return pendingPage;
    }
  }

  /** True if an action is pending, even one that would show no page. It runs none. */
  async hasPending(loginContext: LoginRequestContext): Promise<boolean> {
    try {
      return this.#firstPending(loginContext, await this.#addTriggeredActions(loginContext)) !== undefined;
    } catch (error) {
      if (error instanceof PageRefusal) return true;
      throw error;
    }
  }

  /**
   * Asks each action's trigger whether the action is required, and adds those that are. A completed action may trigger
   * another action, for example by verifying the email (Keycloak's evaluateRequiredActionTriggers).
   */
  async #addTriggeredActions(loginContext: LoginRequestContext): Promise<User> {
    const { authentication, client, session } = loginContext;
    const user = await userOfLogin(this.#parts.users, loginContext);
    for (const alias of await triggeredActions(session, user, { client: client.view, notes: authentication.notes }))
      authentication.actions.add(alias);
    return user;
  }

  /**
   * Handles the posted page of an action.
   * @returns the next page; undefined if the action is complete
   * @throws as `next`
   */
  async answer(
    loginContext: LoginRequestContext,
    form: Readonly<Record<string, string>>,
  ): Promise<PendingActionPage | undefined> {
    const { authentication } = loginContext;
    const user = await userOfLogin(this.#parts.users, loginContext);
    const action = this.#firstPending(loginContext, user);
    if (action === undefined || action.alias !== authentication.waitsFor) throw expiredCodeRefusal(loginContext);
    const context = contextOf(loginContext, user, action, consumeState(authentication, action.alias));
    if (context.initiated && form['cancel-aia'] !== undefined) {
      authentication.actionStatus = 'cancelled';
      // The type is always this one, as in Keycloak, even if the action's own events have another type.
      emitActionError(this.#parts.events, loginContext, user, action, 'rejected_by_user', CUSTOM_ACTION);
      authentication.passed.add(action.alias);
      return undefined;
    }
    const provider = createProvider(action.enabled, loginContext.session);
    const step = await withActionEvent(this.#parts.events, loginContext, user, action, () =>
      this.#parts.singleUseLinks.run(loginContext, user, () =>
        callAction(loginContext, action, () => provider.action(context, form)),
      ),
    );
    // Another answer to the same page was accepted meanwhile.
    if (authentication.waitsFor !== action.alias) throw expiredCodeRefusal(loginContext);
    return this.#applyStep(loginContext, user, action, step);
  }

  /** The first pending action in the realm's order. The action that the application requested comes last. */
  #firstPending(loginContext: LoginRequestContext, user: User): Action | undefined {
    const { authentication, exchange, client, session } = loginContext;
    const { realm } = exchange;
    const isRequired = (alias: string) => user.requiredActions.includes(alias) || authentication.actions.has(alias);
    const next = enabledRequiredActions(realm).find(
      ({ alias }) => isRequired(alias) && !authentication.passed.has(alias),
    );
    // An action that a step or link requires must be done. If the realm does not list it, the login fails.
    const hasUnlisted = [...authentication.actions].some(
      (alias) => !authentication.passed.has(alias) && !enabledRequiredAction(realm, alias),
    );
    if (next !== undefined || hasUnlisted) {
      const enabled = next && actionProviderOf(session, next);
      if (next !== undefined && enabled !== undefined) return { ...next, enabled };
      throw new PageRefusal('resolve_required_actions', { key: 'accountNotFullySetUpMessage' }, { client });
    }
    const alias = initiatedAlias(authentication);
    if (alias === undefined || authentication.passed.has(alias)) return undefined;
    const initiated = enabledRequiredAction(realm, alias);
    const enabled = initiated && actionProviderOf(session, initiated);
    if (initiated !== undefined && enabled?.registered.declaration.initiable === true) return { ...initiated, enabled };
    authentication.actionStatus = 'error';
    authentication.passed.add(alias);
    return undefined;
  }

  async #applyStep(
    loginContext: LoginRequestContext,
    user: User,
    action: Action,
    step: RequiredActionStep,
  ): Promise<PendingActionPage | undefined> {
    const { authentication, exchange } = loginContext;
    const { alias } = action;
    const emitError = (error: string) => emitActionError(this.#parts.events, loginContext, user, action, error);
    switch (step.outcome) {
      case 'challenge':
        storeState(authentication, alias, step.state);
        Object.assign(authentication.notes, step.notes);
        if (step.error !== undefined) emitError(step.error);
        return { ...step, action: alias };
      case 'identity-provider':
        return { ...step, action: alias };
      case 'failure':
        emitError(step.error);
        throw new RedirectedError(authentication.request, 'access_denied', TEXTS_FOR_PROGRAMS.text(step.message));
      case 'success':
        if (initiatedAlias(authentication) === alias) authentication.actionStatus = 'success';
        Object.assign(authentication.notes, step.notes);
        await this.#parts.users.change(exchange.realm, user.id, (draft) => {
          draft.requiredActions = (draft.requiredActions ?? []).filter((other) => other !== alias);
          if (step.attributes === undefined) return;
          const attributes = Object.entries({ ...draft.attributes, ...step.attributes });
          draft.attributes = Object.fromEntries(
            attributes.filter(([, values]) => values.length > 0).map(([name, values]) => [name, [...values]]),
          );
        });
        if (step.signOutOthers === true) await this.#endOtherSessions(loginContext, user);
        break;
      case 'ignored':
        if (step.error !== undefined)
          emitActionError(this.#parts.events, loginContext, user, action, step.error, CUSTOM_ACTION);
        if (initiatedAlias(authentication) === alias) authentication.actionStatus = 'error';
        break;
    }
    authentication.actions.delete(alias);
    // An action runs once per login, even if it is required again in the meantime.
    authentication.passed.add(alias);
    if (authentication.waitsFor === alias) delete authentication.waitsFor;
    return undefined;
  }

  async #endOtherSessions({ exchange: { realm }, browser }: LoginRequestContext, { id: userId }: User): Promise<void> {
    const currentId = browser?.user.id === userId ? browser.session.id : undefined;
    const sessions = await this.#parts.store.sessions.list(realm.name, { userId, max: MAX_SESSIONS });
    for (const session of sessions) if (session.id !== currentId) await this.#parts.sessionEnder.end(realm, session);
  }
}

import { type AuthenticationStep, OAuthError } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import type { User } from '../model/user.js';
import type { DirectGrant } from '../oidc/grants/services.js';
import { TEXTS_FOR_PROGRAMS } from '../pages/messages/texts-for-programs.js';
import { type Execution, flowOf } from '../realms/flows/flow-model.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { References } from '../tokens/method-references.js';
import type { LoginFailures } from '../users/passwords/login-failures.js';
import type { Users } from '../users/users.js';
import type { BruteForceCounter } from './flows/brute-force-counter.js';
import type { EnabledAuthenticator } from './flows/flow-authenticators.js';
import type { FlowResult, FlowRun } from './flows/flow-run.js';
import { type FlowState, UNPROVEN } from './flows/flow-state.js';
import { NO_LEVEL } from './flows/levels.js';
import { runFlow } from './flows/run-flow.js';
import { mayReadTypedPassword } from './flows/typed-password.js';
import { triggeredActions } from './required-actions/action-providers.js';

/** Authenticates a user for the password grant: runs the client's or the realm's direct grant flow in one request. */
export class DirectGrantLogin implements DirectGrant {
  readonly #parts: {
    sessions: SessionFactory;
    users: Users;
    failures: LoginFailures;
    bruteForce: BruteForceCounter;
  };

  constructor(parts: {
    sessions: SessionFactory;
    users: Users;
    failures: LoginFailures;
    bruteForce: BruteForceCounter;
  }) {
    this.#parts = parts;
  }

  async authenticate(
    { compiledRealm: realm, caller }: HostSession,
    client: Client,
    form: Readonly<Record<string, string>>,
  ): Promise<{ user: User; notes: Readonly<Record<string, string>>; references: References }> {
    const session = this.#parts.sessions.create(realm, caller, 'keyhost');
    const state: FlowState = {
      done: new Map(),
      passedFlows: new Set(),
      chosen: [],
      credentialTypes: new Set(),
      levels: {},
      references: {},
    };
    const notes: Record<string, string> = {};
    const requestedActions: string[] = [];
    const findUser = async () => (state.userId === undefined ? undefined : this.#parts.users.byId(realm, state.userId));
    const run: FlowRun = {
      session,
      state,
      bruteForce: this.#parts.bruteForce,
      context: async ({ config }: Execution, enabled?: EnabledAuthenticator) => ({
        ...setSubject(session, await findUser(), state, enabled),
        client: client.view,
        loginHint: undefined,
        typedUsername: undefined,
        identityProviderHint: undefined,
        brokered: undefined,
        browserUserId: undefined,
        config,
        notes,
        credentialTypes: [...state.credentialTypes],
        form: formForStep(session, form, enabled),
        locale: 'en',
        login: undefined,
        returnTo: undefined,
        userAgent: undefined,
        headers: {},
        cookies: {},
      }),
      wantedLevel: async () => NO_LEVEL,
      scopes: client.selectScope(form.scope).scopes.map(({ name }) => name),
      nowSeconds: () => Math.floor(session.clock.now() / 1000),
      recordSuccess: (step: Extract<AuthenticationStep, { outcome: 'success' }>) => {
        if (step.userId !== undefined) state.userId = step.userId;
        Object.assign(notes, step.notes);
        requestedActions.push(...(step.requiredActions ?? []));
      },
    };
    try {
      const result = await runFlow(run, flowOf(realm, client, 'direct_grant'));
      if (result.outcome !== 'success') {
        const credentialType = 'step' in result ? result.step.credentialType : undefined;
        throw withUser(refusalOf(result), state.userId, form.username, credentialType);
      }
      const user = await findUser();
      if (user === undefined || user.isServiceAccount) {
        throw withUser(invalidGrant(user ? 'invalid_user' : 'user_not_found'), user?.id, form.username);
      }
      if (!user.enabled) throw withUser(invalidGrant('user_disabled', 'Account disabled'), user.id, form.username);
      // A flow without a password step may not have counted an attempt, so check the lock here too.
      const { isLocked, stepFailures = 0 } = await this.#parts.failures.state(realm, user.id);
      if (isLocked) {
        throw withUser(invalidGrant('user_temporarily_disabled'), user.id, form.username);
      }
      const pendingActions = [
        ...requestedActions,
        ...user.requiredActions,
        ...(await triggeredActions(session, user, { client: client.view, notes })),
      ];
      if (pendingActions.length > 0) {
        const accountNotSetUp = invalidGrant('resolve_required_actions', 'Account is not fully set up');
        throw withUser(accountNotSetUp, user.id, form.username);
      }
      if (stepFailures > 0) await this.#parts.failures.resetAfterLogin(realm, user);
      return { user, notes, references: state.references };
    } finally {
      await session.close();
    }
  }
}

/** Sets the session's user for an authenticator, and returns the members of its context about the user. */
function setSubject(
  session: HostSession,
  user: User | undefined,
  state: FlowState,
  enabled: EnabledAuthenticator | undefined,
) {
  const provenBefore = user !== undefined && user.id === state.proven;
  session.setSubject(user?.id, provenBefore, { plugin: enabled?.registered.plugin.name });
  return { user: user?.view, provenBefore, followedLink: undefined };
}

/** The form parameters for an authenticator. A plugin gets the password only if it has the right to read it. */
function formForStep(
  session: HostSession,
  { password, ...others }: Readonly<Record<string, string>>,
  enabled: EnabledAuthenticator | undefined,
): Readonly<Record<string, string>> {
  const mayReadPassword =
    enabled?.registered.plugin.builtin === true || (enabled && mayReadTypedPassword(session, enabled.registered));
  return mayReadPassword && password !== undefined ? { ...others, password } : others;
}

/**
 * The error for a flow that did not succeed. A page counts as a failure, because a direct grant cannot show one. As in
 * Keycloak, all these errors are the same unless a step gives its own.
 */
function refusalOf(result: Exclude<FlowResult, { outcome: 'success' }>): OAuthError {
  if (result.outcome === 'unproven') return invalidGrant(UNPROVEN);
  if (result.outcome !== 'failure' && result.outcome !== 'waits') return invalidGrant();
  const { error, message } = result.step;
  return invalidGrant(error, message && TEXTS_FOR_PROGRAMS.text(message));
}

/** Adds the user, the username and the refused credential to the refusal, for its event. */
function withUser(
  refusal: OAuthError,
  userId: string | undefined,
  username: string | undefined,
  credentialType?: string,
): OAuthError {
  const { error, errorDescription, eventError } = refusal;
  return new OAuthError(error, errorDescription, {
    ...(eventError && { eventError }),
    userId,
    details: defined({ username, credential_type: credentialType }),
  });
}

function invalidGrant(eventError = 'invalid_user_credentials', description = 'Invalid user credentials'): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError });
}

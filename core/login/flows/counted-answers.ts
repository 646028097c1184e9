import type { AuthenticationContext, AuthenticationStep } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { LoginRefusal, PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';

/**
 * Counts wrong answers to plugin steps that declare `countsForBruteForce` as failed logins of the user. A locked user
 * gets the same refusal for a right and a wrong answer; otherwise guessing could continue during the lock.
 */
export class BruteForceCounter {
  readonly #users: Users;
  readonly #passwordLogins: PasswordLogins;

  constructor(parts: { readonly users: Users; readonly passwordLogins: PasswordLogins }) {
    this.#users = parts.users;
    this.#passwordLogins = parts.passwordLogins;
  }

  /**
   * Calls a step that declares `countsForBruteForce`, and counts its answer.
   * @param isAnswered true if the user has typed something. A locked user is then refused without calling the step.
   */
  async of(
    session: HostSession,
    { registered }: EnabledAuthenticator,
    { user, form }: Pick<AuthenticationContext, 'user' | 'form'>,
    isAnswered: boolean,
    ask: () => Promise<AuthenticationStep>,
  ): Promise<AuthenticationStep> {
    const { countsForBruteForce: errors = [] } = registered.declaration;
    if (user !== undefined && (isAnswered || form !== undefined)) {
      const refused = await this.#lockOf(session, user.id);
      if (refused !== undefined) return lockedFailure(refused, user.id);
    }
    session.clearCountedUser();
    const step = await ask();
    const isWrong = 'error' in step && step.error !== undefined && errors.includes(step.error);
    const tried = ('userId' in step ? step.userId : undefined) ?? user?.id;
    if (tried === undefined || !(isWrong || step.outcome === 'success')) return step;
    // The host's own check of a credential has counted it already.
    if (isWrong && session.counted === tried) return step;
    const refused = await this.#count(session, tried, !isWrong);
    return refused === undefined ? step : lockedFailure(refused, tried);
  }

  async #lockOf({ compiledRealm: realm }: HostSession, userId: string): Promise<LoginRefusal | undefined> {
    const user = await this.#users.byId(realm, userId);
    return user && this.#passwordLogins.lockRefusal(realm, user);
  }

  async #count(
    { compiledRealm: realm, caller }: HostSession,
    userId: string,
    isRight: boolean,
  ): Promise<LoginRefusal | undefined> {
    const user = await this.#users.byId(realm, userId);
    return user && this.#passwordLogins.countAnswer(realm, user, caller.ip, isRight);
  }
}

/** The page shows the same as for a wrong password; only the event has the reason. */
function lockedFailure(error: LoginRefusal, userId: string): AuthenticationStep {
  return { outcome: 'failure', error, message: { key: 'accountTemporarilyDisabledMessage' }, userId };
}

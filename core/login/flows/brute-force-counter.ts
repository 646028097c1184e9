import type { AuthenticationContext, AuthenticationStep } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { LoginRefusal, PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';

/**
 * Counts wrong answers to plugins' authenticators that declare `countsForBruteForce` as failed logins of the user. A
 * locked user gets the same refusal for a correct and a wrong answer; otherwise guessing could continue during the
 * lock.
 */
export class BruteForceCounter {
  readonly #parts: { readonly users: Users; readonly passwordLogins: PasswordLogins };

  constructor(parts: { readonly users: Users; readonly passwordLogins: PasswordLogins }) {
    this.#parts = parts;
  }

  /**
   * Calls an authenticator that declares `countsForBruteForce`, and counts its answer.
   * @param isAnswered true if the user has submitted an answer. A locked user is then refused without the call.
   */
  async countAnswerOf(
    session: HostSession,
    { registered }: EnabledAuthenticator,
    { user, form }: Pick<AuthenticationContext, 'user' | 'form'>,
    isAnswered: boolean,
    callStep: () => Promise<AuthenticationStep>,
  ): Promise<AuthenticationStep> {
    const { countsForBruteForce: errors = [] } = registered.declaration;
    if (user !== undefined && (isAnswered || form !== undefined)) {
      const refusal = await this.#lockRefusal(session, user.id);
      if (refusal !== undefined) return lockedFailure(refusal, user.id);
    }
    session.clearCountedUser();
    const step = await callStep();
    const isWrong = 'error' in step && step.error !== undefined && errors.includes(step.error);
    const userId = ('userId' in step ? step.userId : undefined) ?? user?.id;
    if (userId === undefined || !(isWrong || step.outcome === 'success')) return step;
    // The host's own check of a credential has already counted it.
    if (isWrong && session.countedUserId === userId) return step;
    const refusal = await this.#count(session, userId, !isWrong);
    return refusal === undefined ? step : lockedFailure(refusal, userId);
  }

  async #lockRefusal({ compiledRealm: realm }: HostSession, userId: string): Promise<LoginRefusal | undefined> {
    const user = await this.#parts.users.byId(realm, userId);
    return user && this.#parts.passwordLogins.lockRefusal(realm, user);
  }

  async #count(
    { compiledRealm: realm, caller }: HostSession,
    userId: string,
    isCorrect: boolean,
  ): Promise<LoginRefusal | undefined> {
    const user = await this.#parts.users.byId(realm, userId);
    return user && this.#parts.passwordLogins.countAnswer(realm, user, caller.ip, isCorrect);
  }
}

/** The page shows the same as for a wrong password; only the event has the reason. */
function lockedFailure(error: LoginRefusal, userId: string): AuthenticationStep {
  return { outcome: 'failure', error, message: { key: 'accountTemporarilyDisabledMessage' }, userId };
}

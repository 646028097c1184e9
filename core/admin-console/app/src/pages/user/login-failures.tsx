import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { clearLoginFailures, type LoginFailures as Failures, loginFailuresOf } from '../../api/login-failures.ts';
import { realmSettings } from '../../api/realm-settings.ts';
import { useRights } from '../../api/rights.ts';
import { changeUser, type User, userKey } from '../../api/users.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Outcome } from '../../parts/outcome.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { useChange } from '../../parts/use-change.ts';
import { texts as signInTexts } from './sign-in-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

/** The failed logins of the user, and a button that ends a lock. */
export function LoginFailures({ realm, user, tag }: UserSectionProps) {
  const texts = useTexts(signInTexts);
  const query = useQuery(loginFailuresOf(realm, user.id));
  const { run, isBusy, done, failure } = useChange(userKey(realm, user.id));
  const unlock = (state: Failures) =>
    // Enabling a user whom failed logins disabled also clears the failures.
    isPermanent(user, state)
      ? changeUser(realm, user.id, { change: { enabled: true }, ifMatch: tag })
      : clearLoginFailures(realm, user.id);
  return (
    <section>
      <h2>{texts.failures}</h2>
      <UndetectedNotice realm={realm} />
      <QueryResult query={query}>
        {(state) => (
          <>
            <State user={user} state={state} />
            {user.access.manage && (state.disabled || state.numFailures > 0) && (
              <p className="actions below">
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() => run(() => unlock(state), state.disabled ? texts.unlockedDone : texts.clearedFailures)}
                >
                  {state.disabled ? texts.unlock : texts.clearFailures}
                </button>
              </p>
            )}
          </>
        )}
      </QueryResult>
      <Outcome done={done} failure={failure} />
    </section>
  );
}

function State({ user, state }: { user: User; state: Failures }) {
  const texts = useTexts(signInTexts);
  const { none } = useMessages();
  const { numFailures, numTemporaryLockouts, disabled, lastIPFailure, lastFailure, failedLoginNotBefore } = state;
  const lock = isPermanent(user, state) ? (
    texts.lockedForever
  ) : (
    <>
      {texts.lockedUntil} <Time at={failedLoginNotBefore * 1000} />
    </>
  );
  return (
    <Facts
      facts={[
        [
          texts.lockState,
          <Badge key="state" tone={disabled ? 'bad' : 'good'}>
            {disabled ? lock : texts.unlocked}
          </Badge>,
        ],
        [texts.failureCount, numFailures],
        [texts.lockouts, numTemporaryLockouts],
        [
          texts.lastFailure,
          lastFailure === 0 ? (
            none
          ) : (
            <>
              <Time at={lastFailure} /> {texts.failedFrom(lastIPFailure)}
            </>
          ),
        ],
      ]}
    />
  );
}

/** Explains that nothing locks users, if the signed-in user may see the realm's settings. */
function UndetectedNotice({ realm }: { realm: string }) {
  const texts = useTexts(signInTexts);
  const can = useRights(realm);
  const { data } = useQuery({ ...realmSettings(realm), enabled: can('view-realm') });
  if (data === undefined || !('bruteForceProtected' in data.body) || data.body.bruteForceProtected) return null;
  return (
    <p className="help section-lead">
      {texts.undetected} <Link href={`/realms/${encodeSegment(realm)}/settings/security`}>{texts.toDetection}</Link>
    </p>
  );
}

/** True if failed logins have disabled the user. A temporary lock may also be reported then. */
function isPermanent({ enabled, attributes }: User, { disabled, failedLoginNotBefore }: Failures): boolean {
  if (enabled || !disabled) return false;
  return failedLoginNotBefore === 0 || attributes?.disabledReason?.[0] === 'permanentLockout';
}

import type { Realm } from '../../model/realm.js';

/** The stored count of a user's failed logins. Times in milliseconds since the epoch. */
export interface FailureCount {
  readonly failures: number;
  /** Number of locks, except those of the quick-login check. */
  readonly lockouts: number;
  /** Failed one-time codes, recovery codes and passkeys since the last success. */
  readonly secondaryFailures: number;
  /**
   * Failures of plugins' authenticators since the last complete login. A correct password alone does not reset them.
   * Absent: none.
   */
  readonly stepFailures?: number;
  readonly lastFailure: number;
  readonly lastIp: string;
  /** Attempts before this time are refused; 0: no lock. */
  readonly lockedUntil: number;
}

/**
 * The count after one more failure (Keycloak's DefaultBruteForceProtector, as Keycloak 26.7.3 behaves).
 * @param previous undefined if no failure is counted yet
 * @param now milliseconds since the epoch
 * @returns the count, and whether the user must be disabled permanently
 */
export function countFailure(
  { bruteForce }: Realm,
  previous: FailureCount | undefined,
  { now, ip, isSecondary, isOfStep }: { now: number; ip: string; isSecondary: boolean; isOfStep: boolean },
): { count: FailureCount; isPermanent: boolean } {
  const { failureFactor, permanentLockout, maxTemporaryLockouts, maxSecondaryAuthFailures } = bruteForce;
  const neverExpires = permanentLockout && maxTemporaryLockouts === 0;
  const sinceLast = previous === undefined ? undefined : now - previous.lastFailure;
  const hasExpired = sinceLast !== undefined && sinceLast > bruteForce.maxDeltaTimeSeconds * 1000 && !neverExpires;
  const current = hasExpired ? undefined : previous;
  const failures = (current?.failures ?? 0) + 1;
  const wait = neverExpires ? 0 : waitSecondsOf(bruteForce, failures);
  const lockouts = (current?.lockouts ?? 0) + (wait > 0 ? 1 : 0);
  const isQuick = sinceLast !== undefined && sinceLast < bruteForce.quickLoginCheckMilliSeconds;
  const seconds = wait === 0 && isQuick ? bruteForce.minimumQuickLoginWaitSeconds : wait;
  const secondaryFailures = (previous?.secondaryFailures ?? 0) + (isSecondary ? 1 : 0);
  const stepFailures = (current?.stepFailures ?? 0) + (isOfStep ? 1 : 0);
  const lockedUntil = seconds > 0 ? now + Math.min(seconds, bruteForce.maxFailureWaitSeconds) * 1000 : 0;
  return {
    count: {
      failures,
      lockouts,
      secondaryFailures,
      lastFailure: now,
      lastIp: ip,
      lockedUntil,
      ...(stepFailures > 0 ? { stepFailures } : {}),
    },
    isPermanent:
      (permanentLockout && (neverExpires ? failures >= failureFactor : lockouts > maxTemporaryLockouts)) ||
      (isSecondary && maxSecondaryAuthFailures > 0 && secondaryFailures > maxSecondaryAuthFailures),
  };
}

/** How long the user must wait after this number of failures, in seconds; 0: not at all. */
export function waitSecondsOf(bruteForce: Realm['bruteForce'], failures: number): number {
  const { failureFactor, waitIncrementSeconds, bruteForceStrategy } = bruteForce;
  if (failures < failureFactor) return 0;
  if (bruteForceStrategy === 'LINEAR') return waitIncrementSeconds * (1 + failures - failureFactor);
  // As in Keycloak, a factor of 0 never locks with this strategy.
  return failureFactor === 0 ? 0 : waitIncrementSeconds * Math.floor(failures / failureFactor);
}

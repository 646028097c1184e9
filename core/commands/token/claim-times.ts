/** Claims that are times (RFC 7519 §4.1, OpenID Connect Core §2), in seconds since the epoch. */
const TIMES = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at'];

/** The times in a token, in ISO 8601 and UTC; undefined if there are none. */
export function claimTimes(claims: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | undefined {
  const times = TIMES.flatMap((name) => {
    const time = new Date(Number(claims[name]) * 1000);
    // 0 means “none”, as in an offline token.
    const isTime = typeof claims[name] === 'number' && claims[name] !== 0 && !Number.isNaN(time.getTime());
    return isTime ? [[name, time.toISOString()] as const] : [];
  });
  return times.length === 0 ? undefined : Object.fromEntries(times);
}

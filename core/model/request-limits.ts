/**
 * Realm attributes that limit the requests of one client from one address, per second and averaged over ten seconds,
 * with their defaults. 0: no limit.
 */
export const REQUEST_LIMITS = {
  /** Resource servers that ask about each request they get. */
  introspectionRequestsPerSecond: 2000,
  /** One a login; a back-end's users share its address. */
  parRequestsPerSecond: 100,
  /** One a login on a device; devices of one house share its address. */
  deviceAuthorizationRequestsPerSecond: 20,
} as const;

export type RequestLimitName = keyof typeof REQUEST_LIMITS;

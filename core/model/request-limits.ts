/**
 * Realm attributes that limit the requests of one client from one address, with their defaults. They are requests per
 * second, averaged over ten seconds. 0 means no limit.
 */
export const REQUEST_LIMITS = {
  /** Resource servers may introspect a token for each request that they receive. */
  introspectionRequestsPerSecond: 2000,
  /** One request per login. All users of a back-end share its address. */
  parRequestsPerSecond: 100,
  /** One request per login on a device. The devices of one household share its address. */
  deviceAuthorizationRequestsPerSecond: 20,
} as const;

export type RequestLimitName = keyof typeof REQUEST_LIMITS;

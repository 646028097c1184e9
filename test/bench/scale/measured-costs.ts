import type { Costs } from './capacity-model.js';

/**
 * What `npm run bench:scale -- --db postgres --realms 10000 --users 1000000 --sessions 5000000` found on two cores of an AMD EPYC
 * with Node 20 and PostgreSQL 15, beside ten times as much other work, so that each costs more than it does alone. The hash is
 * argon2id as Keycloak has it, by `npm run bench`. A session was 1,041 bytes as it was filled in; in use its random ids and its
 * updates take twice that. An event has a body of 450.
 */
export const MEASURED: Costs = {
  login: { hostCpu: 9_258, databaseCpu: 3_286, roundTrips: 13.8, walBytes: 17_113 },
  hash: 7_528,
  refresh: { hostCpu: 1_487, databaseCpu: 473, roundTrips: 2.2, walBytes: 551 },
  clientCredentials: { hostCpu: 1_091, databaseCpu: 109, roundTrips: 0.6, walBytes: 140 },
  introspection: { hostCpu: 648, databaseCpu: 135, roundTrips: 1.4, walBytes: 1 },
  bytes: { user: 1_059, session: 2_082, event: 833 },
};

import type { Costs } from './capacity-model.js';

/**
 * The results of `npm run bench:scale -- --db postgres --realms 10000 --users 1000000 --sessions 5000000`. The machine
 * had two cores of an AMD EPYC, with Node 20 and PostgreSQL 15, and did ten times as much other work, so each cost is
 * higher than alone. The hash is argon2id with Keycloak's parameters, by `npm run bench`. A session had 1,041 bytes
 * when inserted; with random IDs and updates it takes twice that. An event has a body of 450 bytes.
 */
export const MEASURED: Costs = {
  login: { hostCpu: 9_258, databaseCpu: 3_286, roundTrips: 13.8, walBytes: 17_113 },
  hash: 7_528,
  refresh: { hostCpu: 1_487, databaseCpu: 473, roundTrips: 2.2, walBytes: 551 },
  clientCredentials: { hostCpu: 1_091, databaseCpu: 109, roundTrips: 0.6, walBytes: 140 },
  introspection: { hostCpu: 648, databaseCpu: 135, roundTrips: 1.4, walBytes: 1 },
  bytes: { user: 1_059, session: 2_082, event: 833 },
};

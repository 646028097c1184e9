/** The peak load of an installation. */
export interface Demand {
  readonly users: number;
  /** Live sessions. */
  readonly sessions: number;
  /** Per second. */
  readonly logins: number;
  readonly refreshes: number;
  readonly clientCredentials: number;
  readonly introspections: number;
  /** Days for which events are stored; 0 for none. */
  readonly eventDays: number;
}

/** The cost of one unit of work: CPU in microseconds, and bytes of the database's write-ahead log. */
export interface UnitCost {
  readonly hostCpu: number;
  readonly databaseCpu: number;
  readonly roundTrips: number;
  readonly walBytes: number;
}

export interface Costs {
  readonly login: UnitCost;
  /** The host's CPU time for a password hash, in microseconds. `login` has the rest of a login's cost. */
  readonly hash: number;
  readonly refresh: UnitCost;
  readonly clientCredentials: UnitCost;
  readonly introspection: UnitCost;
  /** Bytes on disk, with indexes and the leftovers of updates. */
  readonly bytes: { readonly user: number; readonly session: number; readonly event: number };
}

export interface Capacity {
  /** The cores of all nodes, half used at the peak, plus one node that may fail. */
  readonly nodeCores: number;
  readonly nodes: number;
  readonly databaseCores: number;
  readonly roundTrips: number;
  readonly walMegabytes: number;
  readonly diskGigabytes: number;
  /** The data that should fit into the database's memory: sessions, indexes of users, and the users of one hour. */
  readonly memoryGigabytes: number;
  readonly limit: string;
}

/**
 * At the peak, half of each CPU is used: answers then do not wait for each other, and the loss of a node is no outage.
 */
const USED = 0.5;
/** The number of cores that one node can use. */
const CORES_OF_A_NODE = 4;
const GIGABYTE = 1e9;
/**
 * Above these values, a single PostgreSQL primary is the limit: cores, memory, and the throughput of replicas and
 * backups.
 */
const MOST = { cores: 64, memory: 512, wal: 100, disk: 4_000 };
/** The share of users and of events that is read again within an hour. */
const WARM = { users: 0.1, events: 0.01 };

const WORKS = [
  ['login', 'logins'],
  ['refresh', 'refreshes'],
  ['clientCredentials', 'clientCredentials'],
  ['introspection', 'introspections'],
] as const;

/** The capacity that serves the demand. */
export function capacityFor(demand: Demand, costs: Costs): Capacity {
  const { hostCores, databaseCores: busy, roundTrips, walMegabytes } = use(demand, costs);
  const nodeCores = hostCores / USED;
  const nodes = Math.max(2, Math.ceil(nodeCores / CORES_OF_A_NODE) + 1);
  const databaseCores = Math.max(1, busy / USED);
  const { bytes } = costs;
  const users = demand.users * bytes.user;
  const sessions = demand.sessions * bytes.session;
  const events = (demand.logins / 3) * 2 * 86_400 * demand.eventDays * bytes.event;
  const diskGigabytes = (users + sessions + events) / GIGABYTE;
  const memoryGigabytes = (sessions + users * WARM.users + events * WARM.events) / GIGABYTE;
  const used = { cores: databaseCores, memory: memoryGigabytes, wal: walMegabytes, disk: diskGigabytes };
  const limit = (Object.keys(MOST) as (keyof typeof MOST)[])
    .map((name) => [name, used[name] / MOST[name]] as const)
    .reduce((most, one) => (one[1] > most[1] ? one : most));
  return {
    nodeCores,
    nodes,
    databaseCores,
    roundTrips,
    walMegabytes,
    diskGigabytes,
    memoryGigabytes,
    limit: `${limit[0]}, ${Math.round(limit[1] * 100)} % of one primary`,
  };
}

/** The current CPU usage, in cores. */
export function use(
  demand: Demand,
  costs: Costs,
): { hostCores: number; databaseCores: number; roundTrips: number; walMegabytes: number } {
  const sum = (of: (cost: UnitCost) => number) =>
    WORKS.reduce((total, [cost, rate]) => total + demand[rate] * of(costs[cost]), 0);
  return {
    hostCores: (sum(({ hostCpu }) => hostCpu) + demand.logins * costs.hash) / 1e6,
    databaseCores: sum(({ databaseCpu }) => databaseCpu) / 1e6,
    roundTrips: sum(({ roundTrips }) => roundTrips),
    walMegabytes: sum(({ walBytes }) => walBytes) / 1e6,
  };
}

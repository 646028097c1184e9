/** What the users of an installation do, at its peak. */
export interface Demand {
  readonly users: number;
  /** Sessions that are alive. */
  readonly sessions: number;
  /** In a second. */
  readonly logins: number;
  readonly refreshes: number;
  readonly clientCredentials: number;
  readonly introspections: number;
  /** Days that events are kept; 0: none are. */
  readonly eventDays: number;
}

/** Of one unit of work: CPU in microseconds, what the database writes ahead in bytes. */
export interface UnitCost {
  readonly hostCpu: number;
  readonly databaseCpu: number;
  readonly roundTrips: number;
  readonly walBytes: number;
}

export interface Costs {
  readonly login: UnitCost;
  /** The password's hash, in microseconds: of the host, and whatever else a login costs is in `login`. */
  readonly hash: number;
  readonly refresh: UnitCost;
  readonly clientCredentials: UnitCost;
  readonly introspection: UnitCost;
  /** Bytes on the disk, indexes and what updates leave behind included. */
  readonly bytes: { readonly user: number; readonly session: number; readonly event: number };
}

export interface Capacity {
  /** Of the nodes together, half used at the peak, and of one more that may be lost. */
  readonly nodeCores: number;
  readonly nodes: number;
  readonly databaseCores: number;
  readonly roundTrips: number;
  readonly walMegabytes: number;
  readonly diskGigabytes: number;
  /** What should be in the database's memory: sessions, indexes of users and the users who come within an hour. */
  readonly memoryGigabytes: number;
  readonly limit: string;
}

/** At the peak half of each CPU is used: answers do not wait for each other then, and a node less is no outage. */
const USED = 0.5;
/** Cores that one node makes use of. */
const CORES_OF_A_NODE = 4;
const GIGABYTE = 1e9;
/** Beyond these one PostgreSQL primary is the limit: cores, memory, and what its replicas and backups keep up with. */
const MOST = { cores: 64, memory: 512, wal: 100, disk: 4_000 };
/** The part of users and of events that is read again within an hour. */
const WARM = { users: 0.1, events: 0.01 };

const WORKS = [
  ['login', 'logins'],
  ['refresh', 'refreshes'],
  ['clientCredentials', 'clientCredentials'],
  ['introspection', 'introspections'],
] as const;

/** What it takes to serve that. */
export function capacityFor(demand: Demand, costs: Costs): Capacity {
  const { hostCores, databaseCores: busy, roundTrips, walMegabytes } = use(demand, costs);
  const nodeCores = hostCores / USED;
  const nodes = Math.max(2, Math.ceil(nodeCores / CORES_OF_A_NODE) + 1);
  const databaseCores = Math.max(1, busy / USED);
  const { bytes } = costs;
  const [users, sessions] = [demand.users * bytes.user, demand.sessions * bytes.session];
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

/** CPU that is used at this moment, in cores. */
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

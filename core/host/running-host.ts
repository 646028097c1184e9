import type { HostOptions } from '../config/options/options.js';
import type { Container, Use } from '../di/container.js';
import { Options } from '../di/given.js';
import { GrpcOnDemand } from '../grpc/grpc-on-demand.js';
import type { TrialUser } from '../realm-files/trial-users.js';
import { PublicAddress } from '../realms/public-address.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { formatBootTree } from '../registry/loading/boot-tree.js';
import type { Booted } from './boot.js';
import { ManagementServer } from './management-server.js';
import { Trial } from './module.js';

/** A host that listens. */
export interface Host {
  /** The address listened on with the relative path, such as `http://127.0.0.1:8080/auth`. */
  readonly url: string;
  /** `host:port` of the gRPC server; undefined while no plugin has provided a gRPC service. */
  readonly grpcAddress: string | undefined;
  readonly managementUrl: string;
  /** What the management port takes commands with, and tells values for. */
  readonly managementSecret: string;
  /** The public address: what issuers start with. */
  readonly publicUrl: string;
  /** What was loaded, as text. */
  readonly bootTree: string;
  /** Users to try things with, by realm: none in production. */
  trialUsers(): Promise<ReadonlyMap<string, readonly TrialUser[]>>;
  /** A bootstrap admin whose password nobody has seen yet: of this start, or of one that was interrupted. */
  readonly newAdmin: { username: string; password: string } | undefined;
  /** Called once somebody was told the password of `newAdmin`: else the next start makes another one. */
  adminTold(): Promise<void>;
  /** A service of this host, by its class or token. @throws BootError `service_missing` */
  readonly use: Use;
  /** Drains: health turns 503, requests under way finish, everything opened is closed in reverse. */
  close(): Promise<void>;
}

export function runningHost(container: Container, { url, newAdmin, adminTold }: Booted): Host {
  const { use } = container;
  const [grpc, management] = [use(GrpcOnDemand), use(ManagementServer)];
  return {
    url,
    get grpcAddress() {
      return grpc.address;
    },
    managementUrl: management.url,
    managementSecret: management.secret,
    publicUrl: use(PublicAddress).base,
    bootTree: formatBootTree(use(ProviderRegistry).list(), isDebug(use(Options)) ? container.made() : []),
    trialUsers: async () => use(Trial)?.() ?? new Map(),
    newAdmin,
    adminTold,
    use,
    close: () => container.close(),
  };
}

function isDebug({ logLevel }: HostOptions): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}

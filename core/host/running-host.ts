import type { HostOptions } from '../config/options/options.js';
import type { Container, Use } from '../di/container.js';
import { Options } from '../di/host-tokens.js';
import { GrpcOnDemand } from '../grpc/grpc-on-demand.js';
import type { TrialUser } from '../realm-files/trial-users.js';
import { PublicAddress } from '../realms/public-address.js';
import { ProviderRegistry } from '../registry/generations/registry.js';
import { formatBootTree } from '../registry/loading/boot-tree.js';
import type { StartResult } from './boot.js';
import { ManagementServer } from './management-server.js';
import { Trial } from './module.js';

/** A running host. */
export interface Host {
  /** The URL at which the host listens, with the relative path, such as `http://127.0.0.1:8080/auth`. */
  readonly url: string;
  /** `host:port` of the gRPC server; undefined while it is not open, because no plugin provides a gRPC service. */
  readonly grpcAddress: string | undefined;
  readonly managementUrl: string;
  /** Authenticates commands at the management port. */
  readonly managementSecret: string;
  /** The public base URL, with which issuers begin. */
  readonly publicUrl: string;
  /** The loaded plugins and their providers, formatted as a tree. */
  readonly bootTree: string;
  /** Returns the trial users by realm; none in production. */
  trialUsers(): Promise<ReadonlyMap<string, readonly TrialUser[]>>;
  /** A bootstrap admin whose password was not displayed yet, from this start or an interrupted one. */
  readonly newAdmin: { username: string; password: string } | undefined;
  /** Called after the password of `newAdmin` was displayed. Otherwise the next start generates a new password. */
  onAdminDisplayed(): Promise<void>;
  /**
   * Returns a service of this host by its class or token.
   * @throws BootError `service_missing`
   */
  readonly use: Use;
  /** Stops the host: health returns 503, active requests finish, and everything is closed in reverse order. */
  close(): Promise<void>;
}

export function toRunningHost(container: Container, { url, newAdmin, onAdminDisplayed }: StartResult): Host {
  const { use } = container;
  const grpc = use(GrpcOnDemand);
  const management = use(ManagementServer);
  return {
    url,
    get grpcAddress() {
      return grpc.address;
    },
    managementUrl: management.url,
    managementSecret: management.secret,
    publicUrl: use(PublicAddress).base,
    bootTree: formatBootTree(use(ProviderRegistry).list(), isDebug(use(Options)) ? container.createdServices() : []),
    trialUsers: async () => use(Trial)?.() ?? new Map(),
    newAdmin,
    onAdminDisplayed: onAdminDisplayed,
    use,
    close: () => container.close(),
  };
}

function isDebug({ logLevel }: HostOptions): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}

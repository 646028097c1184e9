import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** Keycloak's ConfigPropertyRepresentation: one setting of a mapper or provider. Its value is a text. */
export interface ConfigProperty {
  readonly name: string;
  readonly label: string;
  readonly helpText?: string;
  readonly type: string;
  readonly defaultValue?: unknown;
  readonly options?: readonly string[];
  readonly secret?: boolean;
  readonly required?: boolean;
  readonly readOnly?: boolean;
}

/** A type of mapper with its settings. */
export interface MapperKind {
  readonly id: string;
  readonly name: string;
  readonly category?: string;
  readonly helpText?: string;
  readonly properties: readonly ConfigProperty[];
}

/** A type of identity provider that users can sign in with on this host. */
export interface IdentityProviderKind {
  readonly id: string;
  readonly name: string;
  readonly groupName: string;
}

interface ProviderInfo {
  readonly operationalInfo?: {
    readonly supported?: string;
    /** The name of a plugin's provider, in the admin console's language. */
    readonly displayName?: string;
  };
}

/** The times are upper bounds; they are absent above 10 seconds. */
export interface RecentRequests {
  readonly minutes: number;
  readonly count: number;
  readonly p50Millis?: number;
  readonly p95Millis?: number;
  readonly p99Millis?: number;
}

/** Facts about the node that answers. */
interface SystemInfo {
  readonly nodeVersion: string;
  readonly keyhostVersion: string;
  readonly serverTime: string;
  readonly uptimeMillis: number;
  /** Requests of the last minutes. */
  readonly requests: RecentRequests;
  /** Calls of plugins since the start. */
  readonly providerCalls: { readonly count: number; readonly failed: number };
}

/** Keycloak's ServerInfoRepresentation, limited to the members that the admin console uses. */
interface ServerInfo {
  /** Present only if the user has `admin` in master. */
  readonly systemInfo?: SystemInfo;
  readonly identityProviders: readonly IdentityProviderKind[];
  readonly protocolMapperTypes: Readonly<Record<string, readonly MapperKind[]>>;
  /** By SPI and provider. Providers that the host only stores for Keycloak have `supported: 'false'`. */
  readonly providers: Readonly<Record<string, { readonly providers: Readonly<Record<string, ProviderInfo>> }>>;
  readonly cryptoInfo: {
    readonly clientSignatureSymmetricAlgorithms: readonly string[];
    readonly clientSignatureAsymmetricAlgorithms: readonly string[];
  };
}

/** The features of this host. Except for `systemInfo`, they change only with its plugins. */
export function serverInfo() {
  return queryOptions({
    queryKey: ['server info'],
    queryFn: ({ signal }) => request<ServerInfo>('/serverinfo', { roles: [], signal }),
    staleTime: 60_000,
  });
}

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

/** What a mapper does, and its settings. */
export interface MapperKind {
  readonly id: string;
  readonly name: string;
  readonly category?: string;
  readonly helpText?: string;
  readonly properties: readonly ConfigProperty[];
}

/** A kind of identity provider by which users can sign in on this host. */
export interface IdentityProviderKind {
  readonly id: string;
  readonly name: string;
  readonly groupName: string;
}

interface ProviderInfo {
  readonly operationalInfo?: {
    readonly supported?: string;
    /** What a plugin's provider is called, in the language of the desk. */
    readonly displayName?: string;
  };
}

/** The times are upper bounds, and missing beyond 10 seconds. */
export interface RecentRequests {
  readonly minutes: number;
  readonly count: number;
  readonly p50Millis?: number;
  readonly p95Millis?: number;
  readonly p99Millis?: number;
}

/** Of the node that answers. */
interface SystemInfo {
  readonly nodeVersion: string;
  readonly keyhostVersion: string;
  readonly serverTime: string;
  readonly uptimeMillis: number;
  /** Of the last minutes. */
  readonly requests: RecentRequests;
  /** Of plugins, since the start. */
  readonly providerCalls: { readonly count: number; readonly failed: number };
}

/** Keycloak's ServerInfoRepresentation, as far as the desk has it. */
interface ServerInfo {
  /** Told to who holds `admin` in master. */
  readonly systemInfo?: SystemInfo;
  readonly identityProviders: readonly IdentityProviderKind[];
  readonly protocolMapperTypes: Readonly<Record<string, readonly MapperKind[]>>;
  /** By SPI and provider. What the host keeps for Keycloak and does not do has `supported: 'false'`. */
  readonly providers: Readonly<Record<string, { readonly providers: Readonly<Record<string, ProviderInfo>> }>>;
  readonly cryptoInfo: {
    readonly clientSignatureSymmetricAlgorithms: readonly string[];
    readonly clientSignatureAsymmetricAlgorithms: readonly string[];
  };
}

/** What this host has. But for `systemInfo` it changes with its plugins alone. */
export function serverInfo() {
  return queryOptions({
    queryKey: ['server info'],
    queryFn: ({ signal }) => request<ServerInfo>('/serverinfo', { roles: [], signal }),
    staleTime: 60_000,
  });
}

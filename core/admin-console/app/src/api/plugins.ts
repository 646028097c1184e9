import { queryOptions } from '@tanstack/react-query';
import { HOST_ADMIN } from './failure.ts';
import type { Calls } from './providers.ts';
import { request } from './request.ts';

export interface UpdateFailure {
  /** ISO 8601. */
  readonly at: string;
  readonly code: string;
  /** A description with place and advice. */
  readonly report: string;
}

export interface HostPlugin {
  /** Its name in plugins.json. */
  readonly module: string;
  readonly name?: string;
  readonly version?: string;
  readonly isolation?: 'none' | 'worker';
  readonly state: 'running' | 'down' | 'left out';
  /** The reason if it is down. */
  readonly reason?: string;
  /** The version in the providers folder, if its files differ from those that run. */
  readonly inFolder?: string;
  readonly failure?: UpdateFailure;
  /** The time limit of a call in seconds, the concurrent calls in each realm, and megabytes of memory. */
  readonly limits?: { readonly callTimeout?: number; readonly concurrency?: number; readonly memory?: number };
  /** The rights that it needs, with the reasons. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The rights that plugins.json grants, by realm; `*` is every realm but master. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
  readonly providers: readonly {
    readonly spi: string;
    readonly id: string;
    readonly calls: Calls;
    readonly realms: number;
  }[];
}

export interface PastUpdate {
  readonly at: string;
  readonly trigger: 'reload' | 'rollback' | 'restart' | 'changed files';
  readonly generation: number;
  readonly outcome: 'replaced' | 'refused';
  readonly changes: readonly string[];
  readonly failures: readonly string[];
}

/** `GET /admin/plugins`, for the node that answers, except for `nodes`. */
export interface HostPlugins {
  readonly generation: number;
  readonly since: string;
  readonly plugins: readonly HostPlugin[];
  readonly draining: readonly { readonly generation: number; readonly calls: number }[];
  readonly failure?: UpdateFailure & { readonly trigger: PastUpdate['trigger'] };
  readonly history: readonly PastUpdate[];
  readonly warning?: string;
  readonly nodes?: readonly Node[];
  /** Differences between the nodes, as sentences. */
  readonly differences?: readonly string[];
}

/** A node that serves from the same store. */
export interface Node {
  readonly id: string;
  /** The machine, and the process on it. */
  readonly name: string;
  readonly version: string;
  readonly since: string;
  readonly plugins: readonly { readonly module: string; readonly version?: string; readonly state: string }[];
}

export interface UpdateResult {
  readonly outcome: 'replaced' | 'unchanged';
  readonly generation: number;
  readonly changes: readonly string[];
  readonly failures: readonly { readonly module: string; readonly report: string }[];
  /** `gone` if it stopped before it answered. */
  readonly nodes?: readonly {
    readonly node: string;
    readonly outcome: 'replaced' | 'unchanged' | 'gone';
    readonly changes: readonly string[];
  }[];
}

/** The calls of one provider in one realm. */
export interface RealmCalls extends Calls {
  readonly spi: string;
  readonly id: string;
  readonly module: string;
  readonly realm: string;
}

export const HOST_ADMINS = [HOST_ADMIN];

export const PLUGINS_KEY = ['plugins'] as const;

/**
 * The interval at which pages refresh the list, in milliseconds, since workers fail, files change and generations
 * drain.
 */
const REFETCH_MS = 5_000;

export function hostPlugins() {
  return queryOptions({
    queryKey: PLUGINS_KEY,
    refetchInterval: REFETCH_MS,
    queryFn: ({ signal }) => request<HostPlugins>('/plugins', { roles: HOST_ADMINS, signal }),
  });
}

/** Those with the most failures first. */
export function callsByRealm(module: string, first: number, max: number) {
  return queryOptions({
    queryKey: [...PLUGINS_KEY, 'calls', module, first, max],
    queryFn: ({ signal }) =>
      request<readonly RealmCalls[]>('/plugins/calls', { query: { module, first, max }, roles: HOST_ADMINS, signal }),
  });
}

export type Change = 'reload' | 'rollback' | 'restart';

/** Runs on all nodes, one after the other. @param module the only plugin; a restart requires one */
export function updatePlugins(change: Change, module?: string): Promise<UpdateResult> {
  return request(`/plugins/${change}`, { method: 'POST', query: { module }, roles: HOST_ADMINS });
}

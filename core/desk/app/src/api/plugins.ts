import { queryOptions } from '@tanstack/react-query';
import { HOST_ADMIN } from './failure.ts';
import type { Calls } from './providers.ts';
import { request } from './request.ts';

export interface UpdateFailure {
  /** ISO 8601. */
  readonly at: string;
  readonly code: string;
  /** For a person: what is wrong, where, and what to do. */
  readonly report: string;
}

export interface HostPlugin {
  /** As plugins.json names it. */
  readonly module: string;
  readonly name?: string;
  readonly version?: string;
  readonly isolation?: 'none' | 'worker';
  readonly state: 'running' | 'down' | 'left out';
  /** Why it is down. */
  readonly reason?: string;
  /** The version in the folder of providers, where that holds other files than those that run. */
  readonly inFolder?: string;
  readonly failure?: UpdateFailure;
  /** Seconds for a call, calls at a time in each realm, megabytes. */
  readonly limits?: { readonly callTimeout?: number; readonly concurrency?: number; readonly memory?: number };
  /** The rights that it asks for, each with what for. */
  readonly needs?: Readonly<Record<string, string>>;
  /** What plugins.json grants it, by realm; `*` is every realm but master. */
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

/** `GET /admin/plugins`: of the node that answers, but for `nodes`. */
export interface HostPlugins {
  readonly generation: number;
  readonly since: string;
  readonly plugins: readonly HostPlugin[];
  readonly draining: readonly { readonly generation: number; readonly calls: number }[];
  readonly failure?: UpdateFailure & { readonly trigger: PastUpdate['trigger'] };
  readonly history: readonly PastUpdate[];
  readonly warning?: string;
  readonly nodes?: readonly Node[];
  /** What differs between the nodes, as sentences. */
  readonly differences?: readonly string[];
}

/** A host that serves from the same store. */
export interface Node {
  readonly id: string;
  /** The machine and the process there. */
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
  /** `gone`: it ended before it had answered. */
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

/** Milliseconds after which a page that shows them looks again: workers go down, files change, generations drain. */
const LOOK_AGAIN_MS = 5_000;

export function hostPlugins() {
  return queryOptions({
    queryKey: PLUGINS_KEY,
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: ({ signal }) => request<HostPlugins>('/plugins', { roles: HOST_ADMINS, signal }),
  });
}

/** Those that failed most come first. */
export function callsByRealm(module: string, first: number, max: number) {
  return queryOptions({
    queryKey: [...PLUGINS_KEY, 'calls', module, first, max],
    queryFn: ({ signal }) =>
      request<readonly RealmCalls[]>('/plugins/calls', { query: { module, first, max }, roles: HOST_ADMINS, signal }),
  });
}

export type Change = 'reload' | 'rollback' | 'restart';

/** On all nodes, one after the other. @param module of one plugin alone, which a restart needs */
export function updatePlugins(change: Change, module?: string): Promise<UpdateResult> {
  return request(`/plugins/${change}`, { method: 'POST', query: { module }, roles: HOST_ADMINS });
}

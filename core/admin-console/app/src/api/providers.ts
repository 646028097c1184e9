import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request, requestTagged } from './request.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Config = Readonly<Record<string, unknown>>;

/** Calls since the start of the node that answers. */
export interface Calls {
  readonly running: number;
  /** The total duration of the calls that ended. */
  readonly seconds: number;
  readonly ends: Readonly<Record<string, number>>;
}

/** A call that failed because of the provider or its worker. */
export interface CallFailure {
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly end: string;
  /** The code of the error, or its class. */
  readonly error: string;
}

/** A step of a flow that uses a provider. */
export interface FlowUse {
  readonly flow: string;
  /** The flow in it that contains the step. */
  readonly subflow?: string;
  readonly requirement: string;
}

/** A provider as a realm has it: `GET /admin/realms/{realm}/providers/{spi}/{id}`. */
export interface Provider {
  readonly spi: string;
  readonly id: string;
  readonly displayName?: string;
  readonly helpText?: string;
  readonly plugin?: {
    readonly name: string;
    readonly version: string;
    readonly builtIn: boolean;
    readonly isolation?: 'none' | 'worker';
    readonly limits?: Readonly<Record<string, number>>;
  };
  readonly enabled: boolean;
  /** `providers`, or the key of the realm that enables it. */
  readonly enabledBy: string;
  /** True if `changeProvider` can enable and disable it. */
  readonly switchable: boolean;
  /** The steps of flows that use it: only of one authenticator or form action. */
  readonly uses?: readonly FlowUse[];
  readonly configSchema?: JsonSchema;
  /** The provider whose configuration it shares, as `spi/id`. */
  readonly sharesConfig?: string;
  /** Secrets are masked. */
  readonly config: Config;
  readonly calls?: Calls;
  /** Newest first. */
  readonly failures?: readonly CallFailure[];
  readonly health: { readonly status: 'up' | 'failed' | 'down'; readonly reason?: string };
}

const READERS = ['view-realm', 'manage-realm'];
const FAILURES = ['failed', 'timeout', 'unavailable', 'busy'];

const pathOf = (realm: string) => `/realms/${encodeSegment(realm)}/providers`;

/** All providers of a realm. There is no paging, since their number depends on plugins and not on data. */
export function providersOf(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'providers'],
    queryFn: ({ signal }) => request<readonly Provider[]>(pathOf(realm), { roles: READERS, signal }),
  });
}

/** With the tag of its state and configuration. */
export function oneProvider(realm: string, spi: string, id: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'providers', spi, id],
    queryFn: ({ signal }) =>
      requestTagged<Provider>(`${pathOf(realm)}/${encodeSegment(spi)}/${encodeSegment(id)}`, {
        roles: READERS,
        signal,
      }),
  });
}

/**
 * @param change only the named members of `config` change; `null` resets one to its default
 * @param ifMatch the tag of the state that the change was made from
 */
export function changeProvider(
  realm: string,
  { spi, id }: Pick<Provider, 'spi' | 'id'>,
  change: { enabled?: boolean; config?: Config },
  ifMatch?: string,
): Promise<void> {
  const path = `${pathOf(realm)}/${encodeSegment(spi)}/${encodeSegment(id)}`;
  return request(path, { method: 'PUT', body: change, ifMatch, roles: ['manage-realm'] });
}

/** The number of calls, and of those that failed because of the provider. */
export function countsOf({ running, ends }: Calls): { calls: number; failed: number } {
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + (ends[name] ?? 0), 0);
  return { calls: running + sum(Object.keys(ends)), failed: sum(FAILURES) };
}

import { queryOptions } from '@tanstack/react-query';
import { HOST_ADMINS, PLUGINS_KEY } from './plugins.ts';
import { request } from './request.ts';

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line of the log that names a plugin. */
export interface LogLine {
  /** Increases with each line of its node. */
  readonly number: number;
  /** ISO 8601. */
  readonly time: string;
  readonly level: LineLevel;
  readonly message: string;
  /** As JSON. */
  readonly fields?: string;
  /** The number of consecutive equal lines that this one represents. */
  readonly times: number;
  /** The node that wrote it; absent if there is only one. */
  readonly node?: string | undefined;
}

/** The interval at which the page asks for new lines, in milliseconds. */
const REFETCH_MS = 2_000;
/** The maximum number of lines of all nodes together. */
const MAX_LINES = 500;

/**
 * The newest lines of a plugin, newest first: `GET /admin/plugins/log`. Each request may reach another node, so the
 * lines of the others are preserved.
 */
export function pluginLog(module: string, isFollowed: boolean) {
  const queryKey = [...PLUGINS_KEY, 'log', module];
  return queryOptions({
    queryKey,
    refetchInterval: isFollowed ? REFETCH_MS : false,
    refetchOnWindowFocus: isFollowed,
    queryFn: async ({ signal, client }): Promise<readonly LogLine[]> => {
      const { node, lines } = await request<{ node?: string; lines: readonly LogLine[] }>('/plugins/log', {
        query: { module },
        roles: HOST_ADMINS,
        signal,
      });
      const before = client.getQueryData<readonly LogLine[]>(queryKey) ?? [];
      const all = [...before.filter((line) => line.node !== node), ...lines.map((line) => ({ ...line, node }))];
      return all.sort((a, b) => b.time.localeCompare(a.time) || b.number - a.number).slice(0, MAX_LINES);
    },
  });
}

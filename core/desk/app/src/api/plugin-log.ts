import { queryOptions } from '@tanstack/react-query';
import { HOST_ADMINS, PLUGINS_KEY } from './plugins.ts';
import { request } from './request.ts';

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line of the log that names a plugin. */
export interface LogLine {
  /** Grows with each line of its node. */
  readonly number: number;
  /** ISO 8601. */
  readonly time: string;
  readonly level: LineLevel;
  readonly message: string;
  /** As JSON. */
  readonly fields?: string;
  /** How many equal lines in a row it stands for. */
  readonly times: number;
  /** Which node wrote it; absent where there is one alone. */
  readonly node?: string | undefined;
}

/** Milliseconds after which the page asks for new lines. */
const AGAIN_MS = 2_000;
/** Of all nodes that have answered. */
const MOST_LINES = 500;

/**
 * The newest lines of a plugin, the newest first: `GET /admin/plugins/log`. Requests may reach another node each time,
 * so that what was read of the others stays.
 */
export function pluginLog(module: string, isFollowed: boolean) {
  const queryKey = [...PLUGINS_KEY, 'log', module];
  return queryOptions({
    queryKey,
    refetchInterval: isFollowed ? AGAIN_MS : false,
    refetchOnWindowFocus: isFollowed,
    queryFn: async ({ signal, client }): Promise<readonly LogLine[]> => {
      const { node, lines } = await request<{ node?: string; lines: readonly LogLine[] }>('/plugins/log', {
        query: { module },
        roles: HOST_ADMINS,
        signal,
      });
      const before = client.getQueryData<readonly LogLine[]>(queryKey) ?? [];
      const all = [...before.filter((line) => line.node !== node), ...lines.map((line) => ({ ...line, node }))];
      return all.sort((a, b) => b.time.localeCompare(a.time) || b.number - a.number).slice(0, MOST_LINES);
    },
  });
}

import { arch, availableParallelism, release, type } from 'node:os';
import type { RecentRequests } from '../../http/request-durations.js';
import { defined } from '../../model/defined.js';
import { type CallCounts, FAILED_RESULTS } from '../../registry/sessions/call-counts.js';

/**
 * The version of Keycloak's Admin REST API that this one implements. Tools check `systemInfo.version` before they use a
 * feature.
 */
const KEYCLOAK_VERSION = '26.4.0';

export interface SystemMetrics {
  readonly version: string;
  readonly startedAt: number;
  readonly now: number;
  readonly requests: RecentRequests;
  readonly calls: Iterable<CallCounts>;
}

/** Keycloak's information about the process, and the host's health. It is for admins of the host. */
export function systemInfo({ version, startedAt, now, requests, calls }: SystemMetrics) {
  const uptimeMillis = now - startedAt;
  const { heapTotal, heapUsed } = process.memoryUsage();
  const free = heapTotal - heapUsed;
  return {
    systemInfo: {
      version: KEYCLOAK_VERSION,
      keyhostVersion: version,
      nodeVersion: process.version,
      serverTime: new Date(now).toISOString(),
      uptime: formatDuration(uptimeMillis),
      uptimeMillis,
      osName: type(),
      osArchitecture: arch(),
      osVersion: release(),
      fileEncoding: 'UTF-8',
      userTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      requests: {
        minutes: requests.minutes,
        count: requests.count,
        ...defined({
          p50Millis: requests.within[50],
          p95Millis: requests.within[95],
          p99Millis: requests.within[99],
        }),
      },
      providerCalls: sumCalls(calls),
    },
    memoryInfo: {
      total: heapTotal,
      totalFormated: formatMegabytes(heapTotal),
      used: heapUsed,
      usedFormated: formatMegabytes(heapUsed),
      free,
      freePercentage: Math.round((free / heapTotal) * 100),
      freeFormated: formatMegabytes(free),
    },
    cpuInfo: { processorCount: availableParallelism() },
  };
}

/** Sums up the calls since the start. */
function sumCalls(calls: Iterable<CallCounts>): { readonly count: number; readonly failed: number } {
  let count = 0;
  let failed = 0;
  for (const { ends } of calls) {
    for (const [end, number] of ends) {
      count += number;
      if (FAILED_RESULTS.includes(end)) failed += number;
    }
  }
  return { count, failed };
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  return `${days} days, ${hours} hours, ${minutes} minutes, ${seconds % 60} seconds`;
}

function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

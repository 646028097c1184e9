import { arch, availableParallelism, release, type } from 'node:os';

/**
 * The Keycloak whose Admin REST API this one is: tools decide by `systemInfo.version` what they may send.
 */
const KEYCLOAK_VERSION = '26.4.0';

/** What Keycloak tells of the process, for those who administer the host. */
export function systemInfo({ version, startedAt, now }: { version: string; startedAt: number; now: number }) {
  const uptimeMillis = now - startedAt;
  const { heapTotal, heapUsed } = process.memoryUsage();
  const free = heapTotal - heapUsed;
  return {
    systemInfo: {
      version: KEYCLOAK_VERSION,
      keyhostVersion: version,
      nodeVersion: process.version,
      serverTime: new Date(now).toISOString(),
      uptime: duration(uptimeMillis),
      uptimeMillis,
      osName: type(),
      osArchitecture: arch(),
      osVersion: release(),
      fileEncoding: 'UTF-8',
      userTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    memoryInfo: {
      total: heapTotal,
      totalFormated: megabytes(heapTotal),
      used: heapUsed,
      usedFormated: megabytes(heapUsed),
      free,
      freePercentage: Math.round((free / heapTotal) * 100),
      freeFormated: megabytes(free),
    },
    cpuInfo: { processorCount: availableParallelism() },
  };
}

function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  return `${days} days, ${hours} hours, ${minutes} minutes, ${seconds % 60} seconds`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

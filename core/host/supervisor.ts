import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '@keyhost/spi';

type Environment = Readonly<Record<string, string | undefined>>;

/** Timeout of `systemd-notify` in milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Notifies the service manager of this process (sd_notify(3)) if `NOTIFY_SOCKET` is set. The socket takes datagrams,
 * which Node cannot send to a path, so `systemd-notify` sends them and waits until they are read. The unit therefore
 * needs `NotifyAccess=all`. A failure is only logged, because the manager has a timeout of its own.
 */
export async function notifySupervisor(state: 'READY' | 'STOPPING', env: Environment, logger: Logger): Promise<void> {
  const { NOTIFY_SOCKET, PATH } = env;
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return;
  try {
    // It does not need the secrets of the environment.
    const child = spawn('systemd-notify', [`${state}=1`], {
      env: { NOTIFY_SOCKET, ...(PATH && { PATH }) },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    });
    let said = '';
    // Without free file descriptors Node creates no pipe, and emits the error later.
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code !== 0) logger.error(`systemd-notify ${state}=1 failed`, { reason: said.trim() || String(code ?? signal) });
  } catch (error) {
    logger.error(`cannot run systemd-notify ${state}=1: systemd gets no notification`, { reason: String(error) });
  }
}

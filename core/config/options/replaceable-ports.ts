import type { Logger } from '@keyhost/spi';
import { BootError } from '../boot-error.js';
import type { OptionReader } from './option-reader.js';
import type { Mode } from './options.js';

/** The ports that have a default, by their options. */
const PORT_FLAGS = ['http-port', 'grpc-port', 'management-port'] as const;

export type PortFlag = (typeof PORT_FLAGS)[number];

/** An address to listen on, with the option that sets its port. */
export interface ListenOption {
  readonly flag: PortFlag | 'https-port';
  readonly host: string;
  readonly port: number;
}

/** Number of ports to try, from the default on. */
const MAX_PORTS = 20;

/** The result of an attempt to listen at a port that another program uses. */
export const PORT_IN_USE = Symbol('port in use');

/** The ports that `start-dev` may replace by the next free one: those that were not set explicitly. */
export function readReplaceablePorts({ isSet }: OptionReader, mode: Mode): readonly PortFlag[] {
  return mode === 'start-dev' ? PORT_FLAGS.filter((flag) => !isSet(flag)) : [];
}

/**
 * Listens at the port of an option or, if the port is used and may be replaced, at the next free one. It tries to
 * listen instead of looking for a free port first, because another program could take that port in between.
 * @param tryPort listens at a port; returns `PORT_IN_USE` if another program uses it
 * @throws BootError `listen_failed`
 */
export async function listenAtOption<T>(
  { flag, host, port }: ListenOption,
  { replaceable, logger }: { readonly replaceable: readonly PortFlag[]; readonly logger: Logger },
  tryPort: (port: number) => Promise<T | typeof PORT_IN_USE>,
): Promise<T> {
  const last = replaceable.some((one) => one === flag) ? port + MAX_PORTS - 1 : port;
  for (let candidate = port; candidate <= last; candidate += 1) {
    const result = await tryPort(candidate);
    if (result === PORT_IN_USE) continue;
    if (candidate !== port)
      logger.warn(`port ${port} is in use: using ${candidate} instead`, { option: `--${flag}`, port: candidate });
    return result as T;
  }
  const reason = last === port ? 'the port is already in use' : `all ports up to ${last} are already in use`;
  throw cannotListen(host, port, reason, flag);
}

/** The error if a server cannot listen at the port of an option. */
export function cannotListen(host: string, port: number, reason: string, flag: string, cause?: unknown): BootError {
  const hint = `select another port with --${flag}; 0 selects a free port`;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new BootError('listen_failed', `cannot listen on ${address}: ${reason}`, { hint, cause });
}

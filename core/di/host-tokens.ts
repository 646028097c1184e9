import type { Logger } from '@keyhost/spi';
import type { HostOptions } from '../config/options/options.js';
import type { Clock as HostClock } from '../model/clock.js';
import { token } from './token.js';

/** The options of the command line and of the environment. */
export const Options = token<HostOptions>('Options');
/** The environment variables that realm files and plugins may use. */
export const Environment = token<Readonly<Record<string, string | undefined>>>('Environment');
export const Clock = token<HostClock>('Clock');
/** The time when the host started by `Clock`, in milliseconds since the epoch. */
export const StartedAt = token<number>('StartedAt');
export const Log = token<Logger>('Log');
/** The version of Keyhost. */
export const Version = token<string>('Version');

import type { Logger } from '@keyhost/spi';
import type { HostOptions } from '../config/options/options.js';
import type { Clock as HostClock } from '../model/clock.js';
import { token } from './token.js';

/** What the command line and the environment say. */
export const Options = token<HostOptions>('Options');
/** Environment variables, for realm files and plugins. */
export const Environment = token<Readonly<Record<string, string | undefined>>>('Environment');
export const Clock = token<HostClock>('Clock');
/** When the host started, by its clock; milliseconds since the epoch. */
export const StartedAt = token<number>('StartedAt');
export const Log = token<Logger>('Log');
/** Of this Keyhost. */
export const Version = token<string>('Version');

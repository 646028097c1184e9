import { resolve } from 'node:path';
import type { HostOptions } from '../../config/options/options.js';
import type { CommandLine } from '../command-line.js';

/** The server's options, with the absolute path of the plugin folder. @throws BootError `options_invalid` */
export function placesOf(line: CommandLine): HostOptions {
  const server = line.server();
  return { ...server, providersDir: resolve(server.providersDir) };
}

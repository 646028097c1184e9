import type { IncomingMessage } from 'node:http';
import { isSameSecret } from '../model/same-secret.js';

/** True if the bearer token is the host's management secret, which only the owner of the data directory can read. */
export function hasManagementSecret({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  return isSameSecret(headers.authorization, `Bearer ${secret}`);
}

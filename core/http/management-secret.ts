import type { IncomingMessage } from 'node:http';
import { isSameSecret } from '../model/same-secret.js';

/** True if the request has the host's secret as bearer token, which only the owner of the data directory can read. */
export function showsSecret({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  return isSameSecret(headers.authorization, `Bearer ${secret}`);
}

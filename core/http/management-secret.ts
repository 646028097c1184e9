import type { IncomingMessage } from 'node:http';
import { isSameSecret } from '../model/same-secret.js';

/** True for a request that shows the host's secret as a bearer token: only the owner of the data directory can read that. */
export function showsSecret({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  return isSameSecret(headers.authorization, `Bearer ${secret}`);
}

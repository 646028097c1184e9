import type { IncomingMessage } from 'node:http';
import { BootError } from '../config/boot-error.js';
import { isLoopback } from './direct.js';
import { showsSecret } from './management-secret.js';
import { NOT_FOUND } from './not-found.js';
import { type ManagementAnswer, notAllowed, refusal } from './plugin-endpoints.js';

/** What the owner of the data directory can ask a host beside its plugins. */
export interface OwnerCommands {
  /** @throws BootError where nobody is signed in to the desk by a command */
  consoleLogin(shows: string, username: string | undefined): Promise<object>;
  consoleLoginState(id: string): Promise<string>;
  /** @throws BootError for a client that the realm does not have */
  signIns(realm: string, clientId: string): Promise<object>;
}

/**
 * `POST /console?realm=NAME&username=NAME`, `GET /console/{id}` and `GET /sign-ins?realm=NAME&client=ID`. Who asks is on this
 * machine and shows the host's secret as a bearer token: only its owner can read that.
 */
export function ownerEndpoints(commands: OwnerCommands, secret: string) {
  return async function answer(request: IncomingMessage): Promise<ManagementAnswer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://management');
    const [, id] = /^\/console\/([\w-]{1,100})$/.exec(pathname) ?? [];
    const isIssue = pathname === '/console';
    if (!isIssue && id === undefined && pathname !== '/sign-ins') return { status: 404, body: NOT_FOUND };
    if (request.method !== (isIssue ? 'POST' : 'GET')) return notAllowed(isIssue ? 'POST' : 'GET');
    if (!isLoopback(request.socket.remoteAddress ?? '')) {
      return refusal(403, 'access_denied', 'Commands are accepted from this machine only');
    }
    if (!showsSecret(request, secret)) {
      const headers = { 'www-authenticate': 'Bearer' };
      return { ...refusal(401, 'invalid_token', 'The secret in the data directory is required'), headers };
    }
    const realm = searchParams.get('realm') ?? '';
    try {
      if (id !== undefined) return { status: 200, body: { state: await commands.consoleLoginState(id) } };
      if (!isIssue) return { status: 200, body: await commands.signIns(realm, searchParams.get('client') ?? '') };
      return { status: 200, body: await commands.consoleLogin(realm, searchParams.get('username') ?? undefined) };
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      return refusal(409, error.code, error.message);
    }
  };
}

import type { IncomingMessage } from 'node:http';
import { BootError } from '../config/boot-error.js';
import { isLoopback } from './direct.js';
import { hasManagementSecret } from './management-secret.js';
import { NOT_FOUND } from './not-found.js';
import { errorAnswer, type ManagementAnswer, notAllowed } from './plugin-endpoints.js';

/** Commands of the data directory's owner, except for those about plugins. */
export interface OwnerCommands {
  /** @throws BootError if console logins are not possible here */
  consoleLogin(realm: string, username: string | undefined): Promise<object>;
  consoleLoginState(id: string): Promise<string>;
  /** @throws BootError if the realm does not have the client */
  signIns(realm: string, clientId: string): Promise<object>;
  /**
   * Checks which names already exist in the live realm, because a realm file with the same names would overwrite them.
   */
  taken(realm: string, names: NamesToCheck): Promise<ExistingNames>;
}

export interface NamesToCheck {
  readonly client: string;
  /** The name of a client scope. */
  readonly scope: string;
}

export interface ExistingNames {
  readonly client: boolean;
  readonly scope: boolean;
}

type QueryValues = [realm: string, client: string, scope: string];

/**
 * Serves `POST /console?realm=NAME&username=NAME`, `GET /console/{id}`, `GET /sign-ins?realm=NAME&client=ID` and `GET
 * /taken?realm=NAME&client=ID&scope=NAME`. The caller must be on this machine, and send the management secret as bearer
 * token, which only its owner can read.
 */
export function ownerEndpoints(commands: OwnerCommands, secret: string) {
  return async function answer(request: IncomingMessage): Promise<ManagementAnswer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://management');
    const [, id] = /^\/console\/([\w-]{1,100})$/.exec(pathname) ?? [];
    const isConsoleLogin = pathname === '/console';
    const isRead = pathname === '/sign-ins' || pathname === '/taken';
    if (!isConsoleLogin && id === undefined && !isRead) return { status: 404, body: NOT_FOUND };
    if (request.method !== (isConsoleLogin ? 'POST' : 'GET')) return notAllowed(isConsoleLogin ? 'POST' : 'GET');
    if (!isLoopback(request.socket.remoteAddress ?? '')) {
      return errorAnswer(403, 'access_denied', 'Commands are accepted from this machine only');
    }
    if (!hasManagementSecret(request, secret)) {
      const headers = { 'www-authenticate': 'Bearer' };
      return { ...errorAnswer(401, 'invalid_token', 'The secret in the data directory is required'), headers };
    }
    const [realm, client, scope] = ['realm', 'client', 'scope'].map(
      (name) => searchParams.get(name) ?? '',
    ) as QueryValues;
    try {
      if (id !== undefined) return { status: 200, body: { state: await commands.consoleLoginState(id) } };
      if (pathname === '/taken') return { status: 200, body: await commands.taken(realm, { client, scope }) };
      if (!isConsoleLogin) return { status: 200, body: await commands.signIns(realm, client) };
      return { status: 200, body: await commands.consoleLogin(realm, searchParams.get('username') ?? undefined) };
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      return errorAnswer(409, error.code, error.message);
    }
  };
}

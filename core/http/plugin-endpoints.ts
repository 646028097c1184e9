import type { IncomingMessage } from 'node:http';
import { BootError } from '../config/boot-error.js';
import type { PluginCommands } from '../registry/updates/plugin-commands.js';
import { isLoopback } from './direct.js';
import { hasManagementSecret } from './management-secret.js';
import { NOT_FOUND } from './not-found.js';

export interface ManagementAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves `GET /plugins`, and `POST` to `/plugins/reload`, `/plugins/rollback` and `/plugins/restart`. `?module=NAME`
 * selects a single plugin; a restart requires it. For POST, the caller must be on this machine, and send the management
 * secret as bearer token, which only its owner can read.
 */
export function pluginEndpoints(commands: PluginCommands, secret: string) {
  return async function answer(request: IncomingMessage): Promise<ManagementAnswer> {
    const url = new URL(request.url ?? '/', 'http://management');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (url.pathname === '/plugins') {
      return isRead ? { status: 200, body: await commands.look() } : notAllowed('GET, HEAD');
    }
    const module = url.searchParams.get('module') ?? undefined;
    const run = {
      '/plugins/reload': () => commands.reload(module),
      '/plugins/rollback': () => commands.rollback(module),
      '/plugins/restart': () => commands.restart(module ?? ''),
    }[url.pathname];
    if (run === undefined) return { status: 404, body: NOT_FOUND };
    if (request.method !== 'POST') return notAllowed('POST');
    if (!isLoopback(request.socket.remoteAddress ?? '')) {
      return errorAnswer(403, 'access_denied', 'Commands are accepted from this machine only');
    }
    if (!hasManagementSecret(request, secret)) {
      const headers = { 'www-authenticate': 'Bearer' };
      return { ...errorAnswer(401, 'invalid_token', 'The secret in the data directory is required'), headers };
    }
    try {
      return { status: 200, body: await run() };
    } catch (error) {
      if (!(error instanceof BootError)) throw error;
      return errorAnswer(409, error.code, error.report());
    }
  };
}

export function errorAnswer(status: number, error: string, description: string): ManagementAnswer {
  return { status, body: { error, error_description: description } };
}

export function notAllowed(allow: string): ManagementAnswer {
  return { status: 405, body: { error: 'HTTP 405 Method Not Allowed' }, headers: { allow } };
}

import { createServer, type IncomingMessage, type Server } from 'node:http';
import { hostProblem } from './host-header.js';
import { hasManagementSecret } from './management-secret.js';
import { NOT_FOUND } from './not-found.js';
import type { ManagementAnswer } from './plugin-endpoints.js';

/** A dependency of the host, and whether it works. */
export interface HealthCheck {
  readonly name: string;
  readonly isUp: boolean;
  /** More data for operators; must not contain anything confidential. */
  readonly data?: Readonly<Record<string, string | number>>;
}

export interface Management {
  /** False until all servers listen. */
  readonly isStarted: boolean;
  /**
   * The host is ready if all checks are up. Plugins are listed, but do not affect it, because other realms do not need
   * them.
   */
  health(): Promise<{
    readonly checks: readonly HealthCheck[];
    readonly plugins: readonly { readonly module: string; readonly isUp: boolean }[];
  }>;
  /** Text format of Prometheus. */
  metrics(): Promise<{ contentType: string; text: string }>;
  /**
   * Returns the state of each realm file.
   * @param withValues include the values of problems and edits, which may be secret
   */
  realms(withValues: boolean): Promise<readonly object[]>;
  /** The bearer token of callers that may also get values. */
  readonly secret: string;
  /** Answers requests below `/plugins`. */
  plugins(request: IncomingMessage): Promise<ManagementAnswer>;
  /** Answers requests at `/console` and below, at `/sign-ins` and at `/taken`. */
  owner(request: IncomingMessage): Promise<ManagementAnswer>;
}

const OWNER_PATHS = ['/console', '/sign-ins', '/taken'];

/**
 * Creates the server of the management port, for operators and their tools: `/health` and below, `/metrics`, `/realms`,
 * `/plugins`, `/console`, `/sign-ins` and `/taken`.
 */
export function createManagementServer(management: Management): Server {
  return createServer((request, response) => {
    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, {
        'content-type': type,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const json = (status: number, body: object) => send(status, 'application/json', JSON.stringify(body));
    const path = (request.url ?? '/').split('?')[0];
    const answer = async () => {
      const problem = hostProblem(request);
      if (problem !== undefined) return json(400, { error: 'invalid_request', error_description: problem });
      const isPluginPath = path === '/plugins' || path?.startsWith('/plugins/');
      const isOwnerPath = OWNER_PATHS.includes(path ?? '') || path?.startsWith('/console/') === true;
      if (isPluginPath || isOwnerPath) {
        const { status, body, headers } = await (isPluginPath
          ? management.plugins(request)
          : management.owner(request));
        for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
        return json(status, body);
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        return json(405, { error: 'HTTP 405 Method Not Allowed' });
      }
      if (path === '/metrics') {
        const { contentType, text } = await management.metrics();
        return send(200, contentType, text);
      }
      if (path === '/realms')
        return json(200, await management.realms(hasManagementSecret(request, management.secret)));
      const health = (checks: readonly HealthCheck[], members: object = {}) => {
        const isUp = checks.every((check) => check.isUp);
        const results = checks.map(({ name, isUp, data }) => ({
          name,
          status: statusWord(isUp),
          ...(data && { data }),
        }));
        return json(isUp ? 200 : 503, { status: statusWord(isUp), checks: results, ...members });
      };
      if (path === '/health/live') return health([]);
      if (path === '/health/started') return health([{ name: 'host', isUp: management.isStarted }]);
      if (path !== '/health' && path !== '/health/ready') return json(404, NOT_FOUND);
      const { checks, plugins } = await management.health();
      health(checks, { plugins: plugins.map(({ module, isUp }) => ({ name: module, status: statusWord(isUp) })) });
    };
    answer().catch(() => json(503, { status: 'DOWN', checks: [] }));
  });
}

function statusWord(isUp: boolean): 'UP' | 'DOWN' {
  return isUp ? 'UP' : 'DOWN';
}

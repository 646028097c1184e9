import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

/** A request to the application's redirect URI. */
export interface Callback {
  readonly method: string;
  readonly url: URL;
  /** The posted form. */
  readonly form: URLSearchParams;
}

export interface LocalApplication {
  readonly origin: string;
  /** A page with a greeting. */
  readonly callback: string;
  /** Requests of `callback`, oldest first. */
  readonly callbacks: readonly Callback[];
}

const KEYCLOAK_JS = fileURLToPath(import.meta.resolve('keycloak-js'));
/** As a separate script: the package's module requires a bundler. */
const OIDC_CLIENT_JS = fileURLToPath(
  new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')),
);
const SILENT = '<!doctype html><script>parent.postMessage(location.href, location.origin)</script>';
const OIDC_SILENT = `<!doctype html><script src="/oidc-client.js"></script><script>
  new oidc.UserManager({ authority: '', client_id: '', redirect_uri: '' }).signinSilentCallback();
</script>`;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/**
 * A browser application on a free port. `/cb` greets and records requests, `/keycloak.js` and `/oidc-client.js` are the
 * libraries, and `/silent.html` and `/oidc-silent.html` the pages for their silent logins. Tests use the libraries on
 * `/`, an empty page.
 */
export async function startApplication(t: Pick<ExecutionContext, 'teardown'>): Promise<LocalApplication> {
  const callbacks: Callback[] = [];
  const [keycloakJs, oidcClientJs] = await Promise.all(
    [KEYCLOAK_JS, OIDC_CLIENT_JS].map((file) => readFile(file, 'utf8')),
  );
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const pages: Record<string, [string, string | undefined]> = {
      '/': [
        'text/html',
        '<!doctype html><link rel="icon" href="data:,"><title>Application</title><h1>Application</h1>',
      ],
      '/cb': [
        'text/html',
        '<!doctype html><link rel="icon" href="data:,"><title>Hello</title><h1>Hello from the application</h1>',
      ],
      '/silent.html': ['text/html', SILENT],
      '/oidc-silent.html': ['text/html', OIDC_SILENT],
      '/keycloak.js': ['text/javascript', keycloakJs],
      '/oidc-client.js': ['text/javascript', oidcClientJs],
    };
    const [type, body] = pages[url.pathname] ?? [];
    const form = new URLSearchParams(await bodyOf(request));
    if (url.pathname === '/cb') callbacks.push({ method: request.method ?? '', url, form });
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type ?? 'text/plain'}; charset=utf-8` });
    response.end(body ?? 'nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, callback: `${origin}/cb`, callbacks };
}

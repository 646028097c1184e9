import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LogoutReceiver {
  readonly url: string;
  /** The logout tokens that were received at a path. */
  tokens(path: string): readonly string[];
  close(): Promise<void>;
}

/** An application's back-channel logout address: `/500` fails, `/hang` never answers, `/elsewhere` redirects. */
export async function startLogoutReceiver(): Promise<LogoutReceiver> {
  const received = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const isForm =
        request.method === 'POST' && request.headers['content-type'] === 'application/x-www-form-urlencoded';
      const token = isForm ? new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') : null;
      received.set(path, [...(received.get(path) ?? []), token ?? `no token: ${request.method}`]);
      if (path === '/hang') return;
      if (path === '/elsewhere') response.setHeader('location', '/redirected');
      response.writeHead(path === '/500' ? 500 : path === '/elsewhere' ? 302 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens: (path) => received.get(path) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

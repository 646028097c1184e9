import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A sector identifier (OpenID Connect Core §8.1) that lists these addresses at its root, and has no other pages. */
export async function startSector(
  t: Pick<ExecutionContext, 'teardown'>,
  listed: readonly string[],
): Promise<{ readonly url: string; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    response.statusCode = request.url === '/' ? 200 : 404;
    response.end(request.url === '/' ? JSON.stringify(listed) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests };
}

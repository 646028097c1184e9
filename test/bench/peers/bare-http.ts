import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * node:http that only writes prepared bytes: a lower bound, not a product. The first argument is a file with the answer
 * for each path.
 */
export interface Written {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const written = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, Written>;
const answers = new Map(
  Object.entries(written).map(([path, { headers, body }]) => [
    path,
    { headers: headers.flat(), body: Buffer.from(body) },
  ]),
);
const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) response.writeHead(404).end();
  else response.writeHead(200, answer.headers).end(answer.body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http=http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

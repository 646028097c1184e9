import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

/** A registry on this machine that has these packages; npm is told of it by `npm_config_registry`. */
export async function npmRegistry(t: ExecutionContext, tarballs: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const isTarball = name.endsWith('.tgz');
    const file = tarballs[isTarball ? name.slice(0, -'.tgz'.length) : name];
    if (file === undefined) return response.writeHead(404).end('{}');
    const bytes = await readFile(file);
    if (isTarball) return response.end(bytes);
    const tarball = `http://${request.headers.host}/${name}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const versions = { '1.0.0': { name, version: '1.0.0', dist: { tarball, integrity } } };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

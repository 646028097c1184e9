import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { ran } from './command.js';

/**
 * A local registry with these packages, for npm's `npm_config_registry`.
 * @param tarballs those of the packages, by name
 * @param upstream the registry for all other packages; undefined: there are none
 */
export async function npmRegistry(
  t: ExecutionContext,
  tarballs: Readonly<Record<string, string>>,
  upstream?: string,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').slice(1);
    const name = decodeURIComponent(path);
    const isTarball = name.endsWith('.tgz');
    const file = tarballs[isTarball ? name.slice(0, -'.tgz'.length) : name];
    if (file === undefined) {
      if (upstream === undefined) return response.writeHead(404).end('{}');
      return response.writeHead(302, { location: new URL(path, upstream).href }).end();
    }
    const bytes = await readFile(file);
    if (isTarball) return response.end(bytes);
    const { stdout } = await ran('tar', ['-xzOf', file, 'package/package.json']);
    const manifest = JSON.parse(stdout) as { version: string };
    const tarball = `http://${request.headers.host}/${name}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const versions = { [manifest.version]: { ...manifest, dist: { tarball, integrity } } };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: manifest.version }, versions }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

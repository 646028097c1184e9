import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { enabledResources, pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

/** Sends the request that its body describes, and answers with the response. */
const REQUESTING_PLUGIN = pluginSource(import.meta.url, 'plugins/asker.js');

type RequestHandler = (request: IncomingMessage & { text: string }, response: ServerResponse) => void;

async function startServer(t: ExecutionContext, serve: RequestHandler): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    serve(Object.assign(request, { text: Buffer.concat(chunks).toString() }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  t.teardown(async () => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startRequester(t: ExecutionContext, isolation: string, argv: readonly string[] = []) {
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['asker']) })],
    plugins: [{ module: 'asker', isolation }],
    packages: { asker: REQUESTING_PLUGIN },
    argv,
  });
  return async (request: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetchAnswer(`${host.realm('demo')}/asker`, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
    });
    return answer.json;
  };
}

for (const isolation of ['none', 'worker']) {
  test(`outbound requests: a plugin asks another host, and reads its answer to a bound (${isolation})`, async (t) => {
    const url = await startServer(t, (request, response) => {
      response.writeHead(request.url === '/moved' ? 302 : 200, {
        location: '/elsewhere',
        'x-asked': request.method ?? '',
      });
      response.end(`${request.headers['x-word'] ?? ''} ${request.text}`.trim());
    });
    const ask = await startRequester(t, isolation);
    const posted = await ask({ url, headers: { 'x-word': 'hello' }, body: 'you' });
    t.like(posted, { status: 200, text: 'hello you', truncated: false });
    t.is((posted.headers as Record<string, string>)['x-asked'], 'POST');
    t.like(await ask({ url: `${url}/moved`, method: 'PUT', body: 'x' }), { status: 302, text: 'x' });
    t.like(await ask({ url, body: '0123456789', maxBytes: 4 }), { status: 200, text: '0123', truncated: true });
    t.like(await ask({ url, body: '0123', maxBytes: 4 }), { text: '0123', truncated: false });
  });

  test(`outbound requests: refused requests and missing responses have their own codes (${isolation})`, async (t) => {
    const url = await startServer(t, (request, response) => {
      if (request.url === '/cut') request.socket.destroy();
      else if (request.url === '/drip') response.write('x');
      else if (request.url === '/other') response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end();
    });
    const ask = await startRequester(t, isolation);
    t.like(await ask({ url: `${url}/never`, timeout: 0.2 }), { code: 'outbound_timeout', status: 504 });
    t.like(await ask({ url: `${url}/drip`, timeout: 0.2 }), { code: 'outbound_timeout' });
    t.like(await ask({ url: `${url}/cut` }), { code: 'outbound_failed', status: 502 });
    t.like(await ask({ url: `${url}/other` }), { code: 'outbound_failed', status: 502 });
    t.like(await ask({ url: 'file:///etc/passwd' }), { code: 'outbound_refused' });
    for (const wrong of [
      { url: 'no' },
      { url, timeout: 31 },
      { url, maxBytes: 2 ** 21 },
      { url, headers: { 'a b': 'c' } },
    ]) {
      t.like(await ask(wrong), { code: 'invalid_argument', status: 500 });
    }
  });
}

test('outbound requests: a plugin reaches private addresses only where the operator allows them, and others by https alone', async (t) => {
  const url = await startServer(t, (_, response) => response.end('inside'));
  const port = new URL(url).port;
  const networks = ['--outbound-private-networks', '10.0.0.0/8'];
  const ask = await startRequester(t, 'none', networks);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
    t.like(await ask({ url: `http://${host}:${port}/` }), { code: 'outbound_refused', status: 502 }, host);
  }
  const plain = await ask({ url: 'http://8.8.8.8/' });
  t.is(plain.code, 'outbound_refused');
  t.is(plain.message, '8.8.8.8 is a public address: it requires https');
});

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import test from 'ava';
import { booksRealm } from '../grpc/clients/books-hosts.js';
import { clientFor, getAuthor } from '../grpc/node-client.js';
import { attributeOf, type Span, startCollector, TRACE } from '../helpers/collector.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const traced = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };

for (const isolation of ['none', 'worker']) {
  test(`telemetry: store and outbound requests of a plugin with isolation ${isolation} are in the trace of its call`, async (t) => {
    const heard: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      heard.push(request.headers.traceparent as string | undefined);
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      other.close();
      other.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const asks = resourcePlugin(
      'asks',
      `await session.outbound.request({ url: '${url}' });
       await session.store.put('asked', { so: true });
       return { body: {} };`,
    );
    const { env, spans } = await startCollector(t);
    const dir = await folder(t, [testRealm('demo', { providers: enabledResources(['asks']) })]);
    await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'asks', isolation }] }));
    const providers = await providersFolder(t, { asks });
    const host = await run(t, dir, ['start-dev', '--providers-dir', providers], env);
    t.is((await fetchAnswer(`${host.url}/realms/demo/asks`, { headers: traced })).status, 200);
    const named = (name: RegExp) => spans.find((span) => name.test(span.name) && span.traceId === TRACE);
    await eventually(() => named(/^GET /) !== undefined);
    const call = named(/^realm-restapi-extension\/asks run$/) as Span;
    t.is(attributeOf(call, 'keyhost.plugin'), 'asks');
    t.is(call.parentSpanId, named(/^GET /)?.spanId);
    // The provider's own call is where both were done.
    t.is(heard[0], `00-${TRACE}-${call.spanId}-01`);
    t.is(named(/^store entries\.put$/)?.parentSpanId, call.spanId);
  });

  test(`telemetry: a gRPC call to a plugin with isolation ${isolation} is a span of its caller’s trace, the provider’s within it`, async (t) => {
    const { env, spans } = await startCollector(t);
    const dir = await folder(t, [booksRealm('demo')]);
    await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: '@keyhost/books', isolation }] }));
    const host = await run(t, dir, ['start-dev'], env);
    const client = await clientFor(t, / grpc=(\S+)/.exec(host.output())?.[1] ?? '');
    t.is((await getAuthor(client, undefined, traced)).code, status.OK);
    const named = (name: RegExp) => spans.find((span) => name.test(span.name) && span.traceId === TRACE);
    await eventually(() => named(/^com\.devProblems\.BookAuthorService\/getAuthor$/) !== undefined);
    const server = named(/^com\.devProblems\.BookAuthorService\/getAuthor$/);
    t.is(server?.parentSpanId, 'b7ad6b7169203331');
    const call = named(/^grpc-service\/books getAuthor$/) as Span;
    t.is(call.parentSpanId, server?.spanId);
    t.is(attributeOf(call, 'keyhost.plugin'), '@keyhost/books');
  });
}

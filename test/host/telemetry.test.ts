import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { attributeOf, type Span, startCollector, TRACE } from '../helpers/collector.js';
import { eventually } from '../helpers/eventually.js';
import { generate, NL, post, SVC, serviceToken } from '../helpers/login.js';
import { folder, remote, run } from '../helpers/process.js';

test('telemetry: with the standard variables, requests, store calls and providers are one trace of the caller', async (t) => {
  const { env, spans, lines, metrics, resources } = await startCollector(t);
  const options = [
    'start-dev',
    '--bootstrap-admin-password',
    'never-told-anybody',
    '--bootstrap-admin-username',
    'root',
  ];
  const host = await run(t, await folder(t), options, {
    ...env,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  const at = remote(host);
  const traced = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  t.is(
    (await post(at, 'token', { ...SVC, client_secret: 'wrong', grant_type: 'client_credentials' }, traced)).status,
    401,
  );
  const caller = { authorization: `Bearer ${await serviceToken(at, NL)}`, ...traced };
  t.is((await generate(at, undefined, caller)).status, 200);
  const named = (name: RegExp) => spans.filter((span) => name.test(span.name) && span.traceId === TRACE);
  // The first batch may be from before the requests.
  const isTold = () =>
    lines.some(({ body, traceId }) => /CLIENT_LOGIN_ERROR/.test(body.stringValue) && traceId === TRACE);
  await eventually(
    () =>
      named(/^POST \/realms\/\{realm\}\/newsletter\/generate-token$/).length > 0 &&
      metrics.includes('http.server.request.duration') &&
      metrics.includes('keyhost_http_requests') &&
      isTold(),
  );
  const [token] = named(/^POST \/realms\/\{realm\}\/protocol\/openid-connect\/token$/);
  t.is(token?.parentSpanId, 'b7ad6b7169203331');
  t.is(attributeOf(token as Span, 'keyhost.realm'), 'demo');
  const [call] = named(/^realm-restapi-extension\/newsletter /);
  t.is(attributeOf(call as Span, 'keyhost.plugin'), '@keyhost/newsletter');
  t.is(attributeOf(call as Span, 'keyhost.call.end'), 'ok');
  t.is(call?.parentSpanId, named(/generate-token$/)[0]?.spanId);
  t.true(named(/^store /).length > 0);
  t.true(isTold());
  t.true(metrics.includes('keyhost_http_requests'));
  t.true(metrics.includes('http.server.request.duration'));
  t.is(attributeOf({ attributes: resources }, 'service.name'), 'keyhost');
  t.is(attributeOf({ attributes: resources }, 'deployment.environment'), 'test');
  const all = JSON.stringify([spans, lines, resources]);
  for (const secret of ['never-told-anybody', 'nl-secret', 'svc-secret']) t.false(all.includes(secret), secret);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
});

test('telemetry: store calls of a plugin in a worker are within its call', async (t) => {
  const { env, spans } = await startCollector(t);
  const dir = await folder(t);
  const plugins = [
    { module: '@keyhost/newsletter', isolation: 'worker' },
    { module: '@keyhost/external-app-notification' },
  ];
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
  const host = await run(t, dir, ['start-dev', '--plugins-file', join(dir, 'plugins.json')], env);
  const caller = { authorization: `Bearer ${await serviceToken(remote(host), NL)}` };
  // A worker that gets no processor time for seconds is restarted, and its callers get 503.
  await eventually(async () => (await generate(remote(host), undefined, caller)).status === 200);
  const calls = () => spans.filter(({ name }) => name.startsWith('realm-restapi-extension/newsletter '));
  const askedBy = (call: Span) => spans.filter(({ parentSpanId }) => parentSpanId === call.spanId);
  // Spans arrive in batches: a call may arrive before its own requests.
  const called = await eventually(() =>
    calls().find((call) => askedBy(call).some(({ name }) => name.startsWith('store '))),
  );
  t.true(askedBy(called).every(({ traceId }) => traceId === called.traceId));
});

test('telemetry: unknown paths have no name of their own, and query parameters are not exported', async (t) => {
  const { env, spans } = await startCollector(t);
  const host = await run(t, await folder(t), ['start-dev'], env);
  await fetch(`${host.url}/realms/demo/some/words/of-anybody?code=very-secret`);
  await fetch(`${host.url}/admin/realms/demo/users/a11ce000-0000-4000-8000-000000000001?q=very-secret`);
  await fetch(`${host.url}/admin/realms/demo/roles/any-word`);
  await eventually(() => spans.filter(({ name }) => name.startsWith('GET')).length >= 3);
  t.deepEqual(
    spans.map(({ name }) => name).filter((name) => name.startsWith('GET')),
    ['GET', 'GET /admin/realms/{realm}/users/{userId}', 'GET /admin/realms/{realm}/roles/{roleName}'],
  );
  t.false(JSON.stringify(spans).includes('very-secret'));
});

test('telemetry: an unreachable collector is logged, disturbs no request and does not delay the end', async (t) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_BSP_SCHEDULE_DELAY: '50' };
  const host = await run(t, await folder(t), ['start-dev'], env);
  t.is((await remote(host).token('demo', { ...SVC, grant_type: 'client_credentials' })).status, 200);
  await eventually(() => /cannot send telemetry/.test(host.output()));
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
});

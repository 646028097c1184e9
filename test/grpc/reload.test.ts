import { status } from '@grpc/grpc-js';
import { GrpcService } from '@keyhost/spi';
import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import { DrainTimeout } from '../../core/registry/module.js';
import { eventually } from '../helpers/eventually.js';
import { connectRaw, framed, openCall, rawCall } from '../helpers/raw-grpc.js';
import { type ReloadScene, reloadScene } from '../helpers/reload.js';
import { clientFor, health } from './node-client.js';

const SERVICE = 'test.swap.Shelf';
const PUT = `/${SERVICE}/put`;
const BOTH = `/${SERVICE}/both`;
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';

/** A service whose answers identify their version by a field number; the second version has one more rpc. */
const shelf = (version: 1 | 2, recorded: string) => ({
  'proto/shelf.proto': `syntax = "proto3";
package test.swap;
message Text { string text = ${version}; }
service Shelf {
  rpc put (Text) returns (Text);
  rpc both (stream Text) returns (stream Text);
  ${version === 2 ? 'rpc takeBack (Text) returns (Text);' : ''}
}`,
  'index.js': `import { GrpcService, provide } from '@keyhost/spi';
const record = ${recorded};
export default { name: 'shelf', api: 1, providers: [provide(GrpcService, {
  id: 'shelf', proto: 'shelf.proto', service: '${SERVICE}',
  methods: { put: {}, both: {}${version === 2 ? ', takeBack: {}' : ''} },
  open: () => {
    let closed = false;
    const answer = ({ text }) => ({ text: text + ' ${version}' + (closed ? ' closed' : '') });
    const put = async (message) => answer(message);
    return {
      create: () => ({
        put, takeBack: put,
        async *both(messages) { for await (const message of messages) yield answer(message); },
      }),
      close: () => { closed = true; record.events.push('close ${version}'); },
    };
  },
})] };`,
});

/** A message with this text, as the version has it. */
const message = (version: number, text: string) =>
  Buffer.concat([Buffer.from([version * 8 + 2, text.length]), Buffer.from(text)]);

const told = ({ status: code, messages }: { status: number | undefined; messages: readonly Buffer[] }) => [
  code,
  messages.map((bytes) => `${(bytes[0] ?? 0) >> 3}: ${bytes.subarray(2).toString()}`),
];

const start = (t: ExecutionContext, plugins: readonly string[], drainTimeoutMs?: number) =>
  reloadScene(t, ({ recorded }) => ({ shelf: shelf(1, recorded) }), {
    plugins,
    realm: { providers: plugins.length > 0 ? { [GrpcService.id]: { shelf: { enabled: true } } } : {} },
    ...(drainTimeoutMs === undefined ? {} : { replace: [replacing(DrainTimeout, drainTimeoutMs)] }),
  });

async function enable({ host }: ReloadScene, providers: object): Promise<void> {
  const stored = await host.store.realms.get('demo');
  if (stored === undefined) throw new Error('there is no realm');
  const representation = { ...stored.representation, providers: providers as never };
  await host.store.realms.put({ ...stored, representation }, { expectedVersion: stored.version });
  host.realms.invalidate('demo');
}

test('gRPC reload: a stream keeps the version that it began with, and the next call has the new proto file', async (t) => {
  const scene = await start(t, ['shelf']);
  const { host, record, write } = scene;
  const session = await connectRaw(t, host.grpcAddress ?? '');
  t.deepEqual(told(await rawCall(session, PUT, framed(message(1, 'a')))), [status.OK, ['1: a 1']]);
  const stream = openCall(session, BOTH);
  stream.send(message(1, 'b'));
  await new Promise((resolve) => stream.stream.once('data', resolve));
  await write('shelf', shelf(2, scene.recorded), '2.0.0');
  t.deepEqual((await host.plugins.reload()).changes, ['shelf 1.0.0 → 2.0.0']);
  t.deepEqual(told(await rawCall(session, PUT, framed(message(2, 'c')))), [status.OK, ['2: c 2']]);
  t.deepEqual(told(await rawCall(session, `/${SERVICE}/takeBack`, framed(message(2, 'd')))), [status.OK, ['2: d 2']]);
  const asked = Buffer.concat([Buffer.from([4 * 8 + 2, SERVICE.length]), Buffer.from(SERVICE)]);
  const described = await rawCall(session, REFLECTION, framed(asked));
  t.true(described.messages[0]?.includes('takeBack'));
  stream.send(message(1, 'e'));
  t.deepEqual(record.events, []);
  stream.end();
  t.deepEqual(told(await stream.answer), [status.OK, ['1: b 1', '1: e 1']]);
  await eventually(() => record.events.includes('close 1'));
});

test('gRPC reload: the first service makes the host listen, and a removed one is UNIMPLEMENTED', async (t) => {
  const scene = await start(t, []);
  const { host, list } = scene;
  t.is(host.grpcAddress, undefined);
  await list('shelf');
  await host.plugins.reload();
  const session = await connectRaw(t, host.grpcAddress ?? '');
  const client = await clientFor(t, host.grpcAddress ?? '');
  t.is((await rawCall(session, PUT, framed(message(1, 'a')))).status, status.UNIMPLEMENTED);
  t.is(await health(client, SERVICE), 'NOT_SERVING');
  await enable(scene, { [GrpcService.id]: { shelf: { enabled: true } } });
  t.deepEqual(told(await rawCall(session, PUT, framed(message(1, 'b')))), [status.OK, ['1: b 1']]);
  await eventually(async () => (await health(client, SERVICE)) === 'SERVING');
  await enable(scene, {});
  await list();
  await host.plugins.reload();
  const { status: code, details } = await rawCall(session, PUT, framed(message(1, 'c')));
  t.deepEqual([code, details], [status.UNIMPLEMENTED, `The server does not implement the method ${PUT}`]);
  t.is(await health(client, SERVICE), 'NOT_SERVING');
});

test('gRPC reload: an endless stream is ended after a while, and its version is closed', async (t) => {
  const scene = await start(t, ['shelf'], 100);
  const { host, record, write } = scene;
  const session = await connectRaw(t, host.grpcAddress ?? '');
  const stream = openCall(session, BOTH);
  stream.send(message(1, 'a'));
  await new Promise((resolve) => stream.stream.once('data', resolve));
  await write('shelf', shelf(2, scene.recorded));
  await host.plugins.reload();
  const { status: code, details } = await stream.answer;
  t.deepEqual([code, details], [status.UNAVAILABLE, 'The service was replaced']);
  await eventually(() => record.events.includes('close 1') && host.plugins.status().draining.length === 0);
});

test('gRPC reload: an invalid proto file leaves the old service serving', async (t) => {
  const scene = await start(t, ['shelf']);
  const { host, write } = scene;
  await write('shelf', { ...shelf(2, scene.recorded), 'proto/shelf.proto': 'nonsense' });
  await t.throwsAsync(host.plugins.reload(), { code: 'grpc_proto' });
  const session = await connectRaw(t, host.grpcAddress ?? '');
  t.deepEqual(told(await rawCall(session, PUT, framed(message(1, 'a')))), [status.OK, ['1: a 1']]);
});

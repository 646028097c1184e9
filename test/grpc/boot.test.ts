import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { startHost } from '../helpers/host.js';
import { providersFolder, writePackage } from '../helpers/plugins.js';
import { connectRaw, framed, rawCall } from '../helpers/raw-grpc.js';
import { testRealm } from '../helpers/realms.js';

const PROTO = `syntax = "proto3";
package test.boot;
message Item { int32 number = 1; }
service Shelf { rpc put (Item) returns (Item); rpc take (Item) returns (stream Item); }
service Other { rpc put (Item) returns (Item); }
`;

interface Shape {
  readonly id?: string;
  readonly proto?: string;
  readonly service?: string;
  readonly methods?: object;
  readonly open?: string;
}

function plugin(shape: Shape = {}): string {
  const { id = 'shelf', proto = 'shelf.proto', service = 'test.boot.Shelf', methods = { put: {}, take: {} } } = shape;
  const open =
    shape.open ?? '() => ({ create: () => ({ put: async (item) => item, async *take(item) { yield item; } }) })';
  const declared = `id: '${id}', proto: ${JSON.stringify(proto)}, service: '${service}', methods: ${JSON.stringify(methods)}`;
  return `import { GrpcService, provide } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(GrpcService, { ${declared}, open: ${open} })] };`;
}

const shelf = (shape: Shape = {}, proto: string | undefined = PROTO) => ({
  'index.js': plugin(shape),
  ...(proto === undefined ? {} : { 'proto/shelf.proto': proto }),
});

async function boot(
  t: ExecutionContext,
  packages: Record<string, Record<string, string>>,
  options: {
    plugins?: object[];
    argv?: string[];
    enabled?: string[];
    prepare?: (dir: string) => Promise<unknown>;
  } = {},
) {
  const dir = await providersFolder(t, {});
  for (const [name, files] of Object.entries(packages)) await writePackage(dir, name, files);
  await options.prepare?.(dir);
  const ids = options.enabled ?? Object.keys(packages);
  const enabled = Object.fromEntries(ids.map((id) => [id, { enabled: true }]));
  return startHost(t, {
    realms: [testRealm('demo', { providers: ids.length > 0 ? { 'grpc-service': enabled } : {} })],
    plugins: options.plugins ?? Object.keys(packages).map((module) => ({ module })),
    argv: ['--providers-dir', dir, ...(options.argv ?? [])],
  });
}

async function refusal(t: ExecutionContext, ...rest: [Parameters<typeof boot>[1], Parameters<typeof boot>[2]?]) {
  const error = (await t.throwsAsync(boot(t, ...rest))) as BootError;
  return { code: error.code, report: error.report?.() ?? String(error) };
}

test('gRPC boot: a missing proto file is reported with the folders that were searched', async (t) => {
  const { code, report } = await refusal(t, { shelf: { 'index.js': plugin() } });
  t.is(code, 'grpc_proto');
  t.regex(report, /shelf: shelf\.proto not found/);
  t.regex(report, /copy the file into .*shelf\/proto/);
});

test('gRPC boot: an error in a proto file is reported with its file and line', async (t) => {
  for (const [line, text] of [
    [3, 'syntax = "proto3";\npackage test.boot;\nmessage Item { int32 number 1; }\n'],
    [2, 'syntax = "proto3";\nmessage {\n'],
    [4, 'syntax = "proto3";\npackage x;\n\nservice Shelf { rpc put Item }'],
  ] as const) {
    const { code, report } = await refusal(t, { shelf: shelf({}, text) });
    t.is(code, 'grpc_proto');
    t.regex(report, new RegExp(`shelf\\.proto.*line ${line}`));
  }
});

test('gRPC boot: a proto file with a missing import is refused with its name', async (t) => {
  const missing = PROTO.replace('int32 number = 1;', 'Nothing thing = 1;');
  const type = await refusal(t, { shelf: shelf({}, missing) });
  t.deepEqual([type.code, /shelf\.proto.*Nothing/s.test(type.report)], ['grpc_proto', true], type.report);
  const file = await refusal(t, { shelf: shelf({}, PROTO.replace('package', 'import "gone.proto";\npackage')) });
  t.deepEqual([file.code, /gone\.proto/.test(file.report)], ['grpc_proto', true], file.report);
});

test('gRPC boot: an unknown service is refused with a suggestion', async (t) => {
  const near = await refusal(t, { shelf: shelf({ service: 'test.boot.Shelv' }) });
  t.is(near.code, 'grpc_proto');
  t.regex(near.report, /shelf\.proto has no service test\.boot\.Shelv/);
  t.regex(near.report, /did you mean test\.boot\.Shelf\? it has test\.boot\.Shelf, test\.boot\.Other/);
  t.regex((await refusal(t, { shelf: shelf({ service: 'Shelf' }) })).report, /did you mean test\.boot\.Shelf\?/);
  t.is((await refusal(t, { shelf: shelf({ service: 'test.boot.Item' }) })).code, 'grpc_proto');
});

test('gRPC boot: an rpc without a method, and a method without an rpc, are refused by name', async (t) => {
  const less = await refusal(t, { shelf: shelf({ methods: { put: {} } }) });
  t.deepEqual([less.code, /no method implements take of test\.boot\.Shelf/.test(less.report)], ['grpc_proto', true]);
  const other = await refusal(t, { shelf: shelf({ methods: { put: {}, Take: {} } }) });
  t.regex(other.report, /no method implements take of .*\n {2}→ rename Take as in the proto file: take/);
  const more = await refusal(t, { shelf: shelf({ methods: { put: {}, take: {}, Put: {} } }) });
  t.deepEqual([more.code, /test\.boot\.Shelf has no rpc Put/.test(more.report)], ['grpc_proto', true]);
  t.regex(more.report, /it has put, take/);
});

test('gRPC boot: a service of two plugins is refused with both names', async (t) => {
  const second = { 'index.js': plugin({ id: 'second' }), 'proto/shelf.proto': PROTO };
  const { code, report } = await refusal(t, { shelf: shelf(), second });
  t.is(code, 'plugin_duplicate_id');
  t.regex(report, /second.*shelf already serves test\.boot\.Shelf/);
});

test('gRPC boot: two services of one proto file are served side by side', async (t) => {
  const open = '() => ({ create: () => ({ put: async () => ({ number: 5 }) }) })';
  const second = plugin({ id: 'second', service: 'test.boot.Other', methods: { put: {} }, open });
  const host = await boot(t, { shelf: shelf(), second: { 'index.js': second, 'proto/shelf.proto': PROTO } });
  const session = await connectRaw(t, host.grpcAddress ?? '');
  const put = async (service: string) => rawCall(session, `/test.boot.${service}/put`, framed(Buffer.from([8, 1])));
  t.deepEqual((await put('Shelf')).messages, [Buffer.from([8, 1])]);
  t.deepEqual((await put('Other')).messages, [Buffer.from([8, 5])]);
});

test('gRPC boot: a name that leads out of the folder is no proto file', async (t) => {
  for (const proto of ['../shelf.proto', '/etc/shelf.proto', 'a/../../shelf.proto', './shelf.proto', 'shelf.txt', '']) {
    const packages = { shelf: { 'index.js': plugin({ proto }), 'shelf.proto': PROTO } };
    t.is((await refusal(t, packages)).code, 'plugin_shape', proto);
  }
  const outside = await mkdtemp(join(tmpdir(), 'keyhost-outside-'));
  t.teardown(() => rm(outside, { recursive: true, force: true }));
  await writeFile(join(outside, 'shelf.proto'), PROTO);
  const prepare = async (dir: string) => {
    await mkdir(join(dir, 'shelf/proto'));
    await symlink(join(outside, 'shelf.proto'), join(dir, 'shelf/proto/shelf.proto'));
  };
  const { code, report } = await refusal(t, { shelf: { 'index.js': plugin() } }, { prepare });
  t.true(code === 'grpc_proto' || code === 'plugin_outside', report);
});

test('gRPC boot: a proto file is found in the folder of the host, below it, and in the plugin first', async (t) => {
  const common = await mkdtemp(join(tmpdir(), 'keyhost-proto-'));
  t.teardown(() => rm(common, { recursive: true, force: true }));
  await mkdir(join(common, 'deep'));
  await writeFile(
    join(common, 'deep/shelf.proto'),
    PROTO.replace('package', 'import "deep/item.proto";\npackage').replace(/message.*\n/, ''),
  );
  await writeFile(
    join(common, 'deep/item.proto'),
    'syntax = "proto3"; package test.boot; message Item { int32 number = 1; }',
  );
  await writeFile(join(common, 'shelf.proto'), 'no proto file');
  const argv = ['--proto-dir', common];
  const deep = await boot(t, { shelf: { 'index.js': plugin({ proto: 'deep/shelf.proto' }) } }, { argv });
  const own = await boot(t, { shelf: shelf() }, { argv });
  for (const host of [deep, own]) {
    const session = await connectRaw(t, host.grpcAddress ?? '');
    const { messages } = await rawCall(session, '/test.boot.Shelf/take', framed(Buffer.from([8, 1])));
    t.deepEqual(messages, [Buffer.from([8, 1])]);
  }
});

test('gRPC boot: a host starts without an optional plugin whose proto file is invalid, and its service is free for another', async (t) => {
  const second = { 'index.js': plugin({ id: 'second' }), 'proto/shelf.proto': PROTO };
  const bad = shelf({}, 'syntax = "proto3";\nmessage {');
  const failing = shelf({ open: "() => { throw new Error('no shelf'); }" });
  for (const optional of [bad, failing]) {
    const plugins = [{ module: 'shelf', required: false }, { module: 'second' }];
    const host = await boot(t, { shelf: optional, second }, { plugins, enabled: ['second'] });
    t.regex(host.bootTree, /second/);
    const session = await connectRaw(t, host.grpcAddress ?? '');
    const { messages } = await rawCall(session, '/test.boot.Shelf/put', framed(Buffer.from([8, 1])));
    t.deepEqual(messages, [Buffer.from([8, 1])]);
  }
  const alone = await boot(t, { shelf: bad }, { plugins: [{ module: 'shelf', required: false }], enabled: [] });
  t.is(alone.grpcAddress, undefined);
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { startHost, type TestHost } from '../../helpers/host.js';
import { pluginSource } from '../../helpers/plugins.js';

const SHELF = `syntax = "proto3";
package rich.shelves;
import "google/protobuf/timestamp.proto";
message Shelf {
  string label = 1;
  enum Kind { UNKNOWN = 0; OAK = 1; }
  Kind kind = 2;
  google.protobuf.Timestamp built_at = 3;
}
`;

const RICH = `syntax = "proto3";
package rich.library;
import "shelf.proto";
message Library {
  map<string, rich.shelves.Shelf> shelf_by_room = 1;
  map<int32, string> names = 2;
  message Names { string first = 1; }
  Names names_of_owner = 3;
  optional int32 floors = 4;
  oneof contact { string mail = 5; int64 phone = 6; }
  optional string motto = 7;
  repeated rich.shelves.Shelf.Kind kinds = 8;
  bytes seal = 9;
}
service LibraryService { rpc echo (Library) returns (Library); }
`;

const PLUGIN = pluginSource(import.meta.url, 'plugins/rich.js');

/** A host with a plugin whose messages use what proto files have to offer. */
export async function richHost(t: ExecutionContext): Promise<TestHost> {
  // In the build, where @keyhost/spi is found.
  const dir = await mkdtemp(join(fileURLToPath(new URL('../../../', import.meta.url)), 'plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const own = join(dir, 'rich');
  await mkdir(join(own, 'proto'), { recursive: true });
  const manifest = { name: 'rich', version: '1.0.0', type: 'module', exports: './index.js' };
  await writeFile(join(own, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(own, 'index.js'), PLUGIN);
  await writeFile(join(own, 'proto/shelf.proto'), SHELF);
  await writeFile(join(own, 'proto/rich.proto'), RICH);
  const providers = { 'grpc-service': { rich: { enabled: true } } };
  return startHost(t, {
    realms: [{ realm: 'demo', enabled: true, providers }],
    plugins: [{ module: 'rich' }],
    argv: ['--providers-dir', dir],
  });
}

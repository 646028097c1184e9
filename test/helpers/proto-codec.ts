import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '@grpc/proto-loader';
import type { ExecutionContext } from 'ava';
import { Codec } from '../../core/grpc/codec.js';
import { completeDescriptors, createRegistry } from '../../core/grpc/descriptors.js';

/** The codec of a type in these proto files, read as the host reads them; `main.proto` contains a service. */
export async function codecOf(t: ExecutionContext, type: string, files: Record<string, string>): Promise<Codec> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-proto-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), `syntax = "proto3";\n${text}`);
  const definitions = await load('main.proto', { keepCase: true, includeDirs: [dir] });
  const message = Object.values(definitions).find((found) => 'format' in found);
  const descriptors = message !== undefined && 'fileDescriptorProtos' in message ? message.fileDescriptorProtos : [];
  const found = createRegistry(completeDescriptors(descriptors as Buffer[])).getMessage(type);
  if (found === undefined) throw new Error(`there is no ${type}`);
  return Codec.of(found, new Map());
}

import { toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { load, type PackageDefinition } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { completeFiles } from './descriptors.js';

/** Lets clients ask what services there are, health among them, and what their messages look like. */
export async function addReflection(server: Server, files: readonly FileDescriptorProto[]): Promise<void> {
  const { ReflectionService } = await import('@grpc/reflection');
  const [health] = Object.values(await load(protoPath, { keepCase: true }));
  const ofHealth = completeFiles((health?.fileDescriptorProtos ?? []) as Uint8Array[]);
  const bytes = [...files, ...ofHealth].map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  // All that the service looks at is the files: the rest of a definition, which the type asks for, is left out.
  const definitions = { all: { format: '', type: {}, fileDescriptorProtos: bytes } } as unknown as PackageDefinition;
  new ReflectionService(definitions).addToServer(server);
}

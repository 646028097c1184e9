import { toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { Server, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { load, type PackageDefinition } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { completeFiles } from './descriptors.js';

/** A service as grpc-js takes it. */
export type Registration = readonly [ServiceDefinition, UntypedServiceImplementation];

/** Lets clients ask what services there are, health among them, and what their messages look like. */
export async function reflection(files: readonly FileDescriptorProto[]): Promise<readonly Registration[]> {
  const { ReflectionService } = await import('@grpc/reflection');
  const [health] = Object.values(await load(protoPath, { keepCase: true }));
  const ofHealth = completeFiles((health?.fileDescriptorProtos ?? []) as Uint8Array[]);
  const bytes = [...files, ...ofHealth].map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  // All that the service looks at is the files: the rest of a definition, which the type asks for, is left out.
  const definitions = { all: { format: '', type: {}, fileDescriptorProtos: bytes } } as unknown as PackageDefinition;
  const registrations: Registration[] = [];
  const taker: Pick<Server, 'addService'> = { addService: (...registration) => void registrations.push(registration) };
  new ReflectionService(definitions).addToServer(taker);
  return registrations;
}

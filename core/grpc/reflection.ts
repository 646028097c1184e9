import { toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  type Server,
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { load, type PackageDefinition } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { OnDemand } from '../di/on-demand.js';
import { messageOf } from '../model/thrown.js';
import { completeFiles } from './descriptors.js';

/** A service as grpc-js takes it. */
export type Registration = readonly [ServiceDefinition, UntypedServiceImplementation];

type Method = ServiceDefinition[string];
/** What the package does with a call of messages. */
type Answering = (call: {
  on(event: 'data' | 'end', listener: (message?: unknown) => void): unknown;
  write(message: unknown): unknown;
  end(): unknown;
}) => void;

/** The one method of both versions of the service. */
const METHOD = 'ServerReflectionInfo';
const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];

const asIs = (bytes: Buffer): Buffer => bytes;
const BYTES = {
  ...{ requestStream: true, responseStream: true },
  ...{ requestDeserialize: asIs, responseSerialize: asIs, requestSerialize: asIs, responseDeserialize: asIs },
};

/**
 * Lets clients ask what services there are, health among them, and what their messages look like. What knows the answers is
 * made with the first call: most hosts are never asked.
 */
export function reflection(files: readonly FileDescriptorProto[]): readonly Registration[] {
  const methods = new OnDemand(() => reflectionOf(files));
  return SERVICES.map((service) => {
    const path = `/${service}/${METHOD}`;
    const answer = (call: ServerDuplexStream<Buffer, Buffer>) => void serve(call, path, methods);
    return [{ [METHOD]: { path, ...BYTES } }, { [METHOD]: answer }];
  });
}

/** Never rejects: what fails is the status of the call. */
async function serve(
  call: ServerDuplexStream<Buffer, Buffer>,
  path: string,
  methods: OnDemand<ReadonlyMap<string, readonly [Method, Answering]>>,
): Promise<void> {
  const fail = (details: string) => void call.emit('error', { code: status.INTERNAL, details });
  try {
    const found = (await methods.get()).get(path);
    if (found === undefined) throw new Error(`${path} not found`);
    const [{ requestDeserialize, responseSerialize }, answer] = found;
    const reading = (listener: (message: unknown) => void) => (bytes: Buffer) => {
      try {
        listener(requestDeserialize(bytes));
      } catch (error) {
        fail(`Error deserializing request: ${messageOf(error)}`);
      }
    };
    answer({
      on: (event, listener) => (event === 'data' ? call.on(event, reading(listener)) : call.on(event, listener)),
      write: (message) => call.write(responseSerialize(message)),
      end: () => call.end(),
    });
  } catch (error) {
    fail(messageOf(error));
  }
}

/** The methods of reflection that tell these files, by path. */
async function reflectionOf(
  files: readonly FileDescriptorProto[],
): Promise<ReadonlyMap<string, readonly [Method, Answering]>> {
  const { ReflectionService } = await import('@grpc/reflection');
  const [health] = Object.values(await load(protoPath, { keepCase: true }));
  const ofHealth = completeFiles((health?.fileDescriptorProtos ?? []) as Uint8Array[]);
  const bytes = [...files, ...ofHealth].map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  // All that the service looks at is the files: the rest of a definition, which the type asks for, is left out.
  const definitions = { all: { format: '', type: {}, fileDescriptorProtos: bytes } } as unknown as PackageDefinition;
  const methods = new Map<string, readonly [Method, Answering]>();
  const taker: Pick<Server, 'addService'> = {
    addService: (service, implementation) => {
      const method = service[METHOD];
      // The service has one method, whose kind of call the types of an implementation do not say.
      if (method !== undefined) methods.set(method.path, [method, implementation[METHOD] as unknown as Answering]);
    },
  };
  new ReflectionService(definitions).addToServer(taker);
  return methods;
}

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
import { completeDescriptors } from './descriptors.js';

/** A service in the form that grpc-js registers. */
export type Registration = readonly [ServiceDefinition, UntypedServiceImplementation];

type Method = ServiceDefinition[string];
/** A handler of the reflection package, which works with decoded messages. */
type ReflectionHandler = (call: {
  on(event: 'data' | 'end', listener: (message?: unknown) => void): unknown;
  write(message: unknown): unknown;
  end(): unknown;
}) => void;

/** The only method of both versions of the service. */
const METHOD = 'ServerReflectionInfo';
const SERVICE_NAMES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];

const identity = (bytes: Buffer): Buffer => bytes;
const BYTES_METHOD = {
  requestStream: true,
  responseStream: true,
  requestDeserialize: identity,
  responseSerialize: identity,
  requestSerialize: identity,
  responseDeserialize: identity,
};

/**
 * Creates the reflection services, by which clients list the services, including health, and get their message types.
 * The implementation is loaded with the first call, because most hosts never get one.
 */
export function createReflection(files: readonly FileDescriptorProto[]): readonly Registration[] {
  const methods = new OnDemand(() => loadReflection(files));
  return SERVICE_NAMES.map((service) => {
    const path = `/${service}/${METHOD}`;
    const answer = (call: ServerDuplexStream<Buffer, Buffer>) => void serve(call, path, methods);
    return [{ [METHOD]: { path, ...BYTES_METHOD } }, { [METHOD]: answer }];
  });
}

/** Serves a reflection call. It never rejects: a failure becomes the status of the call. */
async function serve(
  call: ServerDuplexStream<Buffer, Buffer>,
  path: string,
  methods: OnDemand<ReadonlyMap<string, readonly [Method, ReflectionHandler]>>,
): Promise<void> {
  const fail = (details: string) => void call.emit('error', { code: status.INTERNAL, details });
  try {
    const method = (await methods.get()).get(path);
    if (method === undefined) throw new Error(`${path} not found`);
    const [{ requestDeserialize, responseSerialize }, answer] = method;
    const decodeFor = (listener: (message: unknown) => void) => (bytes: Buffer) => {
      try {
        listener(requestDeserialize(bytes));
      } catch (error) {
        fail(`Error deserializing request: ${messageOf(error)}`);
      }
    };
    answer({
      on: (event, listener) => (event === 'data' ? call.on(event, decodeFor(listener)) : call.on(event, listener)),
      write: (message) => call.write(responseSerialize(message)),
      end: () => call.end(),
    });
  } catch (error) {
    fail(messageOf(error));
  }
}

/** Loads the reflection methods for these files, by path. */
async function loadReflection(
  files: readonly FileDescriptorProto[],
): Promise<ReadonlyMap<string, readonly [Method, ReflectionHandler]>> {
  const { ReflectionService } = await import('@grpc/reflection');
  const [health] = Object.values(await load(protoPath, { keepCase: true }));
  const healthFiles = completeDescriptors((health?.fileDescriptorProtos ?? []) as Uint8Array[]);
  const bytes = [...files, ...healthFiles].map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  // The package only reads the files. The other members of a definition, which the type requires, are left empty.
  const definitions = { all: { format: '', type: {}, fileDescriptorProtos: bytes } } as unknown as PackageDefinition;
  const methods = new Map<string, readonly [Method, ReflectionHandler]>();
  const serverStub: Pick<Server, 'addService'> = {
    addService: (service, implementation) => {
      const method = service[METHOD];
      // The service has one method, but the type of an implementation does not state the kind of call.
      if (method !== undefined)
        methods.set(method.path, [method, implementation[METHOD] as unknown as ReflectionHandler]);
    },
  };
  new ReflectionService(definitions).addToServer(serverStub);
  return methods;
}

import { fileURLToPath } from 'node:url';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import type { ExecutionContext } from 'ava';
import { startHost, type TestHost, type TestHostOptions } from './host.js';
import { testRealm } from './realms.js';

/** The messages of a stream before it ended, and its error. */
export interface Received {
  readonly messages: readonly Record<string, unknown>[];
  readonly error: ServiceError | undefined;
}

export const PROTO_DIR = fileURLToPath(new URL('../../../proto', import.meta.url));

/** A host with the books plugin, and a realm that enables it. */
export function startBooks(
  t: Pick<ExecutionContext, 'teardown'>,
  config: Record<string, unknown> = {},
  options: TestHostOptions = {},
): Promise<TestHost> {
  return startHost(t, {
    realms: [testRealm('demo', { providers: { 'grpc-service': { books: { enabled: true } } } })],
    plugins: [{ module: '@keyhost/books', config: { 'grpc-service/books': config } }],
    ...options,
  });
}

/** A plain grpc-js client of BookAuthorService, with protobufjs as codec: not the reference consumer. */
export class BooksClient {
  readonly client: Client;
  readonly #methods: Record<string, MethodDefinition<object, object>>;

  constructor(t: Pick<ExecutionContext, 'teardown'>, address: string, secured = credentials.createInsecure()) {
    this.client = new Client(address, secured);
    t.teardown(() => this.client.close());
    const definitions = loadSync('book_author.proto', { keepCase: true, includeDirs: [PROTO_DIR] });
    this.#methods = definitions['com.devProblems.BookAuthorService'] as Record<
      string,
      MethodDefinition<object, object>
    >;
  }

  /** Calls a method as a stream in both directions: the bytes are the same for all four kinds. */
  call(method: string, requests: readonly object[], metadata?: Metadata): Promise<Received> {
    const definition = this.#methods[method];
    if (definition === undefined) throw new Error(`no method ${method}`);
    const { path, requestSerialize, responseDeserialize } = definition;
    const call = this.client.makeBidiStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      metadata ?? new Metadata(),
    );
    for (const request of requests) call.write(request);
    call.end();
    return new Promise((resolve) => {
      const messages: Record<string, unknown>[] = [];
      call.on('data', (message: Record<string, unknown>) => messages.push(message));
      call.on('end', () => resolve({ messages, error: undefined }));
      call.on('error', (error: ServiceError) => resolve({ messages, error }));
    });
  }
}

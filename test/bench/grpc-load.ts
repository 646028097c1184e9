import { fileURLToPath } from 'node:url';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';

/** Calls of one method, and how many messages each must bring. */
export interface GrpcPlan {
  readonly address: string;
  readonly method: string;
  readonly request: object;
  /** How often the request is sent in one call. */
  readonly times: number;
  readonly answers: number;
}

/** One call after the other; resolves when the call has ended with the messages that it should bring. */
export function grpcCaller(plan: GrpcPlan): { call: () => Promise<void>; close: () => void } {
  const proto = fileURLToPath(new URL('../../../proto', import.meta.url));
  const definitions = loadSync('book_author.proto', { keepCase: true, includeDirs: [proto] });
  const service = definitions['com.devProblems.BookAuthorService'] as Record<string, MethodDefinition<object, object>>;
  const method = service[plan.method];
  if (method === undefined) throw new Error(`no method ${plan.method}`);
  const { path, requestSerialize } = method;
  const client = new Client(plan.address, credentials.createInsecure());
  const call = () =>
    new Promise<void>((resolve, reject) => {
      let count = 0;
      // Answers are counted, not read: the load is not what is measured.
      const stream = client.makeBidiStreamRequest(path, requestSerialize, (bytes) => bytes);
      stream.on('data', () => {
        count += 1;
      });
      stream.on('error', (error: ServiceError) => reject(error));
      stream.on('end', () =>
        count === plan.answers ? resolve() : reject(new Error(`${plan.method} brought ${count} messages`)),
      );
      for (let i = 0; i < plan.times; i += 1) stream.write(plan.request);
      stream.end();
    });
  return { call, close: () => client.close() };
}

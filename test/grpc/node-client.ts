import { fileURLToPath } from 'node:url';
import { type ChannelCredentials, Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import type { ExecutionContext } from 'ava';
import { service as healthService } from 'grpc-health-check';
import { readPem, SERVICE } from './clients/books-hosts.js';

const PROTO = fileURLToPath(new URL('../../../proto/book_author.proto', import.meta.url));
const service = loadSync(PROTO, { keepCase: true, defaults: true })[SERVICE] as ServiceDefinition;

export interface Answered {
  readonly code: status;
  readonly details: string;
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

/** A client of @grpc/grpc-js, closed with the test. It uses TLS if an authority is given. */
export async function clientFor(
  t: Pick<ExecutionContext, 'teardown'>,
  address: string,
  { ca, client }: { ca?: string; client?: string } = {},
): Promise<Client> {
  let channel: ChannelCredentials = credentials.createInsecure();
  if (ca !== undefined) {
    const own = client === undefined ? [null, null] : [await readPem(`${client}-key`), await readPem(client)];
    channel = credentials.createSsl(await readPem(ca), own[0], own[1]);
  }
  const made = new Client(address, channel);
  t.teardown(() => made.close());
  return made;
}

/** Sends one message, and receives one or none. */
export function call(
  client: Client,
  definition: ServiceDefinition,
  method: string,
  request: object,
  authorization?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const { path, requestSerialize, responseDeserialize } = definition[method] as ServiceDefinition[string];
  const metadata = new Metadata();
  if (authorization !== undefined) metadata.set('authorization', authorization);
  for (const [name, value] of Object.entries(more)) metadata.set(name, value);
  const deadline = Date.now() + 60_000;
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      { deadline },
      (error: ServiceError | null, message?: object) =>
        resolve(
          error === null
            ? { code: status.OK, details: '', message: message as Answered['message'] }
            : { code: error.code, details: error.details, message: undefined },
        ),
    );
  });
}

/** Asks for the first author. */
export const getAuthor = (client: Client, authorization?: string, more?: Readonly<Record<string, string>>) =>
  call(client, service, 'getAuthor', { author_id: 1 }, authorization, more);

/** The health of a service: its status, or the code of the error. */
export async function health(client: Client, name: string): Promise<string> {
  const { code, message } = await call(client, healthService as unknown as ServiceDefinition, 'Check', {
    service: name,
  });
  return code === status.OK ? String(message?.status) : (status[code] ?? '');
}

/** The status name of a reflection call. @param question sent if defined */
export function reflects(client: Client, question?: Buffer): Promise<string> {
  const asIs = (bytes: Buffer) => bytes;
  const call = client.makeBidiStreamRequest('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', asIs, asIs);
  return new Promise((resolve) => {
    call.on('data', () => {});
    call.on('error', () => {});
    call.on('status', ({ code }) => resolve(status[code] ?? ''));
    if (question !== undefined) call.write(question);
    call.end();
  });
}

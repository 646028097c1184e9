import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, credentials, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import type { GrpcServiceDeclaration } from '@keyhost/spi';
import type { GrpcAnswer, GrpcRequest } from '@keyhost/spi/testing';
import { Codec } from './codec.js';
import { loadService } from './proto-files.js';

/** A service of a plugin under test: its declaration, and the folder of its package. */
export interface TestedService {
  readonly declaration: GrpcServiceDeclaration;
  readonly directory: string;
}

/** Calls the services of a host, with messages in the form that handlers see, for all kinds of rpcs. */
export class TestClient {
  readonly #client: Client;
  readonly #services: readonly TestedService[];
  readonly #protoDir: string;

  constructor(address: string, services: readonly TestedService[], protoDir: string) {
    this.#client = new Client(address, credentials.createInsecure());
    this.#services = services;
    this.#protoDir = protoDir;
  }

  /**
   * Sends all messages and receives all responses.
   * @throws Error if the service or the rpc does not exist
   */
  async call({ service, method, messages, metadata, deadline }: GrpcRequest): Promise<GrpcAnswer> {
    const { path, encode, decode } = this.#rpc(service, method);
    const requestMetadata = new Metadata();
    for (const [key, value] of Object.entries(metadata)) {
      requestMetadata.set(key, typeof value === 'string' ? value : Buffer.from(value));
    }
    const receivedMessages: GrpcAnswer['messages'][number][] = [];
    const stream = this.#client.makeBidiStreamRequest(path, encode, decode, requestMetadata, { deadline });
    const ended = new Promise<StatusObject>((resolve) => {
      stream.on('data', (message) => void receivedMessages.push(message));
      stream.on('error', () => {}); // The status reports the same error.
      stream.on('status', resolve);
    });
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    for await (const message of messages) {
      if (hasEnded) break;
      stream.write(message);
    }
    if (!hasEnded) stream.end();
    const { code, details, metadata: trailers } = await ended;
    return {
      code: status[code] ?? String(code),
      details,
      messages: receivedMessages,
      trailers: Object.fromEntries(Object.keys(trailers.getMap()).map((key) => [key, trailers.get(key)])),
    };
  }

  close(): void {
    this.#client.close();
  }

  #rpc(service: string, method: string) {
    const tested = this.#services.find(({ declaration }) => declaration.service === service);
    if (tested === undefined) {
      const serviceNames = this.#services.map(({ declaration }) => declaration.service);
      throw new Error(`no plugin under test serves ${service}: they serve ${serviceNames.join(', ') || 'none'}`);
    }
    const folders = [join(tested.directory, 'proto'), this.#protoDir].filter((folder) => existsSync(folder));
    const { descriptor } = loadService(tested.declaration, service, folders);
    const rpc = descriptor.methods.find(({ name }) => name === method);
    if (rpc === undefined) {
      throw new Error(
        `${service} has no rpc ${method}: it has ${descriptor.methods.map(({ name }) => name).join(', ')}`,
      );
    }
    const codecs = new Map<string, Codec>();
    return {
      path: `/${service}/${method}`,
      encode: Codec.of(rpc.input, codecs).encode,
      decode: Codec.of(rpc.output, codecs).decode,
    };
  }
}

import type { Metadata } from '@grpc/grpc-js';
import type { GrpcCall, Principal } from '@keyhost/spi';
import type { AdmittedCall } from './admission.js';

/** A call as a handler sees it. Its members are created on first use, because most handlers need none of them. */
export class CallView implements GrpcCall {
  readonly deadline: number | undefined;
  readonly principal: Principal | undefined;
  readonly #metadata: Metadata;
  readonly #session: AdmittedCall['session'];
  #plainMetadata: GrpcCall['metadata'] | undefined;

  /** @param deadline milliseconds since the epoch, or Infinity */
  constructor(metadata: Metadata, deadline: number, { session, principal }: AdmittedCall) {
    this.deadline = deadline === Infinity ? undefined : deadline;
    this.principal = principal;
    this.#metadata = metadata;
    this.#session = session;
  }

  get metadata(): GrpcCall['metadata'] {
    this.#plainMetadata ??= toPlainMetadata(this.#metadata);
    return this.#plainMetadata;
  }

  get signal(): AbortSignal {
    return this.#session.signal;
  }
}

function toPlainMetadata(metadata: Metadata): GrpcCall['metadata'] {
  const plain: Record<string, (string | Uint8Array)[]> = {};
  for (const key of Object.keys(metadata.getMap())) {
    if (key !== 'authorization') plain[key] = metadata.get(key);
  }
  return plain;
}

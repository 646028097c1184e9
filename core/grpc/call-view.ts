import type { Metadata } from '@grpc/grpc-js';
import type { GrpcCall, Principal } from '@keyhost/spi';
import type { Admitted } from './admission.js';

/** The call as a handler sees it. Its members are created on first use, because most handlers need none. */
export class CallView implements GrpcCall {
  readonly deadline: number | undefined;
  readonly principal: Principal | undefined;
  readonly #metadata: Metadata;
  readonly #session: Admitted['session'];
  #plain: GrpcCall['metadata'] | undefined;

  /** @param deadline milliseconds since the epoch, or Infinity */
  constructor(metadata: Metadata, deadline: number, { session, principal }: Admitted) {
    this.deadline = deadline === Infinity ? undefined : deadline;
    this.principal = principal;
    this.#metadata = metadata;
    this.#session = session;
  }

  get metadata(): GrpcCall['metadata'] {
    this.#plain ??= plainMetadata(this.#metadata);
    return this.#plain;
  }

  get signal(): AbortSignal {
    return this.#session.signal;
  }
}

function plainMetadata(metadata: Metadata): GrpcCall['metadata'] {
  const plain: Record<string, (string | Uint8Array)[]> = {};
  for (const key of Object.keys(metadata.getMap())) {
    if (key !== 'authorization') plain[key] = metadata.get(key);
  }
  return plain;
}

import type { Metadata } from '@grpc/grpc-js';
import type { GrpcCall } from '@keyhost/spi';
import type { Admitted } from './admission.js';

/** What a handler sees of its call. Most handlers look at none of it: nothing is made before it is asked for. */
export function callView(metadata: Metadata, deadline: number, { session, principal }: Admitted): GrpcCall {
  let plain: GrpcCall['metadata'] | undefined;
  return {
    get metadata() {
      plain ??= plainMetadata(metadata);
      return plain;
    },
    get signal() {
      return session.signal;
    },
    deadline: deadline === Infinity ? undefined : deadline,
    principal,
  };
}

function plainMetadata(metadata: Metadata): GrpcCall['metadata'] {
  const plain: Record<string, (string | Uint8Array)[]> = {};
  for (const key of Object.keys(metadata.getMap())) {
    if (key !== 'authorization') plain[key] = metadata.get(key);
  }
  return plain;
}

import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

/** What an error looks like to whoever tests it: fields, never classes. */
interface Thrown {
  readonly grpcStatus?: unknown;
  readonly trailers?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  readonly metadata?: unknown;
  readonly status?: unknown;
  readonly expose?: unknown;
  readonly message?: unknown;
}

/** The nearest status of an HTTP one. */
const OF_HTTP: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.ABORTED,
  412: status.FAILED_PRECONDITION,
  413: status.RESOURCE_EXHAUSTED,
  429: status.RESOURCE_EXHAUSTED,
  499: status.CANCELLED,
  501: status.UNIMPLEMENTED,
  503: status.UNAVAILABLE,
  504: status.DEADLINE_EXCEEDED,
};

/** What the protocol itself writes next to the status, and what HTTP/2 does not allow. */
const RESERVED =
  /^(:.*|grpc-(?!status-details-bin$).*|content-type|te|connection|keep-alive|proxy-connection|transfer-encoding|upgrade|host)$/;

interface Ending {
  readonly status: StatusObject;
  /** The log should hear of `failure`. */
  readonly unexpected: boolean;
  readonly failure?: unknown;
}

/**
 * The status that an error ends a call with. Code, details and metadata of a `GrpcError`, and of an error that a gRPC
 * client threw, are passed on; a `HostError` goes by its HTTP status; of anything else nothing is told.
 */
export function toStatus(error: unknown): Ending {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as Thrown;
  const named = typeof thrown.grpcStatus === 'string' ? status[thrown.grpcStatus as keyof typeof status] : undefined;
  // The enum's object also leads from numbers back to names.
  if (typeof named === 'number' && named !== status.OK) {
    try {
      return expected(named, String(thrown.message), trailers(thrown.trailers));
    } catch (failure) {
      return unexpected(failure);
    }
  }
  if (typeof thrown.code === 'number' && thrown.code > 0 && thrown.code <= 16 && typeof thrown.details === 'string') {
    return expected(
      thrown.code,
      thrown.details,
      thrown.metadata instanceof Metadata ? passedOn(thrown.metadata) : new Metadata(),
    );
  }
  if (thrown.expose === true && typeof thrown.status === 'number') {
    const known = OF_HTTP[thrown.status] ?? (thrown.status < 500 ? status.FAILED_PRECONDITION : status.INTERNAL);
    return expected(known, String(thrown.message), new Metadata());
  }
  return unexpected(error);
}

function expected(code: status, details: string, metadata: Metadata): Ending {
  // Half a surrogate pair has no UTF-8.
  return { status: { code, details: Buffer.from(details).toString(), metadata }, unexpected: false };
}

function unexpected(failure: unknown): Ending {
  const metadata = new Metadata();
  const details = 'The server failed: see its log';
  return { status: { code: status.UNKNOWN, details, metadata }, unexpected: true, failure };
}

/** @throws Error for what cannot be sent */
function trailers(values: unknown): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries((values ?? {}) as Record<string, string | Uint8Array>)) {
    if (RESERVED.test(key.toLowerCase())) throw new Error(`a GrpcError cannot have the trailer ${key}`);
    metadata.set(key, typeof value === 'string' ? value : Buffer.from(value));
  }
  return metadata;
}

/** The metadata of another server's answer holds that answer's own headers too. */
function passedOn(received: Metadata): Metadata {
  const metadata = received.clone();
  for (const key of Object.keys(received.getMap())) if (RESERVED.test(key)) metadata.remove(key);
  return metadata;
}

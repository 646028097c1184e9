import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

/** The members by which an error is recognised, never by its class. */
interface ThrownMembers {
  readonly grpcStatus?: unknown;
  readonly trailers?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  readonly metadata?: unknown;
  readonly status?: unknown;
  readonly expose?: unknown;
  readonly message?: unknown;
}

/** The gRPC statuses that correspond to HTTP statuses. */
const STATUS_BY_HTTP: Readonly<Record<number, status>> = {
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

/** Metadata keys that the protocol itself uses, or that HTTP/2 does not allow. */
const RESERVED_KEYS =
  /^(:.*|grpc-(?!status-details-bin$).*|content-type|te|connection|keep-alive|proxy-connection|transfer-encoding|upgrade|host)$/;

interface StatusResult {
  readonly status: StatusObject;
  /** True if `failure` must be logged. */
  readonly isUnexpected: boolean;
  readonly failure?: unknown;
}

/**
 * Returns the status for an error that ends a call. Code, details and metadata of a `GrpcError`, and of an error from a
 * gRPC client, are passed on. A `HostError` gets the status that corresponds to its HTTP status. The text of any other
 * error is not disclosed.
 */
export function toStatus(error: unknown): StatusResult {
  const thrown = (typeof error === 'object' && error !== null ? error : {}) as ThrownMembers;
  const statusCode =
    typeof thrown.grpcStatus === 'string' ? status[thrown.grpcStatus as keyof typeof status] : undefined;
  // The enum also maps numbers to names, so check the type.
  if (typeof statusCode === 'number' && statusCode !== status.OK) {
    try {
      return expectedResult(statusCode, String(thrown.message), toTrailers(thrown.trailers));
    } catch (failure) {
      return unexpectedResult(failure);
    }
  }
  if (typeof thrown.code === 'number' && thrown.code > 0 && thrown.code <= 16 && typeof thrown.details === 'string') {
    return expectedResult(
      thrown.code,
      thrown.details,
      thrown.metadata instanceof Metadata ? withoutReserved(thrown.metadata) : new Metadata(),
    );
  }
  if (thrown.expose === true && typeof thrown.status === 'number') {
    const mappedCode =
      STATUS_BY_HTTP[thrown.status] ?? (thrown.status < 500 ? status.FAILED_PRECONDITION : status.INTERNAL);
    return expectedResult(mappedCode, String(thrown.message), new Metadata());
  }
  return unexpectedResult(error);
}

function expectedResult(code: status, details: string, metadata: Metadata): StatusResult {
  // The conversion replaces lone surrogates, which have no UTF-8 form.
  return { status: { code, details: Buffer.from(details).toString(), metadata }, isUnexpected: false };
}

function unexpectedResult(failure: unknown): StatusResult {
  const metadata = new Metadata();
  const details = 'The server failed: see its log';
  return { status: { code: status.UNKNOWN, details, metadata }, isUnexpected: true, failure };
}

/**
 * Converts the trailers of a GrpcError.
 * @throws Error for a value that cannot be sent
 */
function toTrailers(values: unknown): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries((values ?? {}) as Record<string, string | Uint8Array>)) {
    if (RESERVED_KEYS.test(key.toLowerCase())) throw new Error(`a GrpcError cannot have the trailer ${key}`);
    metadata.set(key, typeof value === 'string' ? value : Buffer.from(value));
  }
  return metadata;
}

/** Removes reserved keys, because the metadata of another server's response contains that response's own headers. */
function withoutReserved(received: Metadata): Metadata {
  const metadata = received.clone();
  for (const key of Object.keys(received.getMap())) if (RESERVED_KEYS.test(key)) metadata.remove(key);
  return metadata;
}

/**
 * An error with an answer. Anything thrown may carry these fields: the host tests `code`, `status` and `expose`,
 * never `instanceof`, so a plugin may also throw its own error with the same fields.
 */
export class HostError extends Error {
  override readonly name: string = 'HostError';
  /** A stable word that a program can test. */
  readonly code: string;
  /** The HTTP status the error is answered with. */
  readonly status: number;
  /** True when `message` may be shown to the caller. */
  readonly expose: boolean;
  /** Extra answer headers, such as `WWW-Authenticate` or `Retry-After`; of a plugin's error those that its answers may have. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    options: { status?: number; expose?: boolean; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? 500;
    this.expose = options.expose ?? this.status < 500;
    this.headers = options.headers ?? {};
  }
}

/** An OAuth 2.0 error answer (RFC 6749 §5.2): `{"error": code, "error_description": message}`. */
export class OAuthError extends HostError {
  override readonly name = 'OAuthError';
  readonly error: string;
  readonly errorDescription: string | undefined;
  /** Keycloak's error code for the event, when it differs from `error`. */
  readonly eventError: string | undefined;
  /** More details of the event. */
  readonly details: Readonly<Record<string, string>>;
  /** The user that the event is about, if the error occurs before the host knows the user. */
  readonly userId: string | undefined;

  constructor(
    error: string,
    description?: string,
    options: {
      status?: number;
      eventError?: string;
      details?: Readonly<Record<string, string>>;
      userId?: string | undefined;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(error, description ?? error, { ...options, status: options.status ?? 400, expose: true });
    this.error = error;
    this.errorDescription = description;
    this.eventError = options.eventError;
    this.details = options.details ?? {};
    this.userId = options.userId;
  }
}

/** The status codes of gRPC that an error can have (https://grpc.io/docs/guides/status-codes/). */
export type GrpcStatus =
  | 'CANCELLED'
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'OUT_OF_RANGE'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'DATA_LOSS'
  | 'UNAUTHENTICATED';

/**
 * An error that ends a gRPC call with this status, text and trailing metadata. An error of another library with a
 * numeric `code`, `details` and `metadata`, such as a gRPC client throws, is passed on in the same way.
 */
export class GrpcError extends HostError {
  override readonly name = 'GrpcError';
  readonly grpcStatus: GrpcStatus;
  /** Sent as trailers; values of keys ending in `-bin` are bytes. */
  readonly trailers: Readonly<Record<string, string | Uint8Array>>;

  /** @param details shown to the client */
  constructor(
    grpcStatus: GrpcStatus,
    details: string,
    options: { trailers?: Record<string, string | Uint8Array>; cause?: unknown } = {},
  ) {
    super(grpcStatus.toLowerCase(), details, { expose: true, cause: options.cause });
    this.grpcStatus = grpcStatus;
    this.trailers = options.trailers ?? {};
  }
}

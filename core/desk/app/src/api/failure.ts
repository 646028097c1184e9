/** One thing that is wrong with what was sent, and where: a JSON pointer (RFC 6901). */
export interface LocatedError {
  readonly pointer: string;
  readonly message: string;
}

/** The change that came between, as far as the reader may know of it. */
export interface OtherChange {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly username?: string;
}

/**
 * Why a request brought nothing. `away`: no answer; `ended`: the session is over; `forbidden`: the roles do not suffice;
 * `absent`: there is no such thing; `changed`: somebody else changed it after it was read; `refused`: the host says what is
 * wrong; `broken`: the host failed.
 */
export type FailureKind = 'away' | 'ended' | 'forbidden' | 'absent' | 'changed' | 'refused' | 'broken';

interface Given {
  readonly status?: number;
  readonly told?: string | undefined;
  readonly errors?: readonly LocatedError[];
  readonly roles?: readonly string[];
  readonly etag?: string | undefined;
  readonly change?: OtherChange | undefined;
}

/** The one way in which a failure reaches a page. */
export class ApiFailure extends Error {
  readonly kind: FailureKind;
  /** HTTP; 0 without an answer. */
  readonly status: number;
  /** The host's own words. */
  readonly told: string | undefined;
  readonly errors: readonly LocatedError[];
  /** Roles of which one suffices. */
  readonly roles: readonly string[];
  /** Of `changed`: the ETag of now. */
  readonly etag: string | undefined;
  readonly change: OtherChange | undefined;

  constructor(kind: FailureKind, given: Given = {}) {
    super(given.told ?? kind);
    this.name = 'ApiFailure';
    this.kind = kind;
    this.status = given.status ?? 0;
    this.told = given.told;
    this.errors = given.errors ?? [];
    this.roles = given.roles ?? [];
    this.etag = given.etag;
    this.change = given.change;
  }
}

type Body = Readonly<Record<string, unknown>>;

/** The failure that an answer tells of, in the shapes of Keycloak and Keyhost. */
export async function failureOf(response: Response, roles: readonly string[]): Promise<ApiFailure> {
  const { status } = response;
  const body = await bodyOf(response);
  const text = [body.errorMessage, body.error_description, body.error].find((one) => typeof one === 'string');
  const told = text as string | undefined;
  if (status === 401) return new ApiFailure('ended', { status, told });
  if (status === 403) return new ApiFailure('forbidden', { status, told, roles });
  if (status === 404) return new ApiFailure('absent', { status, told });
  if (status === 412) {
    const { etag, changed } = body as { etag?: string; changed?: OtherChange };
    return new ApiFailure('changed', { status, told, etag, change: changed });
  }
  if (status === 502 || status === 503 || status === 504) return new ApiFailure('away', { status, told });
  if (status >= 500) return new ApiFailure('broken', { status, told });
  return new ApiFailure('refused', { status, told, errors: locatedErrors(body) });
}

/** Keyhost's errors have a pointer, those of Keycloak's user profile the name of an attribute. */
function locatedErrors(body: Body): LocatedError[] {
  const all = Array.isArray(body.errors) ? (body.errors as Body[]) : [body];
  return all.flatMap(({ pointer, message, field, errorMessage }) => {
    if (typeof pointer === 'string') return [{ pointer, message: String(message) }];
    return typeof field === 'string' ? [{ pointer: `/${field}`, message: String(errorMessage) }] : [];
  });
}

async function bodyOf(response: Response): Promise<Body> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    // A proxy in between answers pages of its own.
    return {};
  }
}

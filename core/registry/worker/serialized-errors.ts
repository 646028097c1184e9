import { GrpcError, HostError, OAuthError } from '@keyhost/spi';
import { findUncloneable } from '../sessions/cloneable.js';

/** An error as plain data. Structured clone alone would lose its class and all of its fields. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Own enumerable members such as `code`, `status` and `expose`, if they are plain data. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly cause: SerializedError | undefined;
}

/** Maximum number of nested causes to send. */
const MAX_CAUSE_DEPTH = 3;
const NON_FIELDS = new Set(['name', 'message', 'stack', 'cause']);
const CLASSES = new Map<string, object>(
  [HostError, OAuthError, GrpcError].map(({ name, prototype }) => [name, prototype]),
);

/**
 * Converts a thrown value to plain data.
 * @param withInternals true to include the stack and the causes, for the log
 */
export function serializeError(
  thrown: unknown,
  withInternals = true,
  depth = 0,
): SerializedError | { readonly thrown: unknown } {
  if (typeof thrown !== 'object' || thrown === null) {
    return { thrown: typeof thrown === 'symbol' || typeof thrown === 'function' ? String(thrown) : thrown };
  }
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(thrown)) {
    const value = NON_FIELDS.has(name) ? undefined : readMember(thrown, name);
    if (value !== undefined) fields[name] = value;
  }
  const cause = withInternals && depth < MAX_CAUSE_DEPTH ? readMember(thrown, 'cause') : undefined;
  return {
    name: stringOrUndefined(readMember(thrown, 'name')) ?? 'Error',
    message: stringOrUndefined(readMember(thrown, 'message')) ?? '',
    stack: withInternals ? stringOrUndefined(readMember(thrown, 'stack')) : undefined,
    fields,
    cause: cause instanceof Error ? (serializeError(cause, withInternals, depth + 1) as SerializedError) : undefined,
  };
}

/** Recreates the error on this side. An error of one of the SPI's classes gets that class again. */
export function deserializeError(crossing: unknown): unknown {
  const error = (crossing ?? {}) as Partial<SerializedError> & { thrown?: unknown };
  if ('thrown' in error) return error.thrown;
  const revivedError = new Error(stringOrUndefined(error.message) ?? '');
  const name = stringOrUndefined(error.name) ?? 'Error';
  const prototype = CLASSES.get(name);
  if (prototype !== undefined) Object.setPrototypeOf(revivedError, prototype);
  if (name !== 'Error') revivedError.name = name;
  if (typeof error.stack === 'string') revivedError.stack = error.stack;
  if (error.cause !== undefined) revivedError.cause = deserializeError(error.cause);
  return Object.assign(revivedError, error.fields);
}

/** Returns a member that can be sent; undefined for any other, and for a getter that throws. */
function readMember(value: object, name: string): unknown {
  try {
    const member = (value as Record<string, unknown>)[name];
    return name === 'cause' || findUncloneable(member) === undefined ? member : undefined;
  } catch {
    return undefined;
  }
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

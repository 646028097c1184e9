import { GrpcError, HostError, OAuthError } from '@keyhost/spi';
import { uncloneable } from '../sessions/cloneable.js';

/** An error as data: structured clone alone would lose its class and all of its fields. */
export interface CrossingError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The fields `code`, `status`, `expose` and other own members, as far as they are plain data. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly cause: CrossingError | undefined;
}

/** Maximum depth of causes to send. */
const CAUSES = 3;
const NOT_FIELDS = new Set(['name', 'message', 'stack', 'cause']);
const CLASSES = new Map<string, object>(
  [HostError, OAuthError, GrpcError].map(({ name, prototype }) => [name, prototype]),
);

/** @param inside true to include the stack and the causes, for the log */
export function toCrossing(thrown: unknown, inside = true, depth = 0): CrossingError | { readonly thrown: unknown } {
  if (typeof thrown !== 'object' || thrown === null) {
    return { thrown: typeof thrown === 'symbol' || typeof thrown === 'function' ? String(thrown) : thrown };
  }
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(thrown)) {
    const value = NOT_FIELDS.has(name) ? undefined : read(thrown, name);
    if (value !== undefined) fields[name] = value;
  }
  const cause = inside && depth < CAUSES ? read(thrown, 'cause') : undefined;
  return {
    name: text(read(thrown, 'name')) ?? 'Error',
    message: text(read(thrown, 'message')) ?? '',
    stack: inside ? text(read(thrown, 'stack')) : undefined,
    fields,
    cause: cause instanceof Error ? (toCrossing(cause, inside, depth + 1) as CrossingError) : undefined,
  };
}

/** Recreates the error on this side; an error of the SPI's classes gets its class again. */
export function fromCrossing(crossing: unknown): unknown {
  const error = (crossing ?? {}) as Partial<CrossingError> & { thrown?: unknown };
  if ('thrown' in error) return error.thrown;
  const revived = new Error(text(error.message) ?? '');
  const name = text(error.name) ?? 'Error';
  const prototype = CLASSES.get(name);
  if (prototype !== undefined) Object.setPrototypeOf(revived, prototype);
  if (name !== 'Error') revived.name = name;
  if (typeof error.stack === 'string') revived.stack = error.stack;
  if (error.cause !== undefined) revived.cause = fromCrossing(error.cause);
  return Object.assign(revived, error.fields);
}

/** Returns a member that can be sent; undefined for others, and for a getter that throws. */
function read(value: object, name: string): unknown {
  try {
    const member = (value as Record<string, unknown>)[name];
    return name === 'cause' || uncloneable(member) === undefined ? member : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

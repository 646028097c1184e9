import type { ServerHttp2Stream } from 'node:http2';
import { type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';

/**
 * Private members of grpc-js's calls, needed where it is laxer than the protocol. Every use checks that the member
 * exists, and a test fails if grpc-js renames one (1.14).
 */
interface Internals {
  decoder?: { readState?: number };
  incomingEncoding?: string;
  decompressMessage?: (message: Buffer, encoding: string) => Buffer | Promise<Buffer>;
  stream?: ServerHttp2Stream;
  deadline?: number;
  deadlineTimer?: NodeJS.Timeout | null;
}

function internalsOf(call: ServerInterceptingCallInterface): Internals {
  return call as ServerInterceptingCallInterface & Internals;
}

const NO_ERROR = 0;
/** How long to wait for a connection whose client does not read, in milliseconds. */
const RETRY_MS = 20;

/**
 * Makes the call refuse compressed messages without an encoding, and unknown flags. Also corrects overlong deadlines.
 */
export function harden(call: ServerInterceptingCallInterface): void {
  const internals = internalsOf(call);
  if (internals.decompressMessage !== undefined) internals.decompressMessage = strictDecompress;
  // A timeout of more than 24 days overflows to a negative number of milliseconds, and would expire at once.
  if (typeof internals.deadline === 'number' && internals.deadline < Date.now() - 1000 && internals.deadlineTimer) {
    clearTimeout(internals.deadlineTimer);
    internals.deadline = Infinity;
  }
}

function strictDecompress(this: Internals, message: Buffer, encoding: string): Buffer | Promise<Buffer> {
  const flag = message[0] ?? 0;
  if (flag === 0) return message.subarray(5);
  if (flag !== 1 || encoding === 'identity') {
    return Promise.reject({
      code: status.INTERNAL,
      details: 'The message has a compression flag without a compression',
    });
  }
  const lax = Object.getPrototypeOf(this) as Internals;
  return lax.decompressMessage?.call(this, message, encoding) ?? Promise.reject({ code: status.UNIMPLEMENTED });
}

/** True if the client ended its stream in the middle of a message. */
export function endedWithinMessage(call: ServerInterceptingCallInterface): boolean {
  return (internalsOf(call).decoder?.readState ?? 0) !== 0;
}

/**
 * Ends the client's side of a call that was answered before the client had sent everything (RFC 9113 §8.1). A reset
 * drops unsent data of the stream, so wait until the status is sent.
 */
export function stopClient(call: ServerInterceptingCallInterface): void {
  const { stream } = internalsOf(call);
  if (stream === undefined || stream.destroyed) return;
  stream.resume();
  const given = stream.sentTrailers !== undefined || stream.sentHeaders?.['grpc-status'] !== undefined;
  if (given) resetOnceSent(stream);
  else stream.once('wantTrailers', () => resetOnceSent(stream));
}

function resetOnceSent(stream: ServerHttp2Stream): void {
  setImmediate(() => {
    if (stream.destroyed) return;
    if ((stream.session?.state.outboundQueueSize ?? 0) === 0) stream.close(NO_ERROR);
    else setTimeout(resetOnceSent, RETRY_MS, stream).unref();
  });
}

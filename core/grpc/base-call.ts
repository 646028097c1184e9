import type { ServerHttp2Stream } from 'node:http2';
import { type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';

/**
 * Private members of grpc-js's calls. They are needed where grpc-js is less strict than the protocol. Every use checks
 * that the member exists, and a test fails if grpc-js renames one (1.14).
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
/** The pause between two checks whether all data was sent, in milliseconds. */
const RETRY_MS = 20;

/**
 * Makes a call reject messages that are flagged as compressed without an encoding, or have unknown flags. It also
 * corrects deadlines that have overflowed.
 */
export function hardenCall(call: ServerInterceptingCallInterface): void {
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
  const original = Object.getPrototypeOf(this) as Internals;
  return original.decompressMessage?.call(this, message, encoding) ?? Promise.reject({ code: status.UNIMPLEMENTED });
}

/** True if the client has ended its stream in the middle of a message. */
export function hasEndedWithinMessage(call: ServerInterceptingCallInterface): boolean {
  return (internalsOf(call).decoder?.readState ?? 0) !== 0;
}

/**
 * Ends the client's side of a call that was answered before the client had sent everything (RFC 9113 §8.1). A reset
 * drops unsent data of the stream, so it waits until the status was sent.
 */
export function stopClient(call: ServerInterceptingCallInterface): void {
  const { stream } = internalsOf(call);
  if (stream === undefined || stream.destroyed) return;
  stream.resume();
  const isStatusSet = stream.sentTrailers !== undefined || stream.sentHeaders?.['grpc-status'] !== undefined;
  if (isStatusSet) resetOnceSent(stream);
  else stream.once('wantTrailers', () => resetOnceSent(stream));
}

function resetOnceSent(stream: ServerHttp2Stream): void {
  setImmediate(() => {
    if (stream.destroyed) return;
    if ((stream.session?.state.outboundQueueSize ?? 0) === 0) stream.close(NO_ERROR);
    else setTimeout(resetOnceSent, RETRY_MS, stream).unref();
  });
}

import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';

/** The answer to a call, once its stream is closed. */
export interface RawAnswer {
  /** The HTTP status; undefined without headers. */
  readonly http: number | undefined;
  /** The gRPC status; undefined if there was none. */
  readonly status: number | undefined;
  readonly details: string;
  /** Headers and trailers together. */
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly Buffer[];
  readonly rstCode: number;
}

export interface RawCall {
  readonly stream: ClientHttp2Stream;
  readonly answer: Promise<RawAnswer>;
  /** Sends a message in a frame of its own. */
  send(message: Uint8Array): void;
  /** Half-closes. */
  end(): void;
}

/** A connection that closes with the test. */
export async function connectRaw(
  t: { teardown(fn: () => unknown): void },
  address: string,
  peerMaxConcurrentStreams?: number,
): Promise<ClientHttp2Session> {
  const session = connect(`http://${address}`, {
    ...(peerMaxConcurrentStreams === undefined ? {} : { peerMaxConcurrentStreams }),
  });
  t.teardown(() => session.destroy());
  session.on('error', () => {});
  await new Promise((resolve, reject) =>
    session.once('remoteSettings', resolve).once('close', () => reject(new Error('it closed'))),
  );
  return session;
}

/** A length-prefixed message; `length` may be wrong. */
export function framed(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

export function openCall(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}): RawCall {
  const stream = session.request(
    { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers },
    { endStream: false },
  );
  const seen: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  stream.on('response', (found) => void Object.assign(seen, found));
  stream.on('trailers', (found) => void Object.assign(seen, found));
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  stream.on('error', () => {});
  const answer = new Promise<RawAnswer>((resolve) => {
    stream.on('close', () => {
      const { ':status': http, 'grpc-status': status, 'grpc-message': details } = seen;
      resolve({
        http: http === undefined ? undefined : Number(http),
        status: status === undefined ? undefined : Number(status),
        details: decodeURIComponent(String(details ?? '')),
        headers: seen,
        messages: split(Buffer.concat(chunks)),
        rstCode: stream.rstCode ?? 0,
      });
    });
  });
  return {
    stream,
    answer,
    send: (message) => void stream.write(framed(message)),
    end: () => void stream.end(),
  };
}

/** Sends these bytes unchanged and half-closes. */
export function rawCall(
  session: ClientHttp2Session,
  path: string,
  body: Uint8Array,
  headers?: Record<string, string>,
): Promise<RawAnswer> {
  const { stream, answer } = openCall(session, path, headers);
  stream.end(body);
  return answer;
}

/** The complete messages in a body. */
function split(body: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 5 <= body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    messages.push(body.subarray(at + 5, end));
    at = end;
  }
  return messages;
}

import { connect, type Socket } from 'node:net';

/** Frame types of RFC 9113 that tests look at. */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;

const END_STREAM = 1;
const END_HEADERS = 4;
const ACK = 1;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A connection with hand-written HTTP/2 frames, for what node:http2 cannot do, such as a lone reset. */
export class FrameConnection {
  readonly frames: Frame[] = [];
  readonly #socket: Socket;
  readonly #waiting = new Set<() => void>();
  #buffer = Buffer.alloc(0);
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** @param address `host:port` */
  static async open(t: { teardown(fn: () => unknown): void }, address: string): Promise<FrameConnection> {
    const url = new URL(`http://${address}`);
    const socket = connect(Number(url.port), url.hostname);
    t.teardown(() => socket.destroy());
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    const connection = new FrameConnection(socket);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    connection.send(SETTINGS, 0, 0, Buffer.alloc(0));
    await connection.until(({ type }) => type === SETTINGS);
    return connection;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(type: number, flags: number, stream: number, payload: Buffer): void {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    this.#socket.write(Buffer.concat([head, payload]));
  }

  /** Opens a gRPC call. */
  call(stream: number, path: string, headers: Readonly<Record<string, string>> = {}): void {
    const all = {
      ':method': 'POST',
      ':scheme': 'http',
      ':path': path,
      ':authority': 'test',
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    };
    const fields = Object.entries(all).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]);
    this.send(HEADERS, END_HEADERS, stream, Buffer.concat(fields));
  }

  data(stream: number, bytes: Uint8Array, endStream = false): void {
    this.send(DATA, endStream ? END_STREAM : 0, stream, Buffer.from(bytes));
  }

  reset(stream: number, code: number): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(code);
    this.send(RST_STREAM, 0, stream, payload);
  }

  /** Sends everything within the callback in one packet. */
  cork(send: () => void): void {
    this.#socket.cork();
    send();
    this.#socket.uncork();
  }

  goAway(): void {
    this.send(GOAWAY, 0, 0, Buffer.alloc(8));
  }

  /** Ends the sending side: the server reads an end of file. */
  finish(): void {
    this.#socket.end();
  }

  /** Closes the connection abruptly. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves once the server has read everything sent before: it answers pings in order. */
  async settled(): Promise<void> {
    const token = Buffer.alloc(8);
    token.writeDoubleBE(Math.random());
    this.send(PING, 0, 0, token);
    await this.until(({ type, payload }) => type === PING && payload.equals(token));
  }

  /** The first matching frame, received already or later. Rejects when the connection ends before. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      if (this.#closed) throw new Error('the connection ended before the frame came');
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length >= 9) {
      const length = this.#buffer.readUIntBE(0, 3);
      if (this.#buffer.length < 9 + length) break;
      const frame: Frame = {
        type: this.#buffer.readUInt8(3),
        flags: this.#buffer.readUInt8(4),
        stream: this.#buffer.readUInt32BE(5),
        payload: Buffer.from(this.#buffer.subarray(9, 9 + length)),
      };
      this.#buffer = this.#buffer.subarray(9 + length);
      this.frames.push(frame);
      if (frame.type === SETTINGS && (frame.flags & ACK) === 0) this.send(SETTINGS, ACK, 0, Buffer.alloc(0));
    }
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** A literal of HPACK without Huffman code; longer than 126 bytes in the prefix form of RFC 7541 §5.1. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const size = [127];
  let rest = bytes.length - 127;
  for (; rest > 127; rest >>>= 7) size.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...size, rest]), bytes]);
}

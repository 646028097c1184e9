import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Numbers of requests whose responses fit into the buffers of both sides, and of requests whose responses do not. */
const [FEW, MANY] = [10, 1_500] as const;
const HEAD = 'POST /realms/demo/protocol/openid-connect/token HTTP/1.1\r\nhost: slow.test\r\n';
const FORM = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 10000\r\n\r\n';
const GET = 'GET /realms/demo/.well-known/openid-configuration HTTP/1.1\r\nhost: slow.test\r\n\r\n';

/** The behaviours of slow clients. */
export const SLOWNESS = ['headers', 'body', 'unread'] as const;
export type Slowness = (typeof SLOWNESS)[number];

/** A client that sends its headers or its body byte by byte, or requests a lot and reads nothing. */
export class SlowClient {
  readonly slowness: Slowness;
  readonly #asksForMuch: boolean;
  readonly #socket: Socket;
  readonly #since = performance.now();
  /** Milliseconds until the host closed the connection; undefined if it has not. */
  lasted: number | undefined;

  /** @param asksForMuch more responses than the system can buffer, so that the host must */
  constructor(port: number, slowness: Slowness, asksForMuch = false) {
    this.slowness = slowness;
    this.#asksForMuch = asksForMuch;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => {
      this.lasted ??= performance.now() - this.#since;
    });
    // Without reading, the end of the connection is not noticed.
    if (slowness !== 'unread') this.#socket.resume();
  }

  /** Sends its bytes until the connection ends. @param pauseMs between two bytes */
  async run(pauseMs: number, isOver: () => boolean): Promise<void> {
    if (this.slowness === 'unread') {
      this.#socket.pause();
      this.#socket.write(GET.repeat(this.#asksForMuch ? MANY : FEW));
      return;
    }
    this.#socket.write(this.slowness === 'body' ? `${HEAD}${FORM}` : HEAD);
    while (this.lasted === undefined && !isOver()) {
      this.#socket.write('a');
      await sleep(pauseMs);
    }
  }

  /**
   * Reads everything received. The end of the connection is behind that; it is missing if the host has not closed it.
   */
  read(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }
}

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the buffers of both sides hold, and what they do not. */
const [FEW, MANY] = [10, 1_500] as const;
const HEAD = 'POST /realms/demo/protocol/openid-connect/token HTTP/1.1\r\nhost: slow.test\r\n';
const FORM = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 10000\r\n\r\n';
const GET = 'GET /realms/demo/.well-known/openid-configuration HTTP/1.1\r\nhost: slow.test\r\n\r\n';

/** What a slow client does. */
export const SLOWNESS = ['headers', 'body', 'unread'] as const;
export type Slowness = (typeof SLOWNESS)[number];

/** A client that sends its headers or its body byte by byte, or asks for much and takes nothing of it. */
export class SlowClient {
  readonly slowness: Slowness;
  readonly #asksForMuch: boolean;
  readonly #socket: Socket;
  readonly #since = performance.now();
  /** Milliseconds until the host ended the connection; undefined while it has not. */
  lasted: number | undefined;

  /** @param asksForMuch more answers than the system keeps for it: the host has to */
  constructor(port: number, slowness: Slowness, asksForMuch = false) {
    this.slowness = slowness;
    this.#asksForMuch = asksForMuch;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => {
      this.lasted ??= performance.now() - this.#since;
    });
    // An end that is not read is not seen either.
    if (slowness !== 'unread') this.#socket.resume();
  }

  /** Sends what it sends, for as long as it may. @param pauseMs between two bytes */
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

  /** Takes what there is: the end of the connection is behind what was not read, and is not there where it was not ended. */
  read(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }
}

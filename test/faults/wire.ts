import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What is said when a transaction is to be kept. */
const COMMIT = 'COMMIT';
/** Prepared once for each connection, it goes by its name from then on. */
const COMMIT_NAMED = /(keyhost_\d+)\0COMMIT\0/g;

interface Connection {
  readonly host: Socket;
  readonly server: Socket;
  /** What the server was told to call COMMIT. */
  readonly names: Set<string>;
  /** It leads nowhere, and nobody is told. */
  isDead: boolean;
}

/** A network between a host and its database, which can be slow, fall silent, and break. */
export class Wire {
  /** In milliseconds, each way. */
  delay = 0;
  /** A connection is cut with this probability, each time that bytes come to it from the host. */
  drops = 0;
  /** A connection is cut where the host says this to the server. */
  cutAt: string | undefined;
  /** Whether what it is cut at still reaches the server, whose answer goes nowhere then. */
  cutsAnswer = true;
  /** Nobody is told of the cut: the connection stays, and leads nowhere. */
  cutsSilently = false;
  /** The probability of such a cut. */
  cutShare = 1;
  /** How often it has cut a connection. */
  cuts = 0;
  #isSilent = false;
  #isRefusing = false;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  private constructor(to: { host: string; port: number }) {
    this.#server = createServer((host) => this.#join(host, to));
  }

  static async to(server: { host: string; port: number }): Promise<Wire> {
    const wire = new Wire(server);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts at COMMIT from now on. */
  cutCommits(share: number): void {
    this.cutAt = COMMIT;
    this.cutShare = share;
  }

  /** Nothing comes through any more, and no connection ends: those of now never lead anywhere again. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const connection of this.#connections) connection.isDead = true;
  }

  /** All connections end, and no new one is made. */
  refuse(): void {
    this.#isRefusing = true;
    for (const { host } of this.#connections) host.resetAndDestroy();
  }

  /** New connections are as they should be. */
  mend(): void {
    this.delay = 0;
    this.drops = 0;
    this.cutAt = undefined;
    this.cutsSilently = false;
    this.#isSilent = false;
    this.#isRefusing = false;
  }

  close(): void {
    this.#server.close();
    for (const { host, server } of this.#connections) {
      host.destroy();
      server.destroy();
    }
  }

  #join(host: Socket, to: { host: string; port: number }): void {
    if (this.#isRefusing) {
      host.resetAndDestroy();
      return;
    }
    const server = connect(to.port, to.host);
    const connection: Connection = { host, server, names: new Set(), isDead: this.#isSilent };
    this.#connections.add(connection);
    for (const [socket, other] of [
      [host, server],
      [server, host],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (socket === host) this.#connections.delete(connection);
        // The end of a connection does not come through either.
        if (!connection.isDead || socket === host) other.destroy();
      });
    }
    const send = this.#sender(connection, server);
    host.on('data', (bytes) => this.#toServer(connection, bytes, send));
    const answer = this.#sender(connection, host);
    server.on('data', (bytes) => answer(bytes));
  }

  #toServer(connection: Connection, bytes: Buffer, send: (bytes: Buffer) => void): void {
    if (Math.random() < this.drops) {
      this.cuts += 1;
      connection.host.resetAndDestroy();
      return;
    }
    if (!this.#sees(connection, bytes)) {
      send(bytes);
      return;
    }
    this.cuts += 1;
    if (this.cutsSilently) connection.isDead = true;
    else if (this.cutsAnswer) {
      connection.server.removeAllListeners('data');
      connection.server.once('data', () => connection.host.resetAndDestroy());
      send(bytes);
    } else connection.host.resetAndDestroy();
  }

  #sees({ names }: Connection, bytes: Buffer): boolean {
    const text = bytes.toString('latin1');
    for (const [, name = ''] of text.matchAll(COMMIT_NAMED)) names.add(name);
    if (this.cutAt === undefined) return false;
    const isCommit = this.cutAt === COMMIT && [...names].some((name) => text.includes(`\0${name}\0`));
    return (isCommit || text.includes(this.cutAt)) && Math.random() < this.cutShare;
  }

  /** In order, however the delay changes meanwhile. */
  #sender(connection: Connection, to: Socket): (bytes: Buffer) => void {
    let last = Promise.resolve();
    return (bytes) => {
      if (connection.isDead) return;
      if (this.delay === 0) {
        last = last.then(() => void (connection.isDead || to.write(bytes)));
        return;
      }
      const due = new Promise((resolve) => setTimeout(resolve, this.delay));
      last = last.then(async () => {
        await due;
        if (!connection.isDead) to.write(bytes);
      });
    };
  }
}

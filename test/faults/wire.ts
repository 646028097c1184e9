import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The SQL that commits a transaction. */
const COMMIT = 'COMMIT';
/** Prepared once per connection, and then executed by this name. */
const COMMIT_NAMED = /(keyhost_\d+)\0COMMIT\0/g;

interface Connection {
  readonly host: Socket;
  readonly server: Socket;
  /** Names of prepared COMMIT statements. */
  readonly names: Set<string>;
  /** Cut without notifying either side. */
  isDead: boolean;
}

/** A simulated network between a host and its database, which can be slow, silent or broken. */
export class Wire {
  /** In milliseconds, in each direction. */
  delay = 0;
  /** Probability of cutting a connection for each chunk from the host. */
  drops = 0;
  /** Cuts a connection when the host sends this text. */
  cutAt: string | undefined;
  /** True if the text still reaches the server, and only its answer is lost. */
  cutsAnswer = true;
  /** Cuts silently: the connection remains open, but passes nothing. */
  cutsSilently = false;
  /** Probability of cutting at `cutAt`. */
  cutShare = 1;
  /** Number of connections cut. */
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

  /** Passes nothing any more, but closes no connection. Present connections never recover. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const connection of this.#connections) connection.isDead = true;
  }

  /** Closes all connections, and refuses new ones. */
  refuse(): void {
    this.#isRefusing = true;
    for (const { host } of this.#connections) host.resetAndDestroy();
  }

  /** Passes new connections normally again. */
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
        // The end of a connection is not passed on either.
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

  /** Preserves the order, even if the delay changes. */
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

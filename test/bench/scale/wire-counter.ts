import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Counts of the traffic to a PostgreSQL server. */
export interface WireCounts {
  /** Messages whose answer the host waited for. */
  readonly roundTrips: number;
  /** Statements, without those that begin and end transactions. */
  readonly statements: number;
  readonly commits: number;
}

export interface WireCounter {
  readonly port: number;
  /** The counts since its start. */
  counts(): WireCounts;
  close(): Promise<void>;
}

const TRANSACTION = /^(BEGIN|COMMIT|ROLLBACK|SET LOCAL)/;

/**
 * A proxy between hosts and a PostgreSQL server that counts what they send. Unencrypted, extended protocol only.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export async function startWireCounter(server: { readonly host: string; readonly port: number }): Promise<WireCounter> {
  const counted = { roundTrips: 0, statements: 0, commits: 0 };
  const sockets = new Set<Socket>();
  const proxy = createServer((host) => {
    const database = connect(server.port, server.host);
    const read = reader(counted);
    for (const socket of [host, database]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        host.destroy();
        database.destroy();
      });
    }
    host.on('data', (chunk: Buffer) => {
      read(chunk);
      database.write(chunk);
    });
    database.on('data', (chunk: Buffer) => host.write(chunk));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    counts: () => ({ ...counted }),
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A reader of one connection: messages may arrive in pieces. */
function reader(counted: { roundTrips: number; statements: number; commits: number }): (chunk: Buffer) => void {
  /** The text of each named statement. */
  const texts = new Map<string, string>();
  let bound = '';
  let rest = Buffer.alloc(0);
  let hasBegun = false;
  const take = (type: string, body: Buffer) => {
    if (type === 'P') {
      const [name = '', text = ''] = body.toString().split('\0');
      texts.set(name, text);
    } else if (type === 'B') bound = body.toString('latin1').split('\0')[1] ?? '';
    else if (type === 'S') counted.roundTrips += 1;
    else if (type === 'E') {
      const text = texts.get(bound) ?? '';
      if (text === 'COMMIT') counted.commits += 1;
      if (!TRANSACTION.test(text)) counted.statements += 1;
    }
  };
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message of a connection has no type.
      const start = hasBegun ? 1 : 0;
      if (rest.length < start + 4) return;
      const end = start + rest.readInt32BE(start);
      if (rest.length < end) return;
      if (hasBegun) take(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end));
      hasBegun = true;
      rest = rest.subarray(end);
    }
  };
}

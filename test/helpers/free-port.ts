import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems use for connections and for listeners on port 0 (Linux from 32768, others from 49152).
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/** A port that is free now, and that the system does not assign automatically. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

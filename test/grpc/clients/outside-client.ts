import { execFile } from 'node:child_process';
import type { ExecutionContext } from 'ava';
import { edited } from '../../helpers/forge.js';
import type { TestHost } from '../../helpers/host.js';
import { addressOf, BEARER, booksHost, pem, readerToken, SERVER_TLS } from './books-hosts.js';

/** A client's report of a call: a unary one has a message, or null for none; a stream has messages. */
export interface Told {
  readonly code: string;
  readonly details?: string;
  readonly message?: Readonly<Record<string, unknown>> | null;
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
}

export interface OutsideRun {
  /** By the names that the clients give their calls. */
  readonly told: Readonly<Record<string, Told>>;
  readonly plain: TestHost;
}

/**
 * Starts a host for each way to be called, and runs a client program on all of them.
 * @param program the command and its first arguments
 */
export async function runOutsideClient(
  t: Pick<ExecutionContext, 'teardown'>,
  program: readonly string[],
): Promise<OutsideRun> {
  const [plain, bearer, tls, mutual] = await Promise.all([
    booksHost(t),
    booksHost(t, [], BEARER),
    booksHost(t, SERVER_TLS),
    booksHost(t, [...SERVER_TLS, '--grpc-client-ca-file', pem('ca')]),
  ]);
  const good = await readerToken(bearer, 'books');
  const given = {
    plain: addressOf(plain),
    bearer: addressOf(bearer),
    tls: addressOf(tls),
    mutual: addressOf(mutual),
    good,
    wrong: edited(good, { scope: 'books everything' }),
    unscoped: await readerToken(bearer, ''),
    ca: pem('ca'),
    otherCa: pem('other-ca'),
    certificate: pem('client'),
    key: pem('client-key'),
    strangerCertificate: pem('stranger'),
    strangerKey: pem('stranger-key'),
  };
  const output = await execute([...program, ...Object.entries(given).map(([name, value]) => `${name}=${value}`)]);
  return { told: JSON.parse(output) as OutsideRun['told'], plain };
}

/** @returns the standard output @throws Error with both outputs when the program fails or takes two minutes */
export function execute([file = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { timeout: 110_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      // Its message is the whole command line, tokens and all.
      else reject(new Error(`${file} ended with ${error.code ?? error.signal}:\n${stdout}\n${stderr}`));
    });
  });
}

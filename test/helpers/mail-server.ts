import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a mail program shows it. */
export interface ReceivedMail {
  /** From the SMTP commands. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** By lower-case name, decoded and on one line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  /** The first address in the text. */
  readonly link: string;
}

export interface MailServer {
  /** A realm's `smtpServer`. */
  readonly settings: Record<string, string>;
  readonly received: readonly ReceivedMail[];
  /** The mail with that index, once it was received. */
  mail(index: number): Promise<ReceivedMail>;
}

/**
 * A real SMTP server on loopback. It outlives the test, until the end of the process, since a shared host may still be
 * sending mails.
 */
export async function startMailServer(
  t: Pick<ExecutionContext, 'teardown'>,
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
        received.push({ envelope, ...readMail(Buffer.concat(chunks)) });
        done();
        for (const wake of waiting.splice(0)) wake();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.teardown(() => void server.server.unref());
  const port = String((server.server.address() as AddressInfo).port);
  return {
    settings: { host: '127.0.0.1', port, from: 'id@keyhost.test', fromDisplayName: 'Demo & Söhne' },
    received,
    async mail(index) {
      for (;;) {
        const found = received[index];
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

/** Reads a message of two alternatives, as RFC 5322, 2045 and 2047 write it. */
export function readMail(raw: Buffer): Omit<ReceivedMail, 'envelope'> {
  const { headers, body } = entity(raw.toString('latin1'));
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => entity(part.replace(/^\r\n/, '')));
  const ofType = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return part === undefined ? '' : decoded(part.body, part.headers['content-transfer-encoding'] ?? '');
  };
  const text = ofType('text/plain');
  return { headers, text, html: ofType('text/html'), link: /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '' };
}

function entity(source: string): { headers: Record<string, string>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      words(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  );
  return { headers, body: source.slice(end + 4) };
}

function words(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decoded(text.replaceAll('_', ' '), 'quoted-printable'),
    );
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n');
  const bytes =
    encoding === 'quoted-printable'
      ? body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : body;
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}

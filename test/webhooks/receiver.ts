import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly id: string;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Record<string, never> };
}

export type Answers = (received: Received, response: ServerResponse) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Its behaviour from now on. */
  answer: Answers;
}

export const accept: Answers = (_, response) => void response.writeHead(204).end();
export const refuse: Answers = (_, response) => void response.writeHead(500).end('not today');

/** An endpoint that records its requests. */
export async function startReceiver(
  t: Pick<ExecutionContext, 'teardown'>,
  answer: Answers = accept,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { headers, url: path = '' } = request;
    const one = { path, headers, text, id: String(headers['webhook-id']), body: JSON.parse(text) };
    received.push(one);
    receiver.answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, port, received, answer };
  return receiver;
}

/** The payload, verified with the library of Standard Webhooks. @throws its error if the signature is wrong */
export function verified(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}

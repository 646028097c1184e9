import type { IncomingMessage } from 'node:http';
import { HostError, type OutboundAnswer, type OutboundRequest } from '@keyhost/spi';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { messageOf } from '../../model/thrown.js';
import { AddressRefusedError, outboundMessage } from './outbound-request.js';

/** Default and maximum timeout in seconds. The maximum is that of a provider's call. */
const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 30;
const DEFAULT_MAX_BYTES = 64 * 1024;
const MAX_BYTES = 1024 * 1024;

/**
 * Calls `end` after this number of seconds.
 * @returns a function that cancels the alarm
 */
export type OutboundAlarm = (seconds: number, end: () => void) => () => void;

export const outboundAlarm: OutboundAlarm = (seconds, end) => {
  const timer = setTimeout(end, seconds * 1000);
  return () => clearTimeout(timer);
};

/**
 * Implements `session.outbound.request`. The rules are those of `outboundMessage`, with http to private addresses only.
 * @param signal aborts the request
 * @param alarm aborts the request after its timeout
 * @throws HostError `outbound_refused`, `outbound_timeout`, `outbound_failed`, `invalid_argument`
 */
export async function pluginRequest(
  { url, method, headers = {}, body, timeout = DEFAULT_TIMEOUT_SECONDS, maxBytes = DEFAULT_MAX_BYTES }: OutboundRequest,
  {
    signal,
    privateNetworks,
    alarm,
  }: { readonly signal: AbortSignal; readonly privateNetworks: PrivateNetworks; readonly alarm: OutboundAlarm },
): Promise<OutboundAnswer> {
  if (!URL.canParse(url)) throw invalidArgument(`${url} is not a URL`);
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS))
    throw invalidArgument(`timeout must be above 0 and at most ${MAX_TIMEOUT_SECONDS}`);
  if (!(Number.isInteger(maxBytes) && maxBytes >= 0 && maxBytes <= MAX_BYTES))
    throw invalidArgument(`maxBytes must be from 0 to ${MAX_BYTES}`);
  const abortion = new AbortController();
  const end = () => abortion.abort();
  const cancelAlarm = alarm(timeout, end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const message = await outboundMessage(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      body,
      signal: abortion.signal,
      privateNetworks,
      isPlainForPrivate: true,
    });
    return { status: message.statusCode ?? 0, headers: joinHeaders(message), ...(await readStart(message, maxBytes)) };
  } catch (cause) {
    if (signal.aborted) throw requestFailed('the session has ended', cause);
    if (abortion.signal.aborted) {
      throw new HostError('outbound_timeout', `no complete response within ${timeout} s`, { status: 504, cause });
    }
    if (cause instanceof AddressRefusedError)
      throw new HostError('outbound_refused', cause.message, { status: 502, cause });
    if (cause instanceof TypeError) throw invalidArgument(messageOf(cause), cause);
    throw requestFailed(messageOf(cause), cause);
  } finally {
    cancelAlarm();
    signal.removeEventListener('abort', end);
  }
}

async function readStart(message: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return { body: new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes)), truncated: length > maxBytes };
}

function joinHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function invalidArgument(message: string, cause?: unknown): HostError {
  return new HostError('invalid_argument', `outbound.request: ${message}`, { cause });
}

function requestFailed(message: string, cause: unknown): HostError {
  return new HostError('outbound_failed', message, { status: 502, cause });
}

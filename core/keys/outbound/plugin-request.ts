import type { IncomingMessage } from 'node:http';
import { HostError, type OutboundAnswer, type OutboundRequest } from '@keyhost/spi';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { messageOf } from '../../model/thrown.js';
import { outboundMessage, RefusedAddress } from './outbound-request.js';

/** Default timeout in seconds, and its maximum: that of a provider's call. */
const TIMEOUT = 10;
const LONGEST_TIMEOUT = 30;
const READ_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;

/** Calls `end` after `seconds`. @returns a function that cancels this */
export type OutboundAlarm = (seconds: number, end: () => void) => () => void;

export const outboundAlarm: OutboundAlarm = (seconds, end) => {
  const timer = setTimeout(end, seconds * 1000);
  return () => clearTimeout(timer);
};

/**
 * Implements `session.outbound.request`: the rules of `outboundMessage`, with http to private addresses only.
 * @param signal aborts the request
 * @param alarm aborts it after its timeout
 * @throws HostError `outbound_refused`, `outbound_timeout`, `outbound_failed`, `invalid_argument`
 */
export async function pluginRequest(
  { url, method, headers = {}, body, timeout = TIMEOUT, maxBytes = READ_BYTES }: OutboundRequest,
  {
    signal,
    privateNetworks,
    alarm,
  }: { readonly signal: AbortSignal; readonly privateNetworks: PrivateNetworks; readonly alarm: OutboundAlarm },
): Promise<OutboundAnswer> {
  if (!URL.canParse(url)) throw invalid(`${url} is not a URL`);
  if (!(timeout > 0 && timeout <= LONGEST_TIMEOUT))
    throw invalid(`timeout must be above 0 and at most ${LONGEST_TIMEOUT}`);
  if (!(Number.isInteger(maxBytes) && maxBytes >= 0 && maxBytes <= MOST_BYTES))
    throw invalid(`maxBytes must be from 0 to ${MOST_BYTES}`);
  const ending = new AbortController();
  const end = () => ending.abort();
  const inTime = alarm(timeout, end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const message = await outboundMessage(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      body,
      signal: ending.signal,
      privateNetworks,
      isPlainForPrivate: true,
    });
    return { status: message.statusCode ?? 0, headers: namedOnce(message), ...(await readStart(message, maxBytes)) };
  } catch (cause) {
    if (signal.aborted) throw failed('the session has ended', cause);
    if (ending.signal.aborted) {
      throw new HostError('outbound_timeout', `no complete response within ${timeout} s`, { status: 504, cause });
    }
    if (cause instanceof RefusedAddress) throw new HostError('outbound_refused', cause.message, { status: 502, cause });
    if (cause instanceof TypeError) throw invalid(messageOf(cause), cause);
    throw failed(messageOf(cause), cause);
  } finally {
    inTime();
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

function namedOnce({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function invalid(message: string, cause?: unknown): HostError {
  return new HostError('invalid_argument', `outbound.request: ${message}`, { cause });
}

function failed(message: string, cause: unknown): HostError {
  return new HostError('outbound_failed', message, { status: 502, cause });
}

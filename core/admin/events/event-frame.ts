/** A comment line that shows proxies and clients that the connection is alive. */
export const HEARTBEAT = ':\n\n';
/** The first message: the delay before a client reconnects, in milliseconds. */
export const RETRY = 'retry: 2000\n\n';

/**
 * Formats a message of `text/event-stream` (WHATWG HTML §9.2).
 * @param data JSON without line breaks
 * @param id the value that a client sends when it reconnects, to continue after this message
 */
export function formatMessage(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** A comment: what is between knows by it that the connection lives. */
export const HEARTBEAT = ':\n\n';
/** The first words: how long a client waits before it comes back, in milliseconds. */
export const RETRY = 'retry: 2000\n\n';

/**
 * One message of `text/event-stream` (WHATWG HTML §9.2).
 * @param data JSON, which has no line breaks of its own
 * @param id what a client says when it comes back, to go on after this message
 */
export function frame(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

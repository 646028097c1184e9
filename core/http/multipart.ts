import type { IncomingMessage } from 'node:http';
import { HostError } from '@keyhost/spi';
import { mediaType, readBody } from './form.js';

/** The fields of a form by name: strings, and files as buffers. The last of several equal names counts. */
export type MultipartForm = ReadonlyMap<string, string | Buffer>;

/**
 * Reads a `multipart/form-data` body (RFC 7578) with Node's parser, entirely into memory.
 * @throws HostError 415 for another content type, 413 beyond 256 KiB, 400 for an invalid body
 */
export async function readMultipart(request: IncomingMessage): Promise<MultipartForm> {
  const contentType = request.headers['content-type'] ?? '';
  if (mediaType(contentType) !== 'multipart/form-data') {
    throw new HostError('invalid_request', 'Content type must be multipart/form-data', { status: 415 });
  }
  if (!['', 'identity'].includes(request.headers['content-encoding'] ?? '')) {
    throw new HostError('invalid_request', 'Compressed bodies are not supported', { status: 415 });
  }
  const body = await readBody(request);
  let parts: FormData;
  try {
    parts = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw new HostError('invalid_request', 'The body is not multipart/form-data', { status: 400, cause });
  }
  const form = new Map<string, string | Buffer>();
  for (const [name, value] of parts) {
    form.set(name, typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()));
  }
  return form;
}

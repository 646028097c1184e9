import { ActionTokenHandler, GrpcService, HostError, RealmResourceProvider } from '@keyhost/spi';
import type { RegisteredProvider } from '../loading/opened-plugin.js';
import { notCloneable, uncloneable, unjsonable } from './cloneable.js';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What HTTP allows in a header's value (RFC 9110 §5.5). */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Judges what a plugin's provider answered before the call counts as a good one.
 * @throws HostError `not_cloneable` or `provider_shape` (500), naming the plugin, the method and the member
 */
export function checkAnswer({ spi, id, plugin }: RegisteredProvider, method: string, answer: unknown): void {
  // The codec of gRPC looks at every field itself.
  if (spi.id === GrpcService.id) return;
  const what = `${plugin.name}: ${spi.id}/${id} answered ${method} with`;
  const part = uncloneable(answer);
  if (part !== undefined) throw notCloneable(`${what} ${part}`);
  if (spi.id !== RealmResourceProvider.id && (spi.id !== ActionTokenHandler.id || method !== 'handle')) return;
  const wrong = wrongResponse(answer);
  if (wrong !== undefined) throw new HostError('provider_shape', `${what} ${wrong}`);
}

/** What is wrong with a ResourceResponse; an ActionTokenInfo is none, and its room reads it. */
function wrongResponse(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return 'no response: { status, headers, body }';
  const { status, headers, body, info } = answer as Record<string, unknown>;
  if (info !== undefined) return undefined;
  if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599)) {
    return `status ${String(status)}: it must be a number from 200 to 599`;
  }
  if (headers !== undefined && (typeof headers !== 'object' || headers === null)) return 'headers that are no object';
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!HEADER_NAME.test(name) || typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return `a header "${name}" that HTTP cannot carry`;
    }
  }
  const part = body instanceof Uint8Array ? undefined : unjsonable(body, 'body');
  return part === undefined ? undefined : `${part}: JSON has none`;
}

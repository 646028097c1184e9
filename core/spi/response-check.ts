import { wrongHeaders } from './response-headers.js';

/** What is wrong with a ResourceResponse; undefined when HTTP can carry it and a plugin may say it. */
export function wrongResponse(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return 'no response: { status, headers, body }';
  const { status, headers, body } = answer as Record<string, unknown>;
  if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599)) {
    return `status ${String(status)}: it must be a number from 200 to 599`;
  }
  const wrong = wrongHeaders(headers);
  if (wrong !== undefined) return wrong;
  const part = body instanceof Uint8Array ? undefined : unjsonable(body, 'body');
  return part === undefined ? undefined : `${part}: not allowed in JSON`;
}

/**
 * Finds a part that a structured clone can carry and JSON cannot: a bigint is an error there, and a Map becomes `{}` in silence. A
 * Date becomes its text, and undefined members are left out.
 * @param path what the value is called
 * @returns the place and the kind of the first such part, such as `body.total, a bigint`
 */
export function unjsonable(value: unknown, path: string): string | undefined {
  if (typeof value === 'bigint') return `${path}, a bigint`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined;
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    const { name } = value.constructor;
    return `${path}, ${name.startsWith('A') ? 'an' : 'a'} ${name}`;
  }
  for (const [name, part] of Object.entries(value)) {
    const found = unjsonable(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

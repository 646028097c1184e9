import { wrongHeaders } from './response-headers.js';

/** Describes the mistake in a ResourceResponse; undefined if it is valid in HTTP and allowed for plugins. */
export function responseProblem(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return 'no response: { status, headers, body }';
  const { status, headers, body } = answer as Record<string, unknown>;
  if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599)) {
    return `status ${String(status)}: it must be a number from 200 to 599`;
  }
  const headersProblem = wrongHeaders(headers);
  if (headersProblem !== undefined) return headersProblem;
  const nonJson = body instanceof Uint8Array ? undefined : findNonJson(body, 'body');
  return nonJson === undefined ? undefined : `${nonJson}: not allowed in JSON`;
}

/**
 * Finds a bigint, a Map, a Set or binary data, which structured clone can copy and JSON cannot represent. A Date is
 * allowed, since it becomes a string, and so are undefined members, which are left out.
 * @param path the name of the value
 * @returns the position and type of the first such value, such as `body.total, a bigint`
 */
export function findNonJson(value: unknown, path: string): string | undefined {
  if (typeof value === 'bigint') return `${path}, a bigint`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined;
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    const { name } = value.constructor;
    return `${path}, ${name.startsWith('A') ? 'an' : 'a'} ${name}`;
  }
  for (const [name, part] of Object.entries(value)) {
    const nonJson = findNonJson(part, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
    if (nonJson !== undefined) return nonJson;
  }
  return undefined;
}

import { isDeepStrictEqual } from 'node:util';
import type { JsonPath } from '../config/json/json-document.js';
import { AdminError, badRequest } from './admin.js';
import type { AdminOperation } from './operation.js';

/**
 * One of Keycloak's representations that is read strictly: a member that neither Keycloak nor Keyhost has is refused.
 */
export interface StrictRepresentation {
  /** Keycloak's name for it. */
  readonly name: string;
  readonly members: ReadonlySet<string>;
  /** Members that contain representations, one or a list. Undefined as a value means this representation itself. */
  readonly inner: Readonly<Record<string, StrictRepresentation | undefined>>;
  /**
   * Texts that exceed Keycloak's column if they are longer than `LONGEST`. Existing longer texts from files may stay.
   */
  readonly short: readonly string[];
}

/** Maximum length of a name or a description, in characters. */
const LONGEST = 255;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Unknown {
  readonly name: string;
  readonly path: JsonPath;
}

/**
 * @param kept the resource as a GET of the same path shows it. Realm files may contain unknown members, and these may
 * be sent back
 * @throws AdminError 400 with Keycloak's text
 */
export async function requireKnownMembers(
  { strict, body: schema = {} }: Pick<AdminOperation, 'strict' | 'body'>,
  body: unknown,
  kept: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const unknown = strict === undefined ? [] : unknownMembers(strict, schema as Schema, body, []);
  if (unknown.length === 0) return;
  const before = await kept();
  const refused = unknown.find(({ path: [top = '', ...inner] }) => {
    const isKept = Object.hasOwn(before, top);
    return !isKept || (inner.length > 0 && !isDeepStrictEqual((body as typeof before)[top], before[top]));
  });
  if (refused === undefined) return;
  const field = JSON.stringify(String(refused.path.at(-1)).slice(0, 64));
  throw new AdminError(400, { error: `Invalid json representation for ${refused.name}. Unrecognized field ${field}` });
}

/**
 * @param kept as for `requireKnownMembers`: an existing long text may be sent back
 * @throws AdminError 400
 */
export async function requireShortTexts(
  { strict }: Pick<AdminOperation, 'strict'>,
  body: unknown,
  kept: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (member: string) => (typeof sent[member] === 'string' ? sent[member] : '');
  const long = (strict?.short ?? []).filter((member) => [...textOf(member)].length > LONGEST);
  if (long.length === 0) return;
  const before = await kept();
  const refused = long.find((member) => before[member] !== sent[member]);
  if (refused !== undefined) throw badRequest(`${refused}: must have at most ${LONGEST} characters`);
}

function unknownMembers(strict: StrictRepresentation, schema: Schema, value: unknown, path: JsonPath): Unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => unknownMembers(strict, schema.items ?? {}, one, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = schema;
  return Object.entries(value).flatMap(([member, one]) => {
    const at = [...path, member];
    const ours = Object.hasOwn(properties, member) ? properties[member] : undefined;
    if (ours === undefined && !strict.members.has(member)) return [{ name: strict.name, path: at }];
    if (!Object.hasOwn(strict.inner, member)) return [];
    return unknownMembers(strict.inner[member] ?? strict, ours ?? {}, one, at);
  });
}

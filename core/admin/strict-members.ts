import { isDeepStrictEqual } from 'node:util';
import type { JsonPath } from '../config/json/json-document.js';
import { AdminError, badRequest } from './admin.js';
import type { AdminOperation } from './operation.js';

/** A Keycloak representation that is validated strictly: members that neither Keycloak nor Keyhost has are rejected. */
export interface StrictRepresentation {
  /** Keycloak's name for it. */
  readonly name: string;
  readonly members: ReadonlySet<string>;
  /**
   * Members that contain representations, single or in a list. The value is the inner representation; undefined if it
   * is of the same type as this one.
   */
  readonly inner: Readonly<Record<string, StrictRepresentation | undefined>>;
  /** Members that Keycloak limits to `MAX_LENGTH` characters. Longer texts that come from realm files may stay. */
  readonly shortTexts: readonly string[];
}

/** Maximum length of a name or a description, in characters. */
const MAX_LENGTH = 255;

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface UnknownMember {
  readonly name: string;
  readonly path: JsonPath;
}

/**
 * Rejects unknown members.
 * @param readCurrent returns the resource as a GET of the same path does. Realm files may contain unknown members, and
 * clients may send these back
 * @throws AdminError 400 with Keycloak's text
 */
export async function requireKnownMembers(
  { strict, body: schema = {} }: Pick<AdminOperation, 'strict' | 'body'>,
  body: unknown,
  readCurrent: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const unknown = strict === undefined ? [] : unknownMembers(strict, schema as Schema, body, []);
  if (unknown.length === 0) return;
  const currentResource = await readCurrent();
  const rejectedMember = unknown.find(({ path: [top = '', ...inner] }) => {
    const isStored = Object.hasOwn(currentResource, top);
    return (
      !isStored || (inner.length > 0 && !isDeepStrictEqual((body as typeof currentResource)[top], currentResource[top]))
    );
  });
  if (rejectedMember === undefined) return;
  const field = JSON.stringify(String(rejectedMember.path.at(-1)).slice(0, 64));
  throw new AdminError(400, {
    error: `Invalid json representation for ${rejectedMember.name}. Unrecognized field ${field}`,
  });
}

/**
 * Rejects texts that are too long.
 * @param readCurrent as for `requireKnownMembers`: an existing long text may be sent back
 * @throws AdminError 400
 */
export async function requireShortTexts(
  { strict }: Pick<AdminOperation, 'strict'>,
  body: unknown,
  readCurrent: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (member: string) => (typeof members[member] === 'string' ? members[member] : '');
  const longMembers = (strict?.shortTexts ?? []).filter((member) => [...textOf(member)].length > MAX_LENGTH);
  if (longMembers.length === 0) return;
  const currentResource = await readCurrent();
  const rejectedMember = longMembers.find((member) => currentResource[member] !== members[member]);
  if (rejectedMember !== undefined) throw badRequest(`${rejectedMember}: must have at most ${MAX_LENGTH} characters`);
}

function unknownMembers(strict: StrictRepresentation, schema: Schema, value: unknown, path: JsonPath): UnknownMember[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unknownMembers(strict, schema.items ?? {}, item, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = schema;
  return Object.entries(value).flatMap(([member, item]) => {
    const memberPath = [...path, member];
    const memberSchema = Object.hasOwn(properties, member) ? properties[member] : undefined;
    if (memberSchema === undefined && !strict.members.has(member)) return [{ name: strict.name, path: memberPath }];
    if (!Object.hasOwn(strict.inner, member)) return [];
    return unknownMembers(strict.inner[member] ?? strict, memberSchema ?? {}, item, memberPath);
  });
}

import type { JsonPath } from '../../config/json/json-document.js';
import { isObject, ownMember } from '../../realms/comparison/json.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { byKey, memberShape, type Shape, VALUE } from '../../realms/comparison/shape.js';
import { changedAddress } from '../secrets-for-new-address.js';

/** The value in a realm file, or in the live realm, at the same position as a text of a document. */
export interface Counterpart {
  /** The text in the document. */
  readonly sent: string;
  readonly text: string | undefined;
  /** The address in the same object, if the document changes it. */
  readonly changedAddress: string | undefined;
}

type OnCounterpart = (path: JsonPath, counterpart: Counterpart) => void;

/** Members whose objects can contain a secret and the address to which it is sent, with the depth of these objects. */
const CONNECTION_DEPTHS: Readonly<Record<string, number>> = {
  smtpServer: 1,
  identityProviders: 2,
  identityProviderMappers: 2,
  authenticatorConfig: 2,
  requiredActions: 2,
  components: 3,
  providers: 3,
};

const USERS = byKey('username', VALUE);

/**
 * Compares a document with the file of the same realm, or with the live realm, by position. Items of lists are matched
 * by name only, because the author of a document can choose any ID.
 * @param onCounterpart called for every text of the document
 */
export function forEachCounterpart(document: unknown, file: unknown, onCounterpart: OnCounterpart): void {
  compareTexts(REALM_SHAPE, document, file, [], undefined, onCounterpart);
}

function compareTexts(
  shape: Shape,
  value: unknown,
  fileValue: unknown,
  path: JsonPath,
  outerAddress: string | undefined,
  onCounterpart: OnCounterpart,
): void {
  const isConnection = CONNECTION_DEPTHS[String(path[0])] === path.length;
  const newAddress = isConnection ? changedAddress(fileValue, value) : outerAddress;
  if (typeof value === 'string')
    onCounterpart(path, {
      sent: value,
      text: typeof fileValue === 'string' ? fileValue : undefined,
      changedAddress: newAddress,
    });
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      compareTexts(
        itemShape(shape),
        item,
        findCounterpart(shape, item, index, value, fileValue),
        [...path, index],
        newAddress,
        onCounterpart,
      );
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const inner = path.length === 0 && key === 'users' ? USERS : memberShape(shape, key);
      compareTexts(
        inner,
        member,
        isObject(fileValue) ? ownMember(fileValue, key) : undefined,
        [...path, key],
        newAddress,
        onCounterpart,
      );
    }
  }
}

function itemShape(shape: Shape): Shape {
  return shape.kind === 'items' ? shape.of : memberShape(shape, '');
}

/** Finds the counterpart of an item by its name. An item with a duplicate name has none. */
function findCounterpart(
  shape: Shape,
  item: unknown,
  index: number,
  items: readonly unknown[],
  fileItems: unknown,
): unknown {
  if (!Array.isArray(fileItems)) return undefined;
  if (shape.kind !== 'items') return fileItems[index];
  if (!isObject(item)) return undefined;
  const name = shape.nameOf(item);
  const withSameName = (list: readonly unknown[]) =>
    list.filter((candidate) => isObject(candidate) && shape.nameOf(candidate) === name);
  const [match, duplicate] = withSameName(fileItems);
  return typeof name === 'string' && duplicate === undefined && withSameName(items).length === 1 ? match : undefined;
}

import { isMask } from '../../model/mask.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';

/*
 * An export that hides secrets writes ten asterisks in their place. Read as values, they would be passwords that everybody
 * knows.
 */

/** Members whose texts may each be a secret, whatever they are called. */
const HOLD_SECRETS: ReadonlySet<string> = new Set(['config', 'attributes', 'smtpServer', 'credentials']);

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly path: JsonPath;
}

export interface TakenOut {
  readonly path: JsonPath;
  /** What becomes of it. */
  readonly message: string;
}

/**
 * Takes the masked secrets out of a realm, so that they count as not stated: a realm that is there keeps its own. Those of
 * `providers` stay, for `maskMistakes`: their schemas may ask for them, and their lists do not tell which secret is whose.
 * Masked keys are refused by whoever reads keys: another key in their place would end every session.
 * @param realm changed in place; its shape is right
 * @param leftOut gets the indexes of credentials that go, by the path of their list
 */
export function withoutMasks(
  realm: RealmRepresentation,
  leftOut: Map<string, readonly number[]> = new Map(),
): TakenOut[] {
  const taken: TakenOut[] = [];
  const credentials = new Map<unknown, { path: JsonPath; gone: number[] }>();
  for (const { holder, key, path } of masksOf(realm)) {
    if (path[0] === 'providers') continue;
    if (path[0] !== 'users' || path[2] !== 'credentials') {
      delete holder[key];
      taken.push({ path, message: isClientSecret(path) ? CLIENT_SECRET : OTHER_SECRET });
      continue;
    }
    const list = credentials.get(path[1]) ?? { path: path.slice(0, 3), gone: [] };
    credentials.set(path[1], list);
    if (list.gone.includes(Number(path[3]))) continue;
    list.gone.push(Number(path[3]));
    taken.push({ path: path.slice(0, 4), message: CREDENTIAL });
  }
  for (const [index, { path, gone }] of credentials) {
    const user = realm.users?.[Number(index)];
    if (user === undefined) continue;
    user.credentials = user.credentials?.filter((_, at) => !gone.includes(at)) ?? [];
    leftOut.set(JSON.stringify(path), gone);
  }
  return taken;
}

/** Masked secrets that nothing stands in for. */
export function maskMistakes(realm: RealmRepresentation): SchemaProblem[] {
  const message = 'is masked: write the secret, or refer to it, such as "${env.MY_SECRET}"';
  return [...masksOf(realm)].map(({ path }) => ({ path, message }));
}

const CREDENTIAL = 'is masked, and left out: a new user is created without it, and a user who is there keeps theirs';
const CLIENT_SECRET = 'is masked, and left out: the client keeps the secret that it has, or gets a new one';
const OTHER_SECRET = 'is masked, and left out: the realm keeps what it has here; a new realm has nothing';

/** Where masks stand in the place of secrets, but for those of keys; a list of masks alone is one, since components write lists. */
function* masksOf(node: unknown, path: JsonPath = [], isWithin = false): Generator<Place> {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as Record<string, unknown>;
  for (const [key, member] of Object.entries(holder)) {
    if (key === KEY_PROVIDER) continue;
    if (typeof member !== 'object' && !isMask(member)) continue;
    const at = [...path, Array.isArray(node) ? Number(key) : key];
    const isOne = isMask(member) || (Array.isArray(member) && member.length > 0 && member.every(isMask));
    if (!isOne) yield* masksOf(member, at, isWithin || HOLD_SECRETS.has(key));
    else if (isWithin || isSecretName(key)) yield { holder, key, path: at };
  }
}

function isClientSecret(path: JsonPath): boolean {
  return path.length === 3 && path[0] === 'clients' && path[2] === 'secret';
}

import type { Json } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import { recentEntries } from '../model/recent-entries.js';
import type { RequestedClaims } from './requested-claims.js';

/** Keycloak's client session note: the level that the login has reached. */
export const LEVEL_NOTE = 'level-of-authentication';
/** The level of a login whose flow has no levels. */
export const PLAIN_LEVEL = 1;
/** The level of an acr that the realm does not know. No flow reaches it. */
const UNREACHABLE_LEVEL = Number.MAX_SAFE_INTEGER;

/** The level that a request requires of a login (Keycloak's AcrUtils). */
export interface WantedLevel {
  /** The level that the flow tries to reach. */
  readonly wanted: number;
  /** The request fails if the login is below this level; absent: any level is accepted. */
  readonly least?: number;
}

/** The level of an acr, by its name or as a number; undefined if it is unknown. */
function levelOf(realm: Realm, client: Client, acr: string): number | undefined {
  const map = levelMapOf(realm, client);
  if (Object.hasOwn(map, acr)) return map[acr];
  return /^\d{1,9}$/.test(acr) ? Number(acr) : undefined;
}

/** The acr of a level in tokens. */
function acrOf(realm: Realm, client: Client, level: number): string {
  const levels = levelMapOf(realm, client);
  for (const name in levels) if (levels[name] === level) return name;
  return String(level);
}

/**
 * The acr of a login (Keycloak's AcrProtocolMapper). It is the highest requested value that the login has reached,
 * because an essential `acr` must be one of them (OpenID Connect Core §5.5.1.1). If the login has reached none, it is
 * the name of its level.
 */
export function acrOfLogin(
  realm: Realm,
  client: Client,
  level: number,
  requestedAcrs: readonly Json[] | null | undefined,
): string {
  let best: { readonly name: string; readonly level: number } | undefined;
  for (const name of requestedAcrs ?? []) {
    const candidateLevel = typeof name === 'string' ? levelOf(realm, client, name) : undefined;
    if (candidateLevel === undefined || candidateLevel > level || (best !== undefined && candidateLevel <= best.level))
      continue;
    best = { name: String(name), level: candidateLevel };
  }
  return best?.name ?? acrOf(realm, client, level);
}

/** The realm's names of levels, and these levels as numbers if they have no name. */
export function acrValues(realm: Realm, levels: readonly number[]): string[] {
  const map = parseLevels(realm.settings.acrLevels);
  const namedLevels = Object.values(map);
  return [...Object.keys(map), ...levels.filter((level) => !namedLevels.includes(level)).map(String)];
}

/**
 * The requested level: an essential `acr`, else a voluntary one, else `acr_values`, else the client's
 * `default.acr.values`. The lowest of several values is sufficient. Never below the client's `minimum.acr.value`.
 */
export function wantedLevel(
  realm: Realm,
  client: Client,
  { essentialAcr, voluntaryAcr = [] }: Partial<RequestedClaims> = {},
  acrValues = '',
): WantedLevel | undefined {
  const lowestLevel = (names: readonly string[]) => {
    const levels = names.map((name) => levelOf(realm, client, name)).filter((level) => level !== undefined);
    return levels.length === 0 ? undefined : Math.min(...levels);
  };
  const { minimumAcr: minimum, defaultAcrs: defaults } = client.settings;
  const minimums = [
    ...(minimum === '' ? [] : [levelOf(realm, client, minimum) ?? UNREACHABLE_LEVEL]),
    ...(essentialAcr === undefined ? [] : [lowestLevel(essentialAcr) ?? UNREACHABLE_LEVEL]),
  ];
  const requestedNames = [voluntaryAcr, acrValues.split(' '), defaults.split('##')].map((names) =>
    names.filter((name) => name),
  );
  const requestedLevel =
    essentialAcr === undefined ? lowestLevel(requestedNames.find((names) => names.length > 0) ?? []) : undefined;
  if (minimums.length === 0) return requestedLevel === undefined ? undefined : { wanted: requestedLevel };
  const least = Math.max(...minimums);
  return { wanted: Math.max(least, requestedLevel ?? least), least };
}

/** The requested acr values, or else the client's defaults, as Keycloak's policies see them. */
export function wantedAcrs(
  client: Client,
  { essentialAcr = [], voluntaryAcr = [] }: Partial<RequestedClaims> = {},
  acrValues = '',
): readonly string[] {
  const candidates = [
    [...essentialAcr, ...voluntaryAcr],
    acrValues.split(' '),
    client.settings.defaultAcrs.split('##'),
  ];
  return candidates.map((names) => names.filter((name) => name)).find((names) => names.length > 0) ?? [];
}

function levelMapOf(realm: Realm, client: Client): Readonly<Record<string, number>> {
  const clientLevels = parseLevels(client.settings.acrLevels);
  return clientLevels === NO_LEVELS ? parseLevels(realm.settings.acrLevels) : clientLevels;
}

const NO_LEVELS: Readonly<Record<string, number>> = Object.freeze({});
/** Cached maps, since each token needs that of its realm and client. */
const PARSED_LEVELS = recentEntries<string, Readonly<Record<string, number>>>(1000);

/**
 * Parses a JSON map of levels by name. Invalid JSON is rejected when it is stored, but an older store may still contain
 * it.
 */
function parseLevels(text: string | undefined): Readonly<Record<string, number>> {
  if (text === undefined || text === '' || text === '{}') return NO_LEVELS;
  let levels = PARSED_LEVELS.get(text);
  if (levels === undefined) {
    levels = readLevels(text);
    PARSED_LEVELS.set(text, levels);
  }
  return levels;
}

function readLevels(text: string): Readonly<Record<string, number>> {
  try {
    const levelByName = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const levels = Object.entries(levelByName ?? {}).map(([name, level]): [string, number] => [name, Number(level)]);
    const validLevels = levels.filter(([, level]) => Number.isInteger(level) && level >= 0);
    return validLevels.length === 0 ? NO_LEVELS : Object.freeze(Object.fromEntries(validLevels));
  } catch {
    return NO_LEVELS;
  }
}

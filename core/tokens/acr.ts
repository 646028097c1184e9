import type { Json } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import type { RequestedClaims } from './requested-claims.js';

/** Keycloak's note of a client session: the level that its login has reached. */
export const LEVEL_NOTE = 'level-of-authentication';
/** The level of a login by a flow without levels. */
export const PLAIN_LEVEL = 1;
/** The level of an acr that is unknown to the realm: no flow reaches it. */
const UNREACHABLE = Number.MAX_SAFE_INTEGER;

/** The level that a request requires of a login (Keycloak's AcrUtils). */
export interface WantedLevel {
  /** The level that the flow tries to reach. */
  readonly wanted: number;
  /** The request fails if the login is below this level; absent: any level is accepted. */
  readonly least?: number;
}

/** The level of an acr, by its name or as a number; undefined if it is unknown. */
function levelOf(realm: Realm, client: Client, acr: string): number | undefined {
  const map = mapOf(realm, client);
  if (Object.hasOwn(map, acr)) return map[acr];
  return /^\d{1,9}$/.test(acr) ? Number(acr) : undefined;
}

/** The acr of a level in tokens. */
function acrOf(realm: Realm, client: Client, level: number): string {
  return Object.entries(mapOf(realm, client)).find(([, value]) => value === level)?.[0] ?? String(level);
}

/**
 * The acr of a login (Keycloak's AcrProtocolMapper): the highest of the requested values that the login has reached,
 * because an essential `acr` must be one of them (§5.5.1.1 of OpenID Connect Core). Otherwise the name of the level.
 */
export function acrOfLogin(
  realm: Realm,
  client: Client,
  level: number,
  wanted: readonly Json[] | null | undefined,
): string {
  let best: { readonly name: string; readonly level: number } | undefined;
  for (const name of wanted ?? []) {
    const reaches = typeof name === 'string' ? levelOf(realm, client, name) : undefined;
    if (reaches === undefined || reaches > level || (best !== undefined && reaches <= best.level)) continue;
    best = { name: String(name), level: reaches };
  }
  return best?.name ?? acrOf(realm, client, level);
}

/** The realm's names of levels, and the numbers of levels without a name. */
export function acrValues(realm: Realm, levels: readonly number[]): string[] {
  const map = parsed(realm.settings.acrLevels);
  const named = Object.values(map);
  return [...Object.keys(map), ...levels.filter((level) => !named.includes(level)).map(String)];
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
  const lowest = (names: readonly string[]) => {
    const levels = names.map((name) => levelOf(realm, client, name)).filter((level) => level !== undefined);
    return levels.length === 0 ? undefined : Math.min(...levels);
  };
  const { minimumAcr: minimum, defaultAcrs: defaults } = client.settings;
  const floors = [
    ...(minimum === '' ? [] : [levelOf(realm, client, minimum) ?? UNREACHABLE]),
    ...(essentialAcr === undefined ? [] : [lowest(essentialAcr) ?? UNREACHABLE]),
  ];
  const wishes = [voluntaryAcr, acrValues.split(' '), defaults.split('##')].map((names) =>
    names.filter((name) => name),
  );
  const wish = essentialAcr === undefined ? lowest(wishes.find((names) => names.length > 0) ?? []) : undefined;
  if (floors.length === 0) return wish === undefined ? undefined : { wanted: wish };
  const least = Math.max(...floors);
  return { wanted: Math.max(least, wish ?? least), least };
}

/** The requested acr values, or else the client's defaults, as Keycloak's policies see them. */
export function wantedAcrs(
  client: Client,
  { essentialAcr = [], voluntaryAcr = [] }: Partial<RequestedClaims> = {},
  acrValues = '',
): readonly string[] {
  const wishes = [[...essentialAcr, ...voluntaryAcr], acrValues.split(' '), client.settings.defaultAcrs.split('##')];
  return wishes.map((names) => names.filter((name) => name)).find((names) => names.length > 0) ?? [];
}

function mapOf(realm: Realm, client: Client): Readonly<Record<string, number>> {
  const own = parsed(client.settings.acrLevels);
  return Object.keys(own).length > 0 ? own : parsed(realm.settings.acrLevels);
}

const NONE = Object.freeze({});

/** Invalid JSON is rejected when it is stored, but an older store may still contain it. */
function parsed(text: string | undefined): Readonly<Record<string, number>> {
  if (text === undefined || text === '' || text === '{}') return NONE;
  try {
    const given = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const levels = Object.entries(given ?? {}).map(([name, level]): [string, number] => [name, Number(level)]);
    return Object.fromEntries(levels.filter(([, level]) => Number.isInteger(level) && level >= 0));
  } catch {
    return NONE;
  }
}

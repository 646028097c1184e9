import { allExecutions, type Execution } from './flow-model.js';

/** Keycloak's condition that declares an authentication level of a flow. */
export const LEVEL_CONDITION = 'conditional-level-of-authentication';
/** Keycloak's default for the validity of a level in a session, in seconds. */
export const DEFAULT_LEVEL_MAX_AGE = 36_000;

export interface AuthenticationLevel {
  readonly level: number;
  /** Validity of the level in a session, in seconds. */
  readonly maxAge: number;
}

/** Returns the level in a condition's configuration; undefined if there is no valid one. */
export function levelOfCondition({ config }: Pick<Execution, 'config'>): AuthenticationLevel | undefined {
  const { 'loa-condition-level': level = '', 'loa-max-age': maxAge = '' } = config;
  if (!/^\d{1,9}$/.test(level)) return undefined;
  return { level: Number(level), maxAge: /^\d{1,9}$/.test(maxAge) ? Number(maxAge) : DEFAULT_LEVEL_MAX_AGE };
}

/** The levels of flows, which never change. Each login needs those of its flow. */
const CACHED_LEVELS = new WeakMap<readonly Execution[], readonly AuthenticationLevel[]>();

/** Returns the levels of a flow, the lowest first. */
export function levelsOf(flow: readonly Execution[]): readonly AuthenticationLevel[] {
  let levels = CACHED_LEVELS.get(flow);
  if (levels === undefined) {
    levels = Object.freeze(readLevels(flow));
    CACHED_LEVELS.set(flow, levels);
  }
  return levels;
}

function readLevels(flow: readonly Execution[]): AuthenticationLevel[] {
  const levels = allExecutions(flow)
    .filter(({ authenticator, requirement }) => authenticator === LEVEL_CONDITION && requirement !== 'DISABLED')
    .map(levelOfCondition)
    .filter((level) => level !== undefined);
  return levels.sort((a, b) => a.level - b.level || a.maxAge - b.maxAge);
}

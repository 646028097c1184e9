import { allExecutions, type Execution } from './flow-model.js';

/** Keycloak's condition by which a flow knows levels of authentication. */
export const LEVEL_CONDITION = 'conditional-level-of-authentication';
/** How long a session keeps a level that says nothing of it: Keycloak's default, in seconds. */
export const MAX_AGE_OF_LEVEL = 36_000;

export interface AuthenticationLevel {
  readonly level: number;
  /** Seconds for which a session keeps it. */
  readonly maxAge: number;
}

/** What a condition's configuration says; undefined where that is no level. */
export function levelOfCondition({ config }: Pick<Execution, 'config'>): AuthenticationLevel | undefined {
  const { 'loa-condition-level': level = '', 'loa-max-age': maxAge = '' } = config;
  if (!/^\d{1,9}$/.test(level)) return undefined;
  return { level: Number(level), maxAge: /^\d{1,9}$/.test(maxAge) ? Number(maxAge) : MAX_AGE_OF_LEVEL };
}

/** The levels that a flow knows, the lowest first. */
export function levelsOf(flow: readonly Execution[]): readonly AuthenticationLevel[] {
  const levels = allExecutions(flow)
    .filter(({ authenticator, requirement }) => authenticator === LEVEL_CONDITION && requirement !== 'DISABLED')
    .map(levelOfCondition)
    .filter((level) => level !== undefined);
  return levels.sort((a, b) => a.level - b.level || a.maxAge - b.maxAge);
}

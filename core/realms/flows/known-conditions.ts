import { LEVEL_CONDITION } from './flow-levels.js';

/** Keycloak's conditions about the user and the login so far, and of which scopes the application gets: what is behind them is asked of some alone. */
export const CONDITIONS_OF_SOME = [
  'conditional-user-configured',
  'conditional-user-role',
  'conditional-user-attribute',
  'conditional-credential',
  'conditional-client-scope',
] as const;

/** The conditions that flows here know. */
export const KNOWN_CONDITIONS: readonly string[] = [...CONDITIONS_OF_SOME, LEVEL_CONDITION];

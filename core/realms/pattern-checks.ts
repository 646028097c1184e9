import type { SchemaProblem } from '../config/json/schema-check.js';
import type { Patterns } from '../model/patterns.js';
import type { RealmRepresentation } from '../model/representation.js';
import { USER_PROFILE_PATH, userProfileOf } from '../model/user-profile.js';
import { wantedClaims } from '../model/wanted-claims.js';
import { CONDITIONAL_OTP, HEADER_PATTERNS, headerPattern } from './flows/header-patterns.js';

/** Keycloak's condition whose expected value may be a pattern. */
const USER_ATTRIBUTE = 'conditional-user-attribute';

/**
 * Patterns of a realm that would be too expensive: of its user profile, of conditions of its flows, and of mappers of
 * its identity providers. A text that is no RE2 expression is accepted, and matches nothing. @param realm its user
 * profile can be read
 */
export function expensivePatterns(realm: RealmRepresentation, patterns: Patterns): SchemaProblem[] {
  return [...ofProfile(realm, patterns), ...ofConditions(realm, patterns), ...ofMappers(realm, patterns)];
}

function ofProfile(realm: RealmRepresentation, patterns: Patterns): SchemaProblem[] {
  return userProfileOf(realm).attributes.flatMap(({ name, validations }) => {
    const mistake = dear(validations?.pattern?.pattern, patterns);
    if (mistake === undefined) return [];
    return [{ path: USER_PROFILE_PATH, message: `validator 'pattern' of attribute '${name}': ${mistake}` }];
  });
}

function ofConditions(
  { authenticationFlows = [], authenticatorConfig = [] }: RealmRepresentation,
  patterns: Patterns,
): SchemaProblem[] {
  const executions = authenticationFlows.flatMap((flow) => flow.authenticationExecutions ?? []);
  const aliases = new Set(
    executions.filter((one) => one.authenticator === USER_ATTRIBUTE).map((one) => one.authenticatorConfig),
  );
  const byHeader = new Set(
    executions.filter((one) => one.authenticator === CONDITIONAL_OTP).map((one) => one.authenticatorConfig),
  );
  const ofHeaders = authenticatorConfig.flatMap(({ alias, config = {} }, index) => {
    if (!byHeader.has(alias)) return [];
    return HEADER_PATTERNS.flatMap((key) => {
      const mistake = config[key] ? dear(headerPattern(String(config[key])), patterns) : undefined;
      return mistake === undefined ? [] : [{ path: ['authenticatorConfig', index, 'config', key], message: mistake }];
    });
  });
  const ofAttributes = authenticatorConfig.flatMap(({ alias, config = {} }, index) => {
    if (!aliases.has(alias) || config.regex !== 'true') return [];
    const mistake = dear(config.attribute_expected_value, patterns);
    const path = ['authenticatorConfig', index, 'config', 'attribute_expected_value'];
    return mistake === undefined ? [] : [{ path, message: mistake }];
  });
  return [...ofAttributes, ...ofHeaders];
}

function ofMappers({ identityProviderMappers = [] }: RealmRepresentation, patterns: Patterns): SchemaProblem[] {
  return identityProviderMappers.flatMap(({ config = {} }, index) => {
    const { byPattern = false, claims = [] } = wantedClaims(config) ?? {};
    const mistake = claims.map(({ value }) => (byPattern ? patterns.dear(value) : undefined)).find(Boolean);
    const path = ['identityProviderMappers', index, 'config', 'claims'];
    return mistake === undefined ? [] : [{ path, message: mistake }];
  });
}

function dear(pattern: unknown, patterns: Patterns): string | undefined {
  return typeof pattern === 'string' ? patterns.dear(pattern) : undefined;
}
